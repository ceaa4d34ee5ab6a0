#!/usr/bin/env bash
# Task `times`, which came with a change of the spec.
set -eu
cat >greet <<'END'
#!/bin/sh
# greet: says hello
shout='' lang=en times=1
while [ $# -gt 0 ]; do
	case $1 in
	--shout) shout=yes ;;
	--lang) lang=${2-} && shift ;;
	--times) times=${2-} && shift ;;
	*) break ;;
	esac
	shift
done
case $lang in
en) text="Hello, ${1-world}!" ;;
es) text="Hola, ${1-mundo}!" ;;
de) text="Hallo, ${1-Welt}!" ;;
*)
	echo "greet: no such language: '$lang'" >&2
	exit 1
	;;
esac
if [ -n "$shout" ]; then
	text=$(echo "$text" | tr '[:lower:]' '[:upper:]')
fi
while [ "$times" -gt 0 ]; do
	echo "$text"
	times=$((times - 1))
done
END
cat >tests/times.sh <<'END'
expect 'greets twice' 'Hello, Ada!
Hello, Ada!' ./greet --times 2 Ada
END
sh test.sh
git add -A
git commit -q -m 'Greet more than once'
