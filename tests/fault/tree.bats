#!/usr/bin/env bats
# Some rounds of tests/reliability: agents that remove, link or empty what they work in.

load ../helper

@test "tree: the work tree, its .git, the session's folder or steps removed, linked or emptied" {
	"$ROOT/tests/reliability/run" --seed 1 --stride 40 tree
}
