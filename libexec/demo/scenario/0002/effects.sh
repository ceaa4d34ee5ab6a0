#!/usr/bin/env bash
# Task `world`, with a mistake that running the tests would have shown.
set -eu
cat >greet <<'END'
#!/bin/sh
# greet: says hello
echo "Hello, ${1-World}!"
END
cat >tests/world.sh <<'END'
expect 'greets the world' 'Hello, world!' ./greet
END
git add -A
git commit -q -m 'Greet the world where no name is given'
