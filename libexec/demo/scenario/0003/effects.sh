#!/usr/bin/env bash
# Mends what the check found.
set -eu
cat >greet <<'END'
#!/bin/sh
# greet: says hello
echo "Hello, ${1-world}!"
END
sh test.sh
git add -A
git commit -q -m 'Write the world in lower case, as the spec has it'
