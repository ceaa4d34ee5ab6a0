#!/usr/bin/env bash
# Task `readme`, the last one.
set -eu
cat >README.md <<'END'
# greet

Says hello.

    $ ./greet Ada
    Hello, Ada!
    $ ./greet
    Hello, world!
    $ ./greet --shout Ada
    HELLO, ADA!
    $ ./greet --lang es Ada
    Hola, Ada!

`--lang` knows `en`, `es` and `de`. The tests: `sh test.sh`.
END
sh test.sh
git add -A
git commit -q -m 'Show each form in the README'
