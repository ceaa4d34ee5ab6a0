#!/usr/bin/env bash
# Dies in the middle of task `shout`: half a file, and litter.
set -eu
cat >greet <<'END'
#!/bin/sh
# greet: says hello
while [ $# -gt 0 ]; do
	case $1 in
	--shout) shout=y
END
echo 'scratch' >greet.tmp
echo 'try tr, or is there something in the shell?' >NOTES.txt
