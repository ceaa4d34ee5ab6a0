#!/usr/bin/env bash
# Task `name`, as it should be.
set -eu
mkdir -p tests
cat >greet <<'END'
#!/bin/sh
# greet: says hello
echo "Hello, $1!"
END
cat >tests/name.sh <<'END'
expect 'greets by name' 'Hello, Ada!' ./greet Ada
expect 'keeps a name of two words' 'Hello, Grace Hopper!' ./greet 'Grace Hopper'
END
sh test.sh
git add -A
git commit -q -m 'Greet by name'
