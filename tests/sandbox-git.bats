#!/usr/bin/env bats
# A copy of the git folder for a step (wisp-sandbox run --lend), git at work in it, and what is taken over
# afterwards (wisp-sandbox take).

load helper

setup()
{
	[[ -e /proc/self/status ]] || skip 'Linux alone'
	wisp-sandbox driver --driver bwrap >/dev/null 2>&1 || skip 'bwrap does not work here'
	export WISP_LIBEXEC=$ROOT/libexec
	make_repo app
	git -C app branch other
	git -C app tag v1
	git -C app worktree add -q -b work ../tree
	mkdir -p tmp.own caches
	OWN=$PWD LENT=$PWD/lent TREE=$PWD/tree BRANCH=work
	REAL=$PWD/app/.git DRIVER=bwrap
}

# In the main checkout in place of the linked work tree.
in_place()
{
	TREE=$OWN/app BRANCH=main
}

use_landlock()
{
	DRIVER=landlock
	wisp-sandbox driver --driver landlock >/dev/null 2>&1 || skip 'no landlock here'
}

# step SCRIPT: bash in the sandbox, on a copy that is made for it.
step()
{
	real_files >"$OWN/kept"
	(cd "$TREE" && wisp-sandbox run --driver "$DRIVER" --known --worktree "$TREE" --tmp "$OWN/tmp.own" --caches "$OWN/caches" \
		--lend "$LENT" --env-pass GIT_CONFIG_NOSYSTEM -- bash -euc "$1")
}

take()
{
	wisp-sandbox take --worktree "$TREE" --branch "$BRANCH" "$LENT"
}

# What no step may change: all of the git folder but objects, index, logs and the branch.
real_files()
{
	(cd "$REAL" && find . -type f ! -path './objects/*' ! -path './modules/*' ! -path './worktrees/*/modules/*' ! -name index \
		! -path './lfs/*' ! -path '*/logs/*' ! -path "./refs/heads/$BRANCH" -exec cksum {} + | LC_ALL=C sort -k 3)
}

as_before()
{
	assert_equal "$(<"$OWN/kept")" "$(real_files)"
	git -C "$TREE" fsck --strict --no-progress
}

commits()
{
	local before

	before=$(git -C "$TREE" rev-parse HEAD)
	run -0 step 'echo one >one && git add one && git commit -q -m One && echo two >two && git add two && git log --format=%s'
	assert_output $'One\nBegin'
	assert_equal "$before" "$(git -C "$TREE" rev-parse HEAD)"
	run -0 take
	assert_equal One "$(git -C "$TREE" log -1 --format=%s)"
	assert_contains "$output" "was=$before"
	assert_contains "$output" "now=$(git -C "$TREE" rev-parse HEAD)"
	run -0 git -C "$TREE" status --short
	assert_output 'A  two'
	as_before
	run -0 take # once more, as after a kill
	as_before
}

@test "lend: commits of a step are taken over, with what it has staged" {
	commits
}

@test "lend: in place" {
	in_place
	commits
}

# layout NAME: a repository that is laid out so.
layout()
{
	case $1 in
	linked) ;;
	in-place) in_place ;;
	sha256) make_layout --object-format=sha256 ;;
	bare)
		make_layout
		git -C new worktree remove "$TREE"
		git -C new branch -q -D beside
		git clone -q --bare new bare.git
		REAL=$OWN/bare.git
		git -C bare.git worktree add -q -b beside "$TREE"
		;;
	worktree-config)
		make_layout
		git -C new config extensions.worktreeConfig true
		git -C "$TREE" config --worktree user.name Mine
		;;
	odd-names)
		OWN="$OWN/a b:c\"d"
		LENT=$OWN/lent
		mkdir -p "$OWN/tmp.own" "$OWN/caches"
		cd "$OWN"
		make_layout
		;;
	esac
}

# make_layout OPTION...: a repository that is made so, with a linked work tree.
make_layout()
{
	git init -q -b main "$@" new
	echo x >new/README
	git -C new add README
	git -C new commit -q -m Begin
	git -C new branch other
	git -C new tag v1
	git -C new worktree add -q -b beside "$OWN/new-tree"
	REAL=$OWN/new/.git TREE=$OWN/new-tree BRANCH=beside
}

references()
{
	git -C "$REAL" for-each-ref --format='%(objectname) %(refname)' | grep -v " refs/heads/$BRANCH\$"
}

# works_in LAYOUT: commit, amend, stash, branch, rebase and gc work inside; afterwards its branch alone has moved.
works_in()
{
	local before gitfile OWN=$OWN LENT=$LENT TREE=$TREE BRANCH=$BRANCH REAL=$REAL

	layout "$1"
	before=$(references) gitfile=$(cat "$TREE/.git" 2>/dev/null) || :
	run -0 step 'branch=$(git branch --show-current); echo a >a && git add a && git commit -q -m A && git commit -q --amend -m AA
		echo b >README && git stash -q && git stash pop -q && git commit -q -a -m B
		git checkout -q -b side HEAD~1 && echo c >c && git add c && git commit -q -m C
		git checkout -q "$branch" && git rebase -q side && git gc -q 2>/dev/null && git log --format=%s
		echo d >README; git stash -q; git tag v2; git tag -d v1 >/dev/null; git branch -f other; echo e >e; git add e'
	assert_output $'B\nC\nAA\nBegin'
	run -0 take
	for name in heads/side heads/other tags/v1 tags/v2 stash; do
		assert_contains "$output" "other=refs/$name"
	done
	assert_equal $'B\nC\nAA\nBegin' "$(git -C "$TREE" log --format=%s)"
	assert_equal 'A  e' "$(git -C "$TREE" status --short --untracked-files=no)"
	assert_equal "$before" "$(references)"
	assert_equal "$gitfile" "$(cat "$TREE/.git" 2>/dev/null)"
	git -C "$TREE" fsck --strict --no-progress --no-dangling
	[[ $DRIVER-$1 == landlock-in-place ]] || as_before
	run -0 take
	assert_equal "$before" "$(references)"
	cd "$BATS_TEST_TMPDIR"
}

@test "lend: bwrap: commit, amend, stash, branch and rebase work in each layout" {
	for name in linked in-place sha256 bare worktree-config odd-names; do
		works_in "$name"
		rm -rf new new-tree bare.git
	done
}

@test "lend: landlock: commit, amend, stash, branch and rebase work in each layout" {
	use_landlock
	for name in linked in-place sha256 bare worktree-config odd-names; do
		works_in "$name"
		rm -rf new new-tree bare.git
	done
}

@test "lend: references other than the branch stay, and are named" {
	run -0 step 'git commit -q --allow-empty -m X && git branch -f other HEAD && git tag -d v1 >/dev/null && git update-ref refs/wisp/x HEAD
		git pack-refs --all'
	run -0 take
	assert_contains "$output" 'other=refs/heads/other'
	assert_contains "$output" 'other=refs/tags/v1'
	assert_contains "$output" 'other=refs/wisp/x'
	assert_equal X "$(git -C tree log -1 --format=%s)"
	as_before
}

@test "lend: config, hooks, commondir and .git cannot be changed inside" {
	# shellcheck disable=SC2016 # the inner shell expands it
	run -0 step 'git=$(git rev-parse --git-dir) common=$(git rev-parse --git-common-dir)
		for file in "$common/config" "$common/hooks/pre-commit" "$common/info/attributes" "$git/commondir" "$git/gitdir" .git; do
			! echo "[core]" 2>/dev/null >>"$file" || echo "written: $file"
			! rm -rf "$file" 2>/dev/null || [[ $file != .git && -n $(ls -d "$file" 2>&1 >/dev/null) ]] || echo "removed: $file"
		done
		! mv .git x 2>/dev/null || echo moved
		! git config core.fsmonitor ./x 2>/dev/null || echo configured'
	assert_output ''
	run -0 take
	as_before
}

@test "lend: a step that removes all of git's folder loses its own work alone" {
	# shellcheck disable=SC2016 # the inner shell expands it
	run step 'echo a >a && git add a && git commit -q -m A; common=$(git rev-parse --git-common-dir)
		rm -rf "$common"/objects "$common"/refs 2>/dev/null; rm -rf /run/wisp/git/objects 2>/dev/null; true'
	run -1 take
	assert_contains "$output" 'why=it was removed'
	assert_equal Begin "$(git -C tree log -1 --format=%s)"
	as_before
}

@test "lend: damaged or missing objects are not taken over" {
	run -0 step 'echo a >a && git add a && git commit -q -m A
		f=$(git rev-parse --git-common-dir)/objects/$(git rev-parse HEAD:a | sed "s,^..,&/,"); chmod +w "$f"; echo broken >"$f"'
	run -1 take
	assert_contains "$output" 'why='
	assert_equal Begin "$(git -C tree log -1 --format=%s)"
	run -0 step 'printf "%040d\n" 7 >"$(git rev-parse --git-common-dir)/refs/heads/work"'
	run -1 take
	assert_contains "$output" 'why='
	assert_equal Begin "$(git -C tree log -1 --format=%s)"
	as_before
}

@test "lend: a tree that would write into .git where it is checked out is not taken over" {
	# shellcheck disable=SC2016 # the inner shell expands it
	run -0 step 'id=$(echo x | git hash-object -w --stdin) tree=$(printf "100644 blob %s\t.git\n" "$id" | git mktree)
		git update-ref refs/heads/work "$(git commit-tree -m Bad -p HEAD "$tree")"'
	run -1 take
	assert_contains "$output" 'hasDotgit'
	assert_equal Begin "$(git -C tree log -1 --format=%s)"
	as_before
}

@test "lend: links, pipes and other stores in the place of objects lead nowhere" {
	mkdir elsewhere
	git init -q elsewhere
	echo secret >elsewhere/s
	git -C elsewhere add s
	git -C elsewhere commit -q -m Secret
	secret=$(git -C elsewhere rev-parse HEAD)
	run -0 step "common=\$(git rev-parse --git-common-dir)
		echo '$PWD/elsewhere/.git/objects' >\"\$common/objects/info/alternates\"
		ln -s '$PWD/elsewhere/.git/objects/${secret:0:2}' \"\$common/objects/${secret:0:2}\"
		mkfifo \"\$common/objects/pack/x.pack\" \"\$common/objects/pack/x.idx\"
		echo $secret >\"\$common/refs/heads/work\""
	run -1 take
	assert_contains "$output" 'why='
	assert_equal Begin "$(git -C tree log -1 --format=%s)"
	run -1 git -C app cat-file -e "$secret"
	run -0 step 'common=$(git rev-parse --git-common-dir); mv "$common/objects" "$common/o"; ln -s /etc "$common/objects"
		git() { :; }; echo 1234567890123456789012345678901234567890 >"$common/refs/heads/work"'
	run -1 take
	assert_contains "$output" 'why=its objects are gone'
	[[ -e /etc/passwd ]]
	rm -f "$LENT/git/refs/heads/work"
	ln -s "$OWN/app/.git/refs/heads/other" "$LENT/git/refs/heads/work"
	run -1 take
	assert_contains "$output" 'why=it was removed'
	as_before
}

@test "lend: what is too deep for a path, or too large to be read, keeps nothing from being taken over" {
	run -0 step 'echo one >one && git add one && git commit -q -m One && cd "$(git rev-parse --git-common-dir)"
		truncate -s 20M packed-refs
		printf -v name %0200d 0
		for folder in objects objects/info; do
			(cd "$folder"; for ((i = 0; i < 30; i++)); do mkdir "$name"; cd "$name"; done)
		done'
	run -0 take
	assert_equal One "$(git -C "$TREE" log -1 --format=%s)"
	as_before
}

@test "lend: what is not as it was outside of the copy is named, and nothing is taken over" {
	run -0 step 'git commit -q --allow-empty -m X'
	cp tree/.git saved
	echo "gitdir: $PWD/elsewhere" >tree/.git
	run -1 take
	assert_equal "tampered=$PWD/tree/.git" "${output%%$'\n'*}"
	rm tree/.git
	ln -s "$PWD/saved" tree/.git
	run -1 take
	assert_equal "tampered=$PWD/tree/.git" "${output%%$'\n'*}"
	assert_equal Begin "$(git -C app log -1 --format=%s work)"
}

@test "lend: a branch that moved meanwhile is not taken over" {
	run -0 step 'git commit -q --allow-empty -m X'
	git -C tree commit -q --allow-empty -m Mine
	run -1 take
	assert_contains "$output" 'why='
	assert_equal Mine "$(git -C tree log -1 --format=%s)"
}

@test "lend: a repository of SHA-256, and a branch without a commit" {
	git init -q --object-format=sha256 -b main app256
	TREE=$PWD/app256 BRANCH=main REAL=$PWD/app256/.git
	run -0 step 'echo a >a && git add a && git commit -q -m A'
	run -0 take
	assert_equal A "$(git -C app256 log -1 --format=%s)"
}

@test "lend: landlock: in place another folder in the place of .git is named" {
	use_landlock
	in_place
	run -0 step 'git commit -q --allow-empty -m X; cp -r .git other; mv .git first; mv other .git'
	run -1 take
	assert_equal "tampered=$PWD/app/.git" "${output%%$'\n'*}"
}

@test "lend: references in a reftable: the git folder is read-only" {
	in_place
	mkdir app/.git/reftable
	run step 'git commit -q --allow-empty -m X'
	assert_contains "$output" 'Read-only file system'
	run -0 take
	assert_output ''
}

# with_module: the project has the submodule lib, which has inner. Of the linked work tree they are linked, too; of the one at
# $OWN/cloned lib is a repository of its own, as `git submodule update` makes it.
with_module()
{
	export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
	make_repo inner
	make_repo lib
	git -C lib submodule --quiet add "$OWN/inner" inner
	git -C lib commit -q -m 'With inner'
	git -C app submodule --quiet add "$OWN/lib" lib
	git -C app submodule --quiet update --init --recursive
	git -C app commit -q -m 'With lib'
	git -C app worktree add -q -b cloned ../cloned
	git -C cloned submodule --quiet update --init
	unset GIT_CONFIG_COUNT
	git -C tree merge -q main
	git --git-dir=app/.git/modules/lib worktree add -q --force --detach "$OWN/tree/lib" "$(git -C tree rev-parse HEAD:lib)"
	git --git-dir=app/.git/modules/lib/modules/inner worktree add -q --force --detach "$OWN/tree/lib/inner" "$(git -C tree/lib rev-parse HEAD:inner)"
	MODULES=$(module_files)
}

# What no step may change in the submodules, but for those of the work tree.
module_files()
{
	find app/.git/modules cloned/.git app/.git/worktrees/*/modules -type f ! -path '*/objects/*' ! -name index ! -path '*/logs/*' \
		! -name HEAD ! -name COMMIT_EDITMSG -exec cksum {} + | LC_ALL=C sort -k 3
	grep -H . app/.git/modules/lib/HEAD app/.git/modules/lib/modules/inner/HEAD app/.git/worktrees/cloned/modules/lib/HEAD
}

commits_in_modules()
{
	with_module
	for layout in 'tree work' 'app main' 'cloned cloned'; do
		TREE=$OWN/${layout% *} BRANCH=${layout#* }
		run -0 step 'cd lib; echo x >x; git add x; git commit -q -m In && echo y >y && git add y; cd ..; git commit -q -a -m Out
			git -C lib stash -q; git -C lib stash pop -q --index'
		real_files >kept
		run -0 take
		assert_lacks "$output" 'module='
		assert_equal $'In\nOut' "$(git -C "$TREE/lib" log -1 --format=%s && git -C "$TREE" log -1 --format=%s)"
		assert_equal "$(git -C "$TREE" rev-parse HEAD:lib)" "$(git -C "$TREE/lib" rev-parse HEAD)"
		assert_equal 'A  y' "$(git -C "$TREE/lib" status --short)"
		git -C "$TREE/lib" fsck --strict --no-progress --no-dangling
		as_before
		run -0 take
		git -C "$TREE/lib" symbolic-ref -q HEAD || [[ $TREE != "$OWN/app" ]]
	done
	TREE=$OWN/tree BRANCH=work
	run -0 step 'cd lib/inner && echo x >x && git add x && git commit -q -m Inner'
	run -0 take
	assert_equal Inner "$(git -C tree/lib/inner log -1 --format=%s)"
}

@test "lend: a step commits in submodules, wherever their git folders lie, and in those in them" {
	commits_in_modules
}

@test "lend: landlock: a step commits in submodules" {
	use_landlock
	commits_in_modules
}

@test "lend: landlock: what .git is after a step is no matter, but nothing is taken over where that was changed" {
	use_landlock
	gitfile=$(<tree/.git)
	run -0 step 'git commit -q --allow-empty -m X; echo "gitdir: elsewhere" >.git'
	run -1 take
	assert_equal "tampered=$PWD/tree/.git" "${output%%$'\n'*}"
	echo "$gitfile" >tree/.git
	run -0 step 'git commit -q --allow-empty -m X; git config core.fsmonitor ./x; rm -rf "$(git rev-parse --git-common-dir)"/hooks
		! echo x 2>/dev/null >"'"$REAL"'/config" && ! git --git-dir="'"$REAL"'" tag v3 2>/dev/null'
	run -0 take
	assert_equal X "$(git -C tree log -1 --format=%s)"
	as_before
	# A start that was killed has left it so.
	run -0 step 'git commit -q --allow-empty -m Lost'
	run -0 step 'git commit -q --allow-empty -m Y'
	run -0 take
	assert_equal $'Y\nX' "$(git -C tree log -2 --format=%s)"
	assert_equal "$gitfile" "$(<tree/.git)"
}

@test "lend: landlock: in place other references are put back, but for wisp's own and branches of other work trees" {
	use_landlock
	in_place
	before=$(references)
	run -0 step 'git commit -q --allow-empty -m X; git branch -q -D other; git branch other/deep; git tag -f v1 >/dev/null 2>&1
		git update-ref refs/heads/work HEAD; git update-ref refs/wisp/x HEAD; git pack-refs --all'
	run -0 take
	assert_equal 'heads/other heads/other/deep tags/v1' "$(sed -n 's,^other=refs/,,p' <<<"$output" | sort | paste -s -d ' ')"
	assert_equal X "$(git -C app log -1 --format=%s)"
	assert_equal "$before" "$(references | sed "s/^[^ ]* refs.heads.work/$(git -C app rev-parse main~1) refs\/heads\/work/; /refs.wisp.x/d")"
}

@test "lend: of a submodule its own HEAD is taken over, the rest stays and is named" {
	with_module
	run -0 step 'cd lib; git checkout -q -b side; git commit -q --allow-empty -m Side; git tag v2; git update-ref refs/heads/main HEAD
		git config core.fsmonitor ./x; echo x >"$(git rev-parse --git-common-dir)/hooks/pre-commit"'
	run -0 take
	for name in heads/side heads/main tags/v2; do
		assert_contains "$output" "other=lib: refs/$name"
	done
	assert_equal Side "$(git -C tree/lib log -1 --format=%s)"
	run -1 git -C tree/lib symbolic-ref -q HEAD
	assert_equal "$MODULES" "$(module_files)"
}

@test "lend: a submodule that is not as it was outside of the copy is named, and the others are taken over" {
	with_module
	run -0 step 'git -C lib commit -q --allow-empty -m Lost; echo "gitdir: ../../app/.git/modules/lib" >lib/.git
		git commit -q --allow-empty -m Out; git -C lib/inner commit -q --allow-empty -m Inner'
	run -1 take
	assert_contains "$output" "module=lib: '$OWN/tree/lib/.git' is not what it was"
	assert_equal $'Out\nInner' "$(git -C tree log -1 --format=%s && git -C tree/lib/inner log -1 --format=%s)"
	assert_equal "$MODULES" "$(module_files)"
	# It leads to that of the project's own checkout, which is lent to no other work tree.
	run step 'git -C lib commit -q --allow-empty -m Theirs'
	run -0 take
	assert_equal "$MODULES" "$(module_files)"
}

@test "lend: links in the place of a submodule's copy lead nowhere, and one that is removed is none" {
	with_module
	run -0 step 'git -C lib commit -q --allow-empty -m X; cd "$(git rev-parse --git-common-dir)"; mv modules m; mkdir modules
		cp -r m/lib modules; rm -r modules/lib/objects; ln -s "$PWD/objects" modules/lib/objects; echo 7 >>objects/info/x'
	run -1 take
	assert_contains "$output" 'module=lib: its objects are gone'
	git -C lib commit -q --allow-empty -m Theirs
	echo kept >lib/.git/objects/info/kept
	in_place
	run -0 step "rm -r .git/modules/lib && ln -s '$OWN/lib/.git' .git/modules/lib"
	run -1 take
	assert_contains "$output" 'module=lib: its objects are gone'
	assert_equal kept "$(<lib/.git/objects/info/kept)"
	assert_equal "$MODULES" "$(module_files)"
	TREE=$OWN/tree BRANCH=work
	run -0 step 'rm -rf lib; git rm -q lib && git commit -q -m Gone'
	run -0 take
	assert_equal Gone "$(git -C tree log -1 --format=%s)"
	assert_equal "$MODULES" "$(module_files)"
}

# with_lfs: the project has a file of git-lfs; where that is not installed, of a filter that does what it does.
with_lfs()
{
	local lfs='git-lfs'

	if ! command -v git-lfs >/dev/null; then
		lfs="bash '$REAL/filter'"
		cat >"$REAL/filter" <<'END'
set -eu
common=$(git rev-parse --git-common-dir)
if [[ $1 == clean ]]; then
	cat >"$common/lfs.new"
	id=$(sha256sum "$common/lfs.new" | cut -d ' ' -f 1)
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %s\n' "$id" "$(wc -c <"$common/lfs.new")"
	mkdir -p "$common/lfs/objects/${id:0:2}/${id:2:2}"
	mv "$common/lfs.new" "$common/lfs/objects/${id:0:2}/${id:2:2}/$id"
else
	id=$(sed -n 's/^oid sha256://p')
	other=$(sed 's/^"//; s/"$//' "$common/objects/info/alternates" 2>/dev/null) || :
	cat "$common/lfs/objects/${id:0:2}/${id:2:2}/$id" 2>/dev/null || cat "${other%/objects}/lfs/objects/${id:0:2}/${id:2:2}/$id"
fi
END
	fi
	git -C app config filter.lfs.clean "$lfs clean -- %f"
	git -C app config filter.lfs.smudge "$lfs smudge -- %f"
	git -C app config filter.lfs.required true
	echo '*.bin filter=lfs -text' >app/.gitattributes
	echo big >app/m.bin
	git -C app add .
	git -C app commit -q -m Large
	git -C tree merge -q main
}

objects_of_lfs()
{
	find "$REAL/lfs/objects" -type f -exec sha256sum {} + | sort
}

commits_large_files()
{
	run -0 step "rm m.bin; git checkout -q m.bin && cat m.bin; echo $DRIVER >n.bin; git add n.bin; git commit -q -m Bin"
	assert_output big
	run -0 take
	assert_equal '' "$(git -C "$TREE" status --short --untracked-files=no)"
	as_before
	git -C "$TREE" worktree add -q --detach "$OWN/fresh.$DRIVER.$BRANCH" "$BRANCH"
	assert_equal "$DRIVER" "$(<"$OWN/fresh.$DRIVER.$BRANCH/n.bin")"
}

@test "lend: large files of git-lfs are read and added in a step" {
	with_lfs
	commits_large_files
	in_place
	commits_large_files
	TREE=$OWN/tree BRANCH=work
	use_landlock
	commits_large_files
}

@test "lend: of the files of git-lfs those are taken whose content is what their name says" {
	with_lfs
	before=$(objects_of_lfs)
	id=$(echo secret | tee secret | sha256sum | cut -d ' ' -f 1)
	kept=$(find "$REAL/lfs/objects" -type f)
	run -0 step "git commit -q --allow-empty -m X; cd \"\$(git rev-parse --git-common-dir)\"; mkdir -p lfs/objects/${id:0:2}/${id:2:2} lfs/objects/x
		echo other >lfs/objects/${id:0:2}/${id:2:2}/$id; truncate -s 8T lfs/objects/${id:0:2}/${id:2:2}/${id%?}0
		ln -s '$OWN/secret' lfs/objects/x/$id; ln -s '$OWN' lfs/objects/y
		mkdir -p lfs/objects/x/x; ln -s '$OWN/secret' lfs/objects/x/x/$id; echo 7 >lfs/objects/x/x/7
		mkdir -p lfs/objects/$(basename "$kept" | sed 's,\(..\)\(..\).*,\1/\2,'); echo bad >'${kept#"$REAL/"}'"
	run -0 take
	assert_equal "$before" "$(objects_of_lfs)"
	assert_equal X "$(git -C tree log -1 --format=%s)"
	run -0 step "cd \"\$(git rev-parse --git-common-dir)\"; rm -rf lfs; ln -s '$OWN/app/.git/lfs' lfs"
	run -0 take
	assert_equal "$before" "$(objects_of_lfs)"
}
