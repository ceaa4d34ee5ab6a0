# What a project has beside its commits, and a session's work tree may lack: ignored files, hooks.

load ../helper
load ../helper-scenario
load helper-e2e

@test ".worktreeinclude: ignored files that its patterns name are in the work tree, and in no commit" {
	project
	printf '.env*\n*.key\ncache/\n' >.gitignore
	printf '# comment\n.env*\n!.env.example\n*.key\ncache/\nREADME\nnew\n.wisp/\n' >.worktreeinclude
	git add -A
	git commit -q -m 'Ignore'
	mkdir -p src cache/deep
	for f in .env .env.example src/a.key cache/deep/x new; do
		echo "$f" >"$f"
	done
	scenario_step default --effects 'cat .env src/a.key cache/deep/x >x; rm .gitignore' --pass 1 --status DONE --promise
	work 0 1
	in_tree x ".env"$'\n'"src/a.key"$'\n'"cache/deep/x"
	absent .env.example
	absent new
	assert_equal ".gitignore"$'\n'"x" "$(git diff --name-only main work)"
}

@test ".worktreeinclude: nothing from outside of the project" {
	project
	echo secret >../outside
	printf '*.key\n' | tee .gitignore >.worktreeinclude
	git add -A
	git commit -q -m 'Ignore'
	ln -s ../outside a.key
	scenario_step default --effects 'echo x >x' --pass 1 --status DONE --promise
	work 100 1
	assert_contains "$output" ".worktreeinclude: 'a.key' leads out of the project by a link"
	[[ ! -e $TREE ]]
}

# husky: hooks in a folder of the work tree that is not committed, and refuse every commit.
husky()
{
	mkdir -p .husky/_
	printf '_\n' >.husky/.gitignore
	printf '#!/bin/sh\nexit 1\n' >.husky/_/pre-commit
	chmod +x .husky/_/pre-commit
	git add -A
	git commit -q -m 'Hooks'
	git config core.hooksPath .husky/_
}

@test "hooks that a session's work tree lacks are said at its start, by doctor, and by done" {
	local said="core.hooksPath is .husky/_"

	project
	husky
	run wisp doctor --agent replay
	assert_contains "$output" "warn hooks: $said, which is not committed"
	scenario_step default --effects 'echo x >x' --commit x --pass 1 --status DONE --promise
	work 0 1
	assert_contains "$output" "$said, which '$TREE' lacks: commits there run no hooks (worktree.copy .husky/_ brings them)"
	again 0
	assert_lacks "$output" hooksPath
	expect 0 wisp done work --merge
	assert_contains "$output" "$said, which '$TREE' lacks: these commits have not passed the hooks"
}

@test "hooks that worktree.copy brings run" {
	project
	husky
	scenario_step default --effects 'echo x >x; git add x; git commit -q -m x || touch refused' --pass 1 --status DONE --promise
	OPTIONS=(-c worktree.copy=.husky/_)
	work 0 1
	assert_lacks "$output" hooksPath
	[[ -e $TREE/refused ]]
	expect 0 wisp "${OPTIONS[@]}" done work --merge
	assert_lacks "$output" hooksPath
}
