#!/usr/bin/env bash
# Task `shout`, and it forgets to commit.
set -eu
cat >greet <<'END'
#!/bin/sh
# greet: says hello
shout=
while [ $# -gt 0 ]; do
	case $1 in
	--shout) shout=yes ;;
	*) break ;;
	esac
	shift
done
text="Hello, ${1-world}!"
if [ -n "$shout" ]; then
	text=$(echo "$text" | tr '[:lower:]' '[:upper:]')
fi
echo "$text"
END
cat >tests/shout.sh <<'END'
expect 'shouts a name' 'HELLO, ADA!' ./greet --shout Ada
expect 'shouts at the world' 'HELLO, WORLD!' ./greet --shout
END
sh test.sh
