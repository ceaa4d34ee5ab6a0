#!/usr/bin/env bats
# libexec/lib/git.bash: work trees, checkpoints, wisp's own commits.

load helper

setup()
{
	unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
	git config --global init.defaultBranch main
	git config --global user.name 'A User'
	git config --global user.email user@example.com
	# shellcheck source=../libexec/lib/git.bash
	source "$ROOT/libexec/lib/git.bash"
	P=$(cd "$BATS_TEST_TMPDIR" && pwd -P)/"a pro'ject"
	W=$P/.wisp/worktrees/wisp/job
	B=wisp/job ID=7f000000-0000-4000-8000-000000000001
	mkdir "$P"
}

# W B MESSAGE_FILE TRAILER [SKIP_FILE [TREE]]: the commit of what is left, as a step's end makes it (src/tree/commit.c), of TREE,
# or of the work tree as it is. REPLY: the commit, or why there is none.
git_fallback_commit()
{
	local tree=${6-} rc=0 dir args=()

	if [[ -z $tree ]]; then
		git_work "$1" || return
		tree=$OBS_TREE
	fi
	git_use "$1" || return 111
	for dir in ${OBS_NESTED[@]+"${OBS_NESTED[@]}"}; do
		args+=(--nested "$dir")
	done
	git__tree commit --tree "$tree" --branch "$2" --message "$3" --trailer "$4" ${5:+--skip "$5"} \
		${OBS_INDEX:+--was "$OBS_INDEX"} ${GIT_LINE_ENDS:+--line-ends "$GIT_LINE_ENDS"} ${args[@]+"${args[@]}"} || rc=$?
	((rc == 0)) || return "$rc"
	[[ -z $REPLY ]] || OBS_HEAD=$REPLY
}

# A project with files of every kind, its .wisp/config tracked, and a session's work tree.
project()
{
	git init -q "$P"
	(
		cd "$P"
		mkdir -p .wisp folder 'with blank' swapdir
		printf '[limits]\n' >.wisp/config
		printf 'sessions/\nworktrees/\n' >.wisp/.gitignore
		printf '*.ign\n' >.gitignore
		echo one >a
		echo two >'with blank/b "c"'
		echo three >$'folder/new\nline'
		echo four >swap
		echo five >swapdir/x
		printf '#!/bin/sh\n' >run.sh
		chmod +x run.sh
		ln -s a link
		echo kept >forced.ign
		git add -A
		git add -f forced.ign
		git commit -qm 'first'
	)
	git_worktree_add "$P" "$B" "$W" main
}

plain()
{
	git init -q "$P"
	(cd "$P" && echo one >a && git add a && git commit -qm first)
	git_worktree_add "$P" "$B" "$W" main
}

commit() # MESSAGE: all of W, as an agent would
{
	git -C "$W" add -A
	git -C "$W" commit -qm "$1"
}

# Names, kinds and contents in W, but for .git and .wisp.
files()
{
	(
		cd "$W"
		find . -name .git -prune -o -path ./.wisp -prune -o -type f -perm -100 -print | sed 's/$/ x/' | sort
		find . -name .git -prune -o -path ./.wisp -prune -o -type f -exec cksum {} + | sort
		find . -name .git -prune -o -path ./.wisp -prune -o -type l -exec ls -l {} + | sed 's/.* \.\//.\//' | sort
	)
}

state()
{
	files
	git -C "$W" symbolic-ref HEAD
	git -C "$W" rev-parse HEAD
	git -C "$W" ls-files -s
	git -C "$W" status --porcelain
}

same()
{
	[[ $1 == "$2" ]] || diff <(printf '%s\n' "$1") <(printf '%s\n' "$2")
}

# bats passes over a `!` that fails.
no()
{
	if "$@"; then
		return 1
	fi
}

holds() { git -C "$W" cat-file -e "$1:$2" 2>/dev/null; }	# TREE PATH

index_tree() # W: what a checkpoint has of its index
{
	git_observe "$1" && git_checkpoint "$1" "$B" 99 "$ID" && git_checkpoint_read "$1" "$B" 99 || return
	REPLY=${CK_STAGED:+$CK_INDEX}
}

put_away_id() # N: what is there is put away; REPLY is the commit that has it
{
	git_restore_always "$W" "$B" "$1" "$ID" 0
	REPLY=$(git -C "$W" rev-parse "refs/wisp/failed/$B/000$1")
}

tree_names()
{
	git -C "$W" ls-tree -r --name-only "$1"
}

# The repositories of the test have their refs in a reftable.
reftable()
{
	git init -q --ref-format=reftable "$BATS_TEST_TMPDIR/probe" 2>/dev/null || skip 'this git has no reftable'
	export GIT_DEFAULT_REF_FORMAT=reftable
}

# What follows is of refs that are files.
files_only()
{
	[[ ! -d $P/.git/reftable ]] || skip 'the refs are no files'
}

# --- ground ---------------------------------------------------------------

@test "load: what the caller's git has set is dropped" {
	plain
	out=$(GIT_DIR=/nowhere GIT_WORK_TREE=/nowhere GIT_INDEX_FILE=/nowhere GIT_LITERAL_PATHSPECS=1 bash -c '
		set -euo pipefail
		source "$ROOT/libexec/lib/git.bash"
		git_top "$2" && git_observe "$2" && echo "$OBS_REF"' - "$BATS_TEST_DIRNAME" "$W")
	[[ $out == "refs/heads/$B" ]]
}

@test "load: no repository's program runs and nothing asks" {
	plain
	mkdir -p "$P/.git/hooks"
	for hook in pre-commit post-commit post-checkout post-index-change reference-transaction prepare-commit-msg; do
		printf '#!/bin/sh\necho ran >>"%s"\n' "$BATS_TEST_TMPDIR/ran" >"$P/.git/hooks/$hook"
		chmod +x "$P/.git/hooks/$hook"
	done
	git -C "$P" config core.fsmonitor "echo ran >>'$BATS_TEST_TMPDIR/ran'; false"
	git -C "$P" config commit.gpgSign true
	git -C "$P" config log.showSignature true
	git -C "$P" config submodule.recurse true
	git -C "$P" config gpg.program false
	git_observe "$W"
	git_checkpoint "$W" "$B" 1 "$ID"
	echo x >"$W/x"
	echo message >"$BATS_TEST_TMPDIR/message"
	git_fallback_commit "$W" "$B" "$BATS_TEST_TMPDIR/message" "Wisp-Step: $ID/1" ''
	[[ -n $REPLY ]]
	git_put_away "$W" "$B" 2 "$ID" 1
	git_worktree_add "$P" other "$P/.wisp/worktrees/other" main
	[[ ! -e $BATS_TEST_TMPDIR/ran ]]
}

@test "top: the main work tree from anywhere in any of its work trees" {
	project
	mkdir "$W/deep"
	for dir in "$P" "$P/folder" "$W" "$W/deep"; do
		git_top "$dir"
		same "$REPLY" "$P"
	done
	(cd "$W/deep" && git_top && same "$REPLY" "$P")
}

@test "top: a configuration that git cannot read is told in its words, and is no lack of a repository" {
	plain
	echo '[broken' >>"$P/.git/config"
	rc=0
	git_top "$P" || rc=$?
	[[ $rc -eq 111 && $REPLY == 'bad config line '*' in file '*'config' ]]
}

@test "observe: what git cannot take in is named, with what to do" {
	plain
	echo '*.enc working-tree-encoding=NOPE' >"$W/.gitattributes"
	echo x >"$W/a.enc"
	said=$(git_observe "$W" 2>&1) && return 1
	[[ $said == "wisp: git cannot take in what is in '$W': "*"failed to encode 'a.enc' from NOPE"*'(mend that, then once more)' ]]
}

@test "top: none, a bare one, and one whose git folder is elsewhere" {
	rc=0
	git_top "$P" || rc=$?
	[[ $rc -eq 1 ]]
	git init -q --bare "$BATS_TEST_TMPDIR/bare.git"
	no git_top "$BATS_TEST_TMPDIR/bare.git"
	git init -q --bare "$P/.git"
	no git_top "$P"
	git init -q --separate-git-dir "$BATS_TEST_TMPDIR/store" "$BATS_TEST_TMPDIR/apart"
	git_top "$BATS_TEST_TMPDIR/apart"
	[[ $REPLY -ef $BATS_TEST_TMPDIR/apart ]]
	git_observe "$REPLY"
}

@test "load: a git that wisp-tree starts has the settings of one that bash starts" {
	plain
	counting
	sed "s|^exec|printf ' %s' \"\$@\" >>'$BATS_TEST_TMPDIR/args'; echo >>'$BATS_TEST_TMPDIR/args'\n&|" "$STUB/git" >"$STUB/new"
	mv "$STUB/new" "$STUB/git"
	chmod +x "$STUB/git"
	counted git_observe "$W"
	((calls > 0))
	no grep -vF -- "${GIT_SETTINGS[*]}" "$BATS_TEST_TMPDIR/args"
}

@test "use: a .git pointer that is gone or leads elsewhere is refused, and nothing else is touched" {
	plain
	git_worktree_add "$P" other "$BATS_TEST_TMPDIR/other" main
	git_observe "$W"
	git_checkpoint "$W" "$B" 0 "$ID"
	echo mine >"$P/untracked"
	for pointer in '' 'gitdir: /nowhere' "gitdir: $P/.git" "$(cat "$BATS_TEST_TMPDIR/other/.git")"; do
		printf '%s\n' "$pointer" >"$W/.git"
		[[ -n $pointer ]] || rm "$W/.git"
		rc=0
		git_observe "$W" 2>"$BATS_TEST_TMPDIR/err" || rc=$?
		[[ $rc -eq 111 && -s $BATS_TEST_TMPDIR/err ]]
		rc=0
		git_reset_to "$W" "$B" 1 "$ID" 0 2>/dev/null || rc=$?
		[[ $rc -eq 111 ]]
	done
	[[ $(git -C "$P" symbolic-ref HEAD) == refs/heads/main && -f $P/untracked ]]
}

# --- observe ----------------------------------------------------------------

@test "observe: HEAD, its ref and the tree with untracked files, without ignored ones and .wisp" {
	project
	echo new >"$W/untracked"
	echo no >"$W/no.ign"
	echo changed >"$W/.wisp/config"
	git_observe "$W"
	same "$OBS_HEAD" "$(git -C "$W" rev-parse HEAD)"
	same "$OBS_REF" "refs/heads/$B"
	same "$(tree_names "$OBS_TREE")" "$(printf '%s\n' .gitignore a '"folder/new\nline"' forced.ign link run.sh swap swapdir/x untracked '"with blank/b \"c\""')"
	same "$(git -C "$W" status --porcelain)" $' M .wisp/config\n?? untracked'
	git -C "$W" checkout -q --detach
	git_observe "$W"
	[[ -z $OBS_REF && -n $OBS_HEAD ]]
}

@test "observe: the ref is found when it is packed, and when there is no commit" {
	plain
	git -C "$P" pack-refs --all
	git_observe "$W"
	same "$OBS_HEAD" "$(git -C "$W" rev-parse HEAD)"
	git init -q "$BATS_TEST_TMPDIR/unborn"
	echo x >"$BATS_TEST_TMPDIR/unborn/x"
	git_observe "$BATS_TEST_TMPDIR/unborn"
	[[ -z $OBS_HEAD && $OBS_REF == refs/heads/main ]]
	same "$(git -C "$BATS_TEST_TMPDIR/unborn" ls-tree --name-only "$OBS_TREE")" x
	git_checkpoint "$BATS_TEST_TMPDIR/unborn" main 1 "$ID"
	git_checkpoint_read "$BATS_TEST_TMPDIR/unborn" main 1
	[[ -z $CK_HEAD && $CK_TREE == "$OBS_TREE" ]]
}

@test "observe: the tree is the same whoever warmed the index, and HEAD's when nothing is left" {
	plain
	git_observe "$W"
	same "$OBS_TREE" "$(git -C "$W" rev-parse 'HEAD^{tree}')"
	echo x >"$W/x"
	git_observe "$W"
	first=$OBS_TREE
	rm "$W/x"
	git_observe "$W"
	echo x >"$W/x"
	git_observe "$W"
	same "$OBS_TREE" "$first"
	rm "$(git -C "$W" rev-parse --git-dir)/wisp.index"
	git_observe "$W"
	same "$OBS_TREE" "$first"
}

# made_now: W has just been made, and nothing is staged in it.
made_now()
{
	git_use "$W"
	git__head
	touch -t 202001010000 "$WT_GIT/index"
	printf '%s\n' "$OBS_HEAD" >"$WT_GIT/wisp.unstaged"
	rm -f "$WT_GIT"/wisp.{index,head}
}

@test "observe: HEAD is asked for what is tracked in spite of an ignore rule where its tree may not be the one that was seen" {
	for GIT_DEFAULT_HASH in sha1 sha256; do
		export GIT_DEFAULT_HASH
		plain
		counting
		made_now
		counted git_observe "$W"
		[[ $calls -eq 2 ]]
		same "$OBS_TREE" "$(git -C "$W" rev-parse 'HEAD^{tree}')"
		# Something is staged, or was, or that is not known.
		made_now
		echo two >"$W/b"
		git -C "$W" add b
		counted git_observe "$W"
		[[ $calls -eq 3 ]]
		made_now
		counted git_observe "$W"
		[[ $calls -eq 3 ]]
		commit 'Two'
		made_now
		rm "$WT_GIT/wisp.unstaged"
		counted git_observe "$W"
		[[ $calls -eq 3 ]]
		echo '*.ign' >"$W/.gitignore"
		echo kept >"$W/forced.ign"
		git -C "$W" add -f forced.ign
		commit 'Forced'
		git -C "$W" reset -q --hard
		made_now
		counted git_observe "$W"
		holds "$OBS_TREE" forced.ign
		rm -rf "$P"
		mkdir "$P"
	done
}

@test "observe: .wisp is left out when it is ignored too" {
	plain
	printf '.wisp\n' >"$W/.gitignore"
	mkdir "$W/.wisp"
	echo x >"$W/.wisp/x"
	echo x >"$W/.wispy"
	git_observe "$W"
	same "$(tree_names "$OBS_TREE")" $'.gitignore\n.wispy\na'
	[[ -z $OBS_NOTE ]]
}

@test "observe: a file that is committed in spite of an ignore rule belongs to the tree" {
	project
	git_observe "$W"
	echo big >"$W/more.ign"
	git -C "$W" add -f more.ign
	git -C "$W" commit -qm 'forced'
	git_observe "$W"
	holds "$OBS_TREE" more.ign
	rm "$W/more.ign"
	git_observe "$W"
	no holds "$OBS_TREE" more.ign
	git -C "$W" mv folder elsewhere
	echo x >"$W/elsewhere/y.ign"
	git -C "$W" add -f elsewhere/y.ign
	git -C "$W" commit -qm 'a folder'
	mv "$W/elsewhere" "$W/folder"
	ln -s folder "$W/elsewhere"
	git_observe "$W"
	holds "$OBS_TREE" elsewhere
	no holds "$OBS_TREE" elsewhere/y.ign
}

@test "observe: same-size edits in the same moment are seen" {
	plain
	for i in 1 2 3 4 5 6 7 8 9; do
		printf '%s' "$i" >"$W/a"
		git_observe "$W"
		same "$(git -C "$W" cat-file blob "$OBS_TREE:a")" "$i"
	done
}

@test "observe: settings that hide changes are of no use to an agent" {
	plain
	for pair in core.ignoreStat=true core.checkStat=minimal core.autocrlf=input core.safecrlf=true \
		core.untrackedCache=true core.splitIndex=true core.quotePath=true add.ignoreErrors=true color.ui=always; do
		git -C "$W" config "${pair%%=*}" "${pair#*=}"
	done
	printf 'dos\r\n' >"$W/dos"
	touch -t 202001010000 "$W/a"
	git_observe "$W"
	echo eno >"$BATS_TEST_TMPDIR/other"
	touch -r "$W/a" "$BATS_TEST_TMPDIR/other"
	mv "$BATS_TEST_TMPDIR/other" "$W/a"
	git_observe "$W"
	same "$(git -C "$W" cat-file blob "$OBS_TREE:a")" eno
	same "$(git -C "$W" cat-file blob "$OBS_TREE:dos" | cksum)" "$(printf 'dos\r\n' | cksum)"
	git_checkpoint "$W" "$B" 1 "$ID"
	rm "$W/dos"
	git_reset_to "$W" "$B" 2 "$ID" 1
	same "$(cksum <"$W/dos")" "$(printf 'dos\r\n' | cksum)"
}

@test "observe: repositories in folders are left out and named, with or without a commit" {
	plain
	mkdir "$W/sub"
	git init -q "$W/sub/no commit"
	git init -q "$W/"$'od*d\nname'
	(cd "$W/"$'od*d\nname' && echo x >f && git add f && git commit -qm x)
	echo x >"$W/sub/no commit/f"
	echo x >"$W/sub/beside"
	for _ in first again; do
		git_observe "$W"
		[[ ${#OBS_NESTED[@]} -eq 2 && -z $OBS_NOTE ]]
		same "${OBS_NESTED[0]}" $'od*d\nname'
		same "${OBS_NESTED[1]}" 'sub/no commit'
		same "$(tree_names "$OBS_TREE")" $'a\nsub/beside'
	done
	rm -rf "$W/sub/no commit/.git" "$W/"$'od*d\nname'
	git_observe "$W"
	[[ ${#OBS_NESTED[@]} -eq 0 ]]
	same "$(tree_names "$OBS_TREE")" $'a\nsub/beside\nsub/no commit/f'
}

@test "observe: thousands of untracked files" {
	plain
	mkdir "$W/many"
	(cd "$W/many" && seq 3000 | xargs touch)
	git_observe "$W"
	[[ $(tree_names "$OBS_TREE" | wc -l) -eq 3001 ]]
	git_observe_since "$W" "$(git -C "$W" rev-parse 'HEAD^{tree}')" "$BATS_TEST_TMPDIR/changed"
	[[ $(tr -dc '\0' <"$BATS_TEST_TMPDIR/changed" | wc -c) -eq 3000 ]]
}

@test "observe: what a kill or a power cut leaves in the git folder is no obstacle" {
	plain
	git_observe "$W"
	tree=$OBS_TREE
	dir=$(git -C "$W" rev-parse --git-dir)
	touch "$dir/wisp.index.lock" "$dir/index.lock" "$dir/HEAD.lock"
	git_observe "$W"
	same "$OBS_TREE" "$tree"
	git -C "$W" commit -q --allow-empty -m x
	: >"$dir/wisp.index"
	git_observe "$W"
	same "$OBS_TREE" "$tree"
	printf 'garbage that is no index at all, long enough to be read as one' >"$dir/wisp.index"
	git_observe "$W"
	same "$OBS_TREE" "$tree"
}

@test "observe: costs one git process, two where something changed, three when HEAD has moved; a checkpoint three" {
	plain
	files_only
	counting
	git_observe "$W"
	counted git_observe "$W"
	[[ $calls -eq 1 ]]
	echo y >"$W/y"
	counted git_observe "$W"
	[[ $calls -eq 2 ]]
	counted git_checkpoint "$W" "$B" 1 "$ID"
	[[ $calls -eq 3 ]]
	echo x >"$W/x"
	commit x
	counted git_observe "$W"
	[[ $calls -eq 3 ]]
}

# A git to be put first in PATH, in $STUB, that counts the library's calls and,
# instead of call number KILL_AT, kills the shell that makes it, and what stands between them.
counting()
{
	STUB=$BATS_TEST_TMPDIR/stub
	export COUNT=$BATS_TEST_TMPDIR/count
	mkdir -p "$STUB"
	cat >"$STUB/git" <<-END
		#!/bin/sh
		read -r n <"\$COUNT"
		echo \$((n + 1)) >"\$COUNT"
		[ \$((n + 1)) -ne "\${KILL_AT:-0}" ] || { kill -KILL "\${KILL_SHELL:-\$PPID}" "\$PPID"; exit 1; }
		exec "$(command -v git)" "\$@"
	END
	chmod +x "$STUB/git"
	echo 0 >"$COUNT"
}

counted() # COMMAND...: runs it with that git first; its calls are in $calls
{
	local PATH=$STUB:$PATH rc=0

	echo 0 >"$COUNT"
	"$@" || rc=$?
	read -r calls <"$COUNT"
	return "$rc"
}

@test "index_tree: empty when nothing is staged or a merge is open, else what is staged" {
	project
	index_tree "$W"
	[[ -z $REPLY ]]
	echo changed >"$W/.wisp/config"
	git -C "$W" add .wisp/config
	echo not staged >"$W/a"
	index_tree "$W"
	[[ -z $REPLY ]]
	git -C "$W" add a
	echo later >"$W/a"
	before=$(git -C "$W" ls-files -s)
	index_tree "$W"
	same "$(git -C "$W" cat-file blob "$REPLY:a")" 'not staged'
	no holds "$REPLY" .wisp
	same "$(git -C "$W" ls-files -s)" "$before"
	git -C "$W" reset -q --hard
	git -C "$W" checkout -q -b side
	echo side >"$W/a" && commit side
	git -C "$W" checkout -q "$B"
	echo here >"$W/a" && commit here
	no git -C "$W" merge -q side
	index_tree "$W"
	[[ -z $REPLY ]]
}

@test "observe: the names that changed since a tree, with anything in them" {
	project
	git_observe "$W"
	from=$OBS_TREE
	rm -r "$W/folder"
	echo x >"$W/"$'tab\there'
	echo x >"$W/'q'"
	git_observe_since "$W" "$from" "$BATS_TEST_TMPDIR/changed"
	same "$(tr '\0' '|' <"$BATS_TEST_TMPDIR/changed")" "'q'|"$'folder/new\nline|tab\there|'
	git_observe_since "$W" "$OBS_TREE" "$BATS_TEST_TMPDIR/changed"
	[[ ! -s $BATS_TEST_TMPDIR/changed ]]
}

@test "look: HEAD alone, and the names of what is uncommitted" {
	project
	git_look "$W" "$BATS_TEST_TMPDIR/names"
	[[ ! -s $BATS_TEST_TMPDIR/names && -z $OBS_TREE ]]
	echo changed >"$W/.wisp/config"
	mkdir "$W/new"
	echo x >"$W/new/"$'a\nb'
	rm "$W/a"
	git -C "$W" mv swap moved
	git_look "$W" "$BATS_TEST_TMPDIR/names"
	same "$(tr '\0' '|' <"$BATS_TEST_TMPDIR/names" | sed 's/moved|//')" $'a|swap|new/a\nb|'
	same "$OBS_REF $OBS_HEAD" "refs/heads/$B $(git -C "$W" rev-parse HEAD)"
}

# --- checkpoints ------------------------------------------------------------

@test "checkpoint: tree, parents, trailer and a fixed author; nothing of the user's moves" {
	project
	echo staged >"$W/a"
	git -C "$W" add a
	echo both >"$W/a"
	echo x >"$W/untracked"
	before=$(state)
	git_observe "$W"
	git_checkpoint "$W" "$B" 7 "$ID"
	same "$(git -C "$W" rev-parse refs/wisp/checkpoints/wisp/job/0007)" "$REPLY"
	same "$(git -C "$W" log -1 --format='%an <%ae> %cn <%ce>|%s|%(trailers:key=Wisp-Step,valueonly)' "$REPLY")" \
		"wisp <wisp@localhost> wisp <wisp@localhost>|wisp checkpoint wisp/job/7|$ID/7"
	same "$(git -C "$W" rev-parse "$REPLY^1")" "$(git -C "$W" rev-parse HEAD)"
	git_checkpoint_read "$W" "$B" 7
	same "$CK_COMMIT $CK_HEAD $CK_TREE" "$(git -C "$W" rev-parse refs/wisp/checkpoints/wisp/job/0007 HEAD | tr '\n' ' ')$OBS_TREE"
	[[ $CK_STAGED == 1 ]]
	same "$(git -C "$W" cat-file blob "$CK_INDEX:a")" staged
	same "$(state)" "$before"
	[[ -z $(git -C "$W" stash list) ]]
}

@test "checkpoint: nothing staged means one parent and HEAD's tree as index" {
	project
	echo staged >"$W/a" && git -C "$W" add a
	git_observe "$W"
	git_checkpoint "$W" "$B" 2 "$ID"
	git_checkpoint_read "$W" "$B" 2
	git -C "$W" update-ref -d "refs/wisp/checkpoints/$B/0002"
	git -C "$W" reset -q
	git_observe "$W"
	git_checkpoint "$W" "$B" 12345 "$ID"
	git_checkpoint_read "$W" "$B" 12345
	[[ -z $CK_STAGED ]]
	same "$CK_INDEX" "$(git -C "$W" rev-parse 'HEAD^{tree}')"
	same "$(git -C "$W" for-each-ref --format='%(refname)' refs/wisp)" refs/wisp/checkpoints/wisp/job/12345
	rc=0
	git_checkpoint_read "$W" "$B" 1 || rc=$?
	[[ $rc -eq 1 && -z $CK_COMMIT ]]
}

@test "checkpoint: a lock that a killed update left is no obstacle, and a repeat replaces it" {
	plain
	files_only
	git_observe "$W"
	git_checkpoint "$W" "$B" 1 "$ID"
	touch "$P/.git/refs/wisp/checkpoints/wisp/job/0001.lock"
	echo x >"$W/x"
	git_observe "$W"
	git_checkpoint "$W" "$B" 1 "$ID"
	git_checkpoint_read "$W" "$B" 1
	same "$CK_TREE" "$OBS_TREE"
}

# In a repository whose configuration wisp has a copy of, as in every session.
known()
{
	SHARED=$BATS_TEST_TMPDIR/shared PROJECT=$P WORKTREE=$W
	mkdir -p "$SHARED/.git-known"
	git_known "$P"
}

# unnamed ROLES [VARIABLE...]: whom git has to be asked for the names of; where it need not, it knows them.
unnamed()
{
	local role

	(
		[[ $# -eq 1 ]] || export "${@:2}"
		known
		same "${UNNAMED[*]-}" "$1"
		for role in AUTHOR COMMITTER; do
			[[ " $1 " == *" $role "* ]] || git -C "$P" var "GIT_${role}_IDENT" >said
		done
	)
}

@test "known: git has to be asked for a name to commit with where nobody has given one" {
	plain
	git config --global --unset user.name
	git config --global --unset user.email
	unnamed 'AUTHOR COMMITTER'
	unnamed COMMITTER GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.org
	git -C "$P" config user.email u@example.org
	unnamed 'AUTHOR COMMITTER'
	git -C "$P" config Author.Name A
	unnamed COMMITTER
	git -C "$P" config user.name U
	unnamed ''
	unnamed AUTHOR GIT_AUTHOR_NAME=
	unnamed COMMITTER GIT_COMMITTER_DATE=someday
	git -C "$P" config --add user.name '.,;'
	unnamed COMMITTER
	git -C "$P" config --add user.name ''
	unnamed COMMITTER
	git -C "$P" config --add user.name 'Ünal'
	unnamed ''
	git -C "$P" config --add user.email ''
	unnamed 'AUTHOR COMMITTER'
}

# What a commit says, but for when it was made.
undated()
{
	git -C "$W" cat-file commit "$1" | sed -e '/^author/s/[0-9]* +0000$//' -e '/^committer/s/[0-9]* +0000$//'
}

@test "checkpoint: where the configuration is known it is written as git would, and git has one call, two where something changed" {
	files_only
	for GIT_DEFAULT_HASH in sha1 sha256; do
		export GIT_DEFAULT_HASH
		plain
		known
		git_observe "$W"
		git_checkpoint "$W" "$B" 1 "$ID"
		echo x >"$W/x"
		counting
		counted git_observe_since "$W" "$OBS_TREE" names "$B" 2 "$ID"
		[[ $calls -eq 2 ]]
		same "$(tr '\0' '\n' <names)" x
		same "$REPLY" "$(git -C "$W" rev-parse "refs/wisp/checkpoints/$B/0002")"
		same "$(git -C "$W" cat-file commit "$REPLY" | git -C "$W" hash-object -t commit --stdin)" "$REPLY"
		written=$(undated "$REPLY")
		tree=$OBS_TREE
		counted git_observe_since "$W" "$OBS_TREE" names "$B" 3 "$ID"
		[[ $calls -eq 1 && ! -s names ]]
		same "$OBS_TREE" "$tree"
		# The same by git itself, since the date is set.
		GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' counted git_checkpoint "$W" "$B" 2 "$ID"
		[[ $calls -eq 2 ]]
		same "$(undated "$REPLY")" "$written"
		git -C "$W" fsck --strict --no-dangling >said 2>&1
		[[ -z $(find "$P/.git/objects" "$P/.git/refs" -name 'tmp_obj*' -o -name '*.lock') ]]
		rm -rf "$P" "$SHARED"
		mkdir "$P"
	done
}

@test "checkpoint: git writes it where objects are shared, or each ref has a log, and looks where another ref may be in the way" {
	files_only
	plain
	known
	counting
	git_observe "$W"
	index_tree "$W"
	counted git_checkpoint "$W" "$B" 1 "$ID"
	[[ $calls -eq 0 ]]
	git -C "$P" update-ref refs/wisp/checkpoints/issue/0042 HEAD
	git -C "$P" pack-refs --all
	no git_checkpoint "$W" issue/0042 1 "$ID"
	git_checkpoint "$W" "$B" 1 "$ID"
	for pair in core.sharedRepository=group core.logAllRefUpdates=always; do
		git -C "$P" config "${pair%%=*}" "${pair#*=}"
		git_known "$P"
		counted git_checkpoint "$W" "$B" 3 "$ID"
		[[ $calls -eq 2 ]]
		git -C "$P" config --unset-all "${pair%%=*}"
	done
	rm -rf "$P/.git/logs/refs/wisp"
	git_known "$P"
	# A repeat replaces it, whatever stands there.
	git -C "$W" symbolic-ref "refs/wisp/checkpoints/$B/0004" refs/heads/main
	before=$(git -C "$W" rev-parse main)
	counted git_checkpoint "$W" "$B" 4 "$ID"
	[[ $calls -eq 0 ]]
	same "$(cat "$P/.git/refs/wisp/checkpoints/$B/0004")" "$REPLY"
	same "$(git -C "$W" rev-parse main)" "$before"
	# What git has packed it vouches for.
	git -C "$P" gc -q --prune=now
	git_observe "$W"
	git_checkpoint "$W" "$B" 5 "$ID"
	same "$(git -C "$W" rev-parse "refs/wisp/checkpoints/$B/0005^{tree}")" "$OBS_TREE"
}

# since STATEMENT: what it changes in W, by the names that git_observe_since says, and by git.
since()
{
	local tree=$OBS_TREE

	(cd "$W" && bash -c "$1")
	git_observe_since "$W" "$tree" names
	same "$(tr '\0' '\n' <names)" "$(git -C "$W" diff-tree -r --name-only -z --no-renames "$tree" "$OBS_TREE" | tr '\0' '\n')"
	same "$OBS_TREE" "$(cd "$W" && GIT_INDEX_FILE=$BATS_TEST_TMPDIR/fresh sh -c 'rm -f "$GIT_INDEX_FILE"; git read-tree HEAD; git add -A; git write-tree')"
}

@test "observe_since: the names are those that git sees, with anything in them" {
	plain
	git_observe "$W"
	since 'echo x >b; mkdir "with blank"; echo x >"with blank/c"; echo two >a'
	since ':'
	since 'rm b'
	since 'rm a; mkdir a; echo x >a/file'
	since 'rm -r a; echo file >a; chmod +x a'
	since $'echo x >"q\'uote"; echo x >\'d"ouble\'; echo x >$\'new\\nline\''
	since $'echo x >$\'a\\\'\\nadd \\\'b\''
	since $'rm $\'a\\\'\\nadd \\\'b\'; echo x >z; echo x >y'
	since 'echo x >cafÃ©; ln -s nowhere link'
	# An index that is not the one that was looked at says nothing.
	touch "$W/more"
	GIT_INDEX_FILE=$(git -C "$W" rev-parse --git-dir)/wisp.index git -C "$W" add more
	since ':'
	git -C "$W" config index.version 4
	rm "$(git -C "$W" rev-parse --git-dir)/wisp.index"
	since 'echo x >four'
	since 'echo x >five'
}

@test "prune: the newest and checkpoint 0 stay, in order of number, for this branch only" {
	plain
	files_only
	git_observe "$W"
	for n in 0 1 2 9998 9999 10000; do
		git_checkpoint "$W" "$B" "$n" "$ID"
	done
	git_checkpoint "$W" other 1 "$ID"
	for n in 1 2 3; do
		git -C "$W" update-ref "refs/wisp/failed/$B/000$n" HEAD
	done
	git -C "$P" pack-refs --all
	git_checkpoint "$W" "$B" 10001 "$ID"
	git_refs_prune "$W" "$B" 2
	[[ $(git -C "$W" for-each-ref refs/wisp | wc -l) -eq 11 ]]
	git_checkpoint "$W" "$B" 10002 "$ID"
	git_checkpoint "$W" "$B" 10003 "$ID"
	git_refs_prune "$W" "$B" 2
	same "$(git -C "$W" for-each-ref --format='%(refname)' refs/wisp | sed 's,refs/wisp/,,')" \
		"$(printf '%s\n' checkpoints/other/0001 "checkpoints/$B/0000" "checkpoints/$B/10002" "checkpoints/$B/10003" "failed/$B/0002" "failed/$B/0003")"
	counting
	counted git_refs_prune "$W" "$B" 2
	[[ $calls -eq 0 ]]
}

@test "drop: every ref of the branch, and no other" {
	plain
	git_observe "$W"
	git_checkpoint "$W" "$B" 1 "$ID"
	git_checkpoint "$W" "$B" 2 "$ID"
	git_checkpoint "$W" other 1 "$ID"
	git -C "$W" update-ref "refs/wisp/failed/$B/0001" HEAD
	git_refs_drop "$W" "$B"
	same "$(git -C "$W" for-each-ref --format='%(refname)' refs/wisp)" refs/wisp/checkpoints/other/0001
	git_refs_drop "$W" "$B"
	[[ -z $(ls "$P/.git/worktrees"/*/wisp.* 2>/dev/null) ]]
}

# --- putting away -----------------------------------------------------------

# A checkpoint with uncommitted work of every kind in it.
good_step()
{
	project
	echo good >"$W/a"
	git -C "$W" add a
	echo better >"$W/a"
	echo x >"$W/notes"
	rm "$W/run.sh"
	echo secret >"$W/private.ign"
	git_observe "$W"
	git_checkpoint "$W" "$B" 3 "$ID"
}

# What a bad step does to it.
bad_step()
{
	rm -r "$W/a" "$W/swap" "$W/swapdir" "$W/folder" "$W/link"
	mkdir "$W/swap" "$W/a"
	echo bad >"$W/swap/inside"
	echo bad >"$W/swapdir"
	echo bad >"$W/a/inside"
	ln -s nowhere "$W/notes.link"
	chmod +x "$W/notes"
	mkdir "$W/lib"
	echo bad >"$W/lib/"$'two\nlines'
	mkdir "$W/empty"
	git -C "$W" add swap
}

@test "reset_to: everything is exactly as at the checkpoint, all else is saved" {
	good_step
	before=$(state)
	head=$(git -C "$W" rev-parse HEAD)
	bad_step
	commit bad
	tip=$(git -C "$W" rev-parse HEAD)
	echo more >"$W/more"
	git_reset_to "$W" "$B" 4 "$ID" 3
	same "$(state)" "$before"
	same "$REPLY" "$CK_TREE"
	same "$(git -C "$W" rev-parse HEAD)" "$head"
	same "$PUT_REF" "refs/wisp/failed/$B/0004"
	same "$(git -C "$W" rev-parse "$PUT_REF^1")" "$tip"
	same "$(git -C "$W" cat-file blob "$PUT_REF:more")" more
	same "$(git -C "$W" cat-file blob "$PUT_REF:a/inside")" bad
	[[ ! -e $W/empty && -f $W/private.ign ]]
	[[ -z $(git -C "$P" stash list) && -z $(git -C "$P" status --porcelain) ]]
}

@test "put_away: without commits it is the checkpoint exactly, index included" {
	good_step
	before=$(state)
	bad_step
	git_put_away "$W" "$B" 4 "$ID" 3
	same "$(state)" "$before"
	[[ -z $PUT_COMMITS ]]
	same "$(git -C "$W" cat-file blob "$PUT_REF:swap/inside")" bad
}

@test "put_away: commits stay, and of what was uncommitted what they did not touch" {
	good_step
	git -C "$W" reset -q
	git -C "$W" add a && git -C "$W" commit -qm 'a, committed by the bad step'
	echo two >"$W/new" && git -C "$W" add new && git -C "$W" commit -qm 'second "one"'
	head=$(git -C "$W" rev-parse HEAD)
	echo mess >"$W/a"
	echo mess >"$W/notes"
	rm "$W/new" "$W/swap"
	git_put_away "$W" "$B" 4 "$ID" 3
	same "$(git -C "$W" rev-parse HEAD)" "$head"
	same "$PUT_COMMITS" "$(git -C "$W" log -2 --format='%H %s')"
	same "$(cat "$W/a" "$W/notes" "$W/new" "$W/swap")" $'better\nx\ntwo\nfour'
	same "$(git -C "$W" status --porcelain)" $' D run.sh\n?? notes'
	same "$(git -C "$W" diff --cached --name-only)" ''
	same "$(git -C "$W" cat-file blob "$PUT_REF:a")" mess
	git_observe "$W"
	same "$OBS_TREE" "$PUT_TREE"
}

@test "put_away: where a commit and uncommitted work touch the same, the commit has it" {
	project
	rm -r "$W/swapdir"
	echo file >"$W/swapdir"
	echo up >"$W/a"
	mkdir "$W/new" "$W/here"
	echo u >"$W/new/u"
	echo u >"$W/here/u"
	echo u >"$W/there"
	rm "$W/link"
	echo u >"$W/same"
	echo u >"$W/swap"
	git_observe "$W"
	git_checkpoint "$W" "$B" 3 "$ID"
	git -C "$W" checkout -q .
	git -C "$W" clean -fdq
	rm -r "$W/a"
	mkdir "$W/a" "$W/there"
	echo c >"$W/a/c"
	echo c >"$W/new"
	echo c >"$W/there/c"
	echo u >"$W/same"
	echo c >"$W/run.sh"
	rm "$W/swap"
	commit committed
	git_put_away "$W" "$B" 4 "$ID" 3
	same "$(git -C "$W" status --porcelain -uall)" $' D link\n D swapdir/x\n?? here/u\n?? swapdir'
	same "$(cat "$W/a/c" "$W/new" "$W/there/c" "$W/run.sh" "$W/swapdir" "$W/same")" $'c\nc\nc\nc\nfile\nu'
	[[ ! -e $W/swap ]]
}

@test "put_away: a folder that became a file, and a commit put a file into it" {
	project
	rm -r "$W/swapdir"
	echo file >"$W/swapdir"
	git_observe "$W"
	git_checkpoint "$W" "$B" 3 "$ID"
	rm "$W/swapdir"
	git -C "$W" checkout -q .
	mkdir "$W/swapdir/deep"
	echo c >"$W/swapdir/new"
	echo c >"$W/swapdir/deep/new"
	commit committed
	git_put_away "$W" "$B" 4 "$ID" 3
	same "$(cat "$W/swapdir/new" "$W/swapdir/deep/new")" $'c\nc'
}

@test "put_away: a step that rewrote earlier commits has them back" {
	project
	echo 2 >"$W/second" && commit second
	git_observe "$W"
	git_checkpoint "$W" "$B" 3 "$ID"
	before=$(state)
	git -C "$W" reset -q --hard HEAD~1
	echo 3 >"$W/third" && commit third
	git_put_away "$W" "$B" 4 "$ID" 3
	same "$(state)" "$before"
	[[ -z $PUT_COMMITS ]]
	same "$(git -C "$W" log -1 --format=%s "$PUT_REF^1")" third
}

@test "put_away: without that checkpoint nothing is done" {
	plain
	echo x >"$W/x"
	rc=0
	git_put_away "$W" "$B" 4 "$ID" 3 || rc=$?
	[[ $rc -eq 1 && -f $W/x && -z $(git -C "$W" for-each-ref refs/wisp) ]]
}

@test "put_away: litter that the step hid by an ignore rule goes, and is saved" {
	good_step
	before=$(state)
	printf 'litter\nprivate.ign\n' >"$W/.gitignore"
	mkdir -p "$W/litter" "$W/lib"
	echo junk >"$W/litter/junk"
	printf 'hidden\n' >"$W/lib/.gitignore"
	echo junk >"$W/lib/hidden"
	echo work >"$W/lib/work"
	git_put_away "$W" "$B" 4 "$ID" 3
	same "$(state)" "$before"
	git -C "$W" cat-file -e "$PUT_REF:litter/junk"
	git -C "$W" cat-file -e "$PUT_REF:lib/hidden"
	git -C "$W" cat-file -e "$PUT_REF^2:lib/work"
}

@test "put_away: ignore rules behind a symbolic link that was a folder" {
	project
	echo '*.tmp' >"$W/folder/.gitignore"
	commit rules
	git_observe "$W"
	git_checkpoint "$W" "$B" 3 "$ID"
	before=$(state)
	mkdir "$BATS_TEST_TMPDIR/outside"
	echo mine >"$BATS_TEST_TMPDIR/outside/.gitignore"
	rm -r "$W/folder"
	ln -s "$BATS_TEST_TMPDIR/outside" "$W/folder"
	git_put_away "$W" "$B" 4 "$ID" 3
	same "$(state)" "$before"
	same "$(cat "$BATS_TEST_TMPDIR/outside/.gitignore")" mine
}

@test "put_away: nothing is removed where something could not be saved" {
	good_step
	counting
	sed "s/^exec/case \"\$*\" in *' add -A '*) echo 'error: open: Permission denied' >\&2; exit 1 ;; esac\n&/" "$STUB/git" >"$STUB/new"
	mv "$STUB/new" "$STUB/git"
	chmod +x "$STUB/git"
	echo precious >"$W/precious"
	rc=0
	counted git_put_away "$W" "$B" 4 "$ID" 3 2>"$BATS_TEST_TMPDIR/err" || rc=$?
	[[ $rc -eq 111 && -f $W/precious ]]
	same "$(cat "$BATS_TEST_TMPDIR/err")" "wisp: cannot save all of '$W': error: open: Permission denied"
}

@test "put_away: an index that is torn, and a checkpoint whose ref is gone" {
	good_step
	git_checkpoint_read "$W" "$B" 3
	git -C "$W" update-ref -d "refs/wisp/checkpoints/$B/0003"
	printf 'this was an index once, long enough to be read as one' >"$(git -C "$W" rev-parse --git-dir)/index"
	echo bad >"$W/bad"
	git_put_away "$W" "$B" 4 "$ID" "$CK_COMMIT" 2>/dev/null
	same "$(git -C "$W" status --porcelain)" $'MM a\n D run.sh\n?? notes'
	holds "$PUT_REF" bad
}

@test "put_away: what only the old rules ignore is not touched" {
	good_step
	before=$(state)
	: >"$W/.gitignore"
	echo bad >"$W/bad.ign"
	git_put_away "$W" "$B" 4 "$ID" 3
	same "$(cat "$W/private.ign")" secret
	rm "$W/bad.ign"
	same "$(state)" "$before"
}

@test "put_away: a repository the step made goes and its files are saved; one that was there stays" {
	plain
	git init -q "$W/theirs[1]"
	echo x >"$W/theirs[1]/x"
	git_observe "$W"
	git_checkpoint "$W" "$B" 3 "$ID"
	git_checkpoint_read "$W" "$B" 3
	same "${CK_NESTED[0]}" 'theirs[1]'
	git init -q "$W/deep/100%"$'\nnew'
	echo y >"$W/deep/100%"$'\nnew/y'
	git_put_away "$W" "$B" 4 "$ID" 3
	[[ -f "$W/theirs[1]/x" && -d "$W/theirs[1]/.git" && ! -e $W/deep ]]
	same "$(git -C "$W" cat-file blob "$PUT_REF:deep/100%"$'\nnew/y')" y
	no holds "$PUT_REF" 'theirs[1]'
	git init -q "$W/100%0A"$'\nnew'
	git_observe "$W"
	git_checkpoint "$W" "$B" 5 "$ID"
	git_checkpoint_read "$W" "$B" 5
	same "${CK_NESTED[0]}" "100%0A"$'\nnew'
}

@test "reset_to: replaced objects do not come back in place of the real ones" {
	good_step
	before=$(state)
	git -C "$W" replace "$(git -C "$W" rev-parse HEAD:swap)" "$(echo evil | git -C "$W" hash-object -w --stdin)"
	rm "$W/swap"
	git_reset_to "$W" "$B" 4 "$ID" 3
	same "$(cat "$W/swap")" four
	git -C "$W" replace -d "$(git -C "$W" rev-parse HEAD:swap)"
	same "$(state)" "$before"
}

@test "put_away: a merge, a rebase or an autostash that was half done" {
	project
	git -C "$W" checkout -q -b side
	echo side >"$W/a" && commit side
	git -C "$W" checkout -q "$B"
	echo here >"$W/a" && commit here
	git_observe "$W"
	git_checkpoint "$W" "$B" 3 "$ID"
	before=$(state)
	no git -C "$W" merge -q side
	git_put_away "$W" "$B" 4 "$ID" 3
	same "$(state)" "$before"
	[[ ! -e $(git -C "$W" rev-parse --git-dir)/MERGE_HEAD ]]
	git -C "$W" cat-file blob "$PUT_REF:a" | grep '<<<<<<<'
	echo aside >"$W/swap"
	no git -C "$W" rebase -q --autostash side 2>/dev/null
	git_put_away "$W" "$B" 5 "$ID" 3
	same "$(state)" "$before"
	[[ $(git -C "$W" status) != *rebas* ]]
	git -C "$W" log --format=%H "$PUT_REF" | while read -r id; do
		git -C "$W" cat-file blob "$id:swap" 2>/dev/null || :
	done | grep -x aside
}

@test "put_away: what was staged and then changed is saved too" {
	plain
	git_observe "$W"
	git_checkpoint "$W" "$B" 3 "$ID"
	echo staged >"$W/a"
	git -C "$W" add a
	echo later >"$W/a"
	git_put_away "$W" "$B" 4 "$ID" 3
	same "$(git -C "$W" cat-file blob "$PUT_REF^2:a")" staged
	same "$(git -C "$W" status --porcelain)" ''
}

@test "put_away: commits on another branch, a detached HEAD or a deleted branch are not lost" {
	good_step
	before=$(state)
	echo on B >"$W/onb" && git -C "$W" add onb && git -C "$W" commit -qm 'on B' onb
	onb=$(git -C "$W" rev-parse HEAD)
	git -C "$W" checkout -q --detach HEAD~1
	echo detached >"$W/det" && git -C "$W" add det && git -C "$W" commit -qm detached det
	det=$(git -C "$W" rev-parse HEAD)
	git_reset_to "$W" "$B" 4 "$ID" 3
	same "$(state)" "$before"
	git -C "$W" merge-base --is-ancestor "$onb" "$PUT_REF"
	git -C "$W" merge-base --is-ancestor "$det" "$PUT_REF"
	git -C "$W" checkout -q --detach
	git -C "$W" branch -q -D "$B"
	git_reset_to "$W" "$B" 5 "$ID" 3
	same "$(state)" "$before"
}

@test "restore_always: repeated with nothing new the ref stays; with something new the old one is a parent" {
	plain
	echo x >"$W/x"
	put_away_id 4
	first=$REPLY
	put_away_id 4
	same "$REPLY" "$first"
	echo y >"$W/x"
	put_away_id 4
	[[ $REPLY != "$first" ]]
	same "$(git -C "$W" rev-parse "$REPLY^2")" "$first"
	same "$(git -C "$W" rev-parse "$REPLY^1")" "$(git -C "$W" rev-parse HEAD)"
	same "$(git -C "$W" cat-file blob "$REPLY:x")" y
}

# HOW SETUP: killed before each of its git calls in turn and then repeated, HOW
# ends in the state that it ends in undisturbed, and what it saved is the same.
# In a shell of its own, where bats does not trace each command.
killed_anywhere()
{
	export W B P ID BATS_TEST_DIRNAME BATS_TEST_TMPDIR
	counting
	"$2"
	cp -a "$P" "$BATS_TEST_TMPDIR/master"
	STUB=$STUB bash -euo pipefail -c "$(declare -f files state same saved_files kill_each git_fallback_commit); $(declare -f "$1" || :); kill_each $1" 2>&1
}

kill_each()
{
	local want saved k=0 rc

	source "$ROOT/libexec/lib/git.bash"
	# shellcheck disable=SC2163  # the name is in it
	export -f "$1" git_fallback_commit
	"$1" "$W" "$B" 4 "$ID" 3
	want=$(state)
	saved=$(saved_files)
	while :; do
		k=$((k + 1)) rc=0
		rm -rf "$P"
		cp -a "$BATS_TEST_TMPDIR/master" "$P"
		echo 0 >"$COUNT"
		PATH=$STUB:$PATH KILL_AT=$k bash -euo pipefail -c 'export KILL_SHELL=$$ && source "$ROOT/libexec/lib/git.bash" && shift && "$@"' - \
			"$BATS_TEST_DIRNAME" "$1" "$W" "$B" 4 "$ID" 3 2>/dev/null || rc=$?
		[[ $rc -ne 0 ]] || break
		[[ $rc -eq 137 ]]
		"$1" "$W" "$B" 4 "$ID" 3
		same "$(state)" "$want"
		same "$(saved_files)" "$saved"
	done
	[[ $k -gt 10 ]]
}

# Every file that can be had from what was put away.
saved_files()
{
	git -C "$W" rev-parse -q --verify "refs/wisp/failed/$B/0004" >/dev/null || return 0
	git -C "$W" rev-list --objects "refs/wisp/failed/$B/0004" "^refs/wisp/checkpoints/$B/0003^1" |
		git -C "$W" cat-file --batch-check='%(objecttype) %(objectname) %(rest)' | grep '^blob' | sort
}

bad_step_commits()
{
	good_step
	echo c >"$W/notes" && git -C "$W" add notes && git -C "$W" commit -qm commit notes
	bad_step
}

bad_step_hides()
{
	good_step
	echo c >"$W/notes" && git -C "$W" add notes && git -C "$W" commit -qm commit notes
	git -C "$W" checkout -q --detach
	printf 'litter\n' >"$W/.gitignore"
	echo junk >"$W/litter"
}

@test "killed: put_away, before each git call" { killed_anywhere git_put_away bad_step_commits; }

@test "killed: put_away with changed ignore rules and a detached HEAD" { killed_anywhere git_put_away bad_step_hides; }

@test "killed: reset_to, before each git call" { killed_anywhere git_reset_to bad_step_commits; }

# A commit instead, with the time fixed so that its id tells whether it is the same.
commit_for_agent()
{
	export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000'
	printf 'Did it\n' >"$BATS_TEST_TMPDIR/message"
	git_fallback_commit "$1" "$2" "$BATS_TEST_TMPDIR/message" "Wisp-Step: $4/$3"
}

@test "killed: fallback commit, before each git call" {
	killed_anywhere commit_for_agent good_step
}

@test "killed: every lock that git may have held is cleared" {
	bad_step_commits
	files_only
	dir=$(git -C "$W" rev-parse --git-dir)
	put_away_id 4
	git -C "$W" checkout -q --detach
	git init -q "$W/nested"
	echo precious >"$W/nested/precious"
	touch "$dir/wisp.index.lock" "$dir/wisp.temp.lock" "$dir/wisp.nested.lock" "$dir/index.lock" "$dir/HEAD.lock" \
		"$dir/AUTO_MERGE.lock" "$P/.git/refs/heads/$B.lock" "$P/.git/refs/wisp/failed/$B/0004.lock"
	git_reset_to "$W" "$B" 4 "$ID" 3
	git -C "$W" merge-base --is-ancestor HEAD "$CK_HEAD"
	holds "$PUT_REF" nested/precious
	[[ ! -e $dir/AUTO_MERGE.lock ]]
}

@test "reset_to: after put_away, where verify failed on what stayed: one commit has all" {
	bad_step_commits
	git_put_away "$W" "$B" 4 "$ID" 3
	[[ -n $PUT_COMMITS ]]
	first=$(git -C "$W" rev-parse "$PUT_REF")
	git_reset_to "$W" "$B" 4 "$ID" 3
	same "$(git -C "$W" rev-parse "$PUT_REF")" "$first"
	same "$(git -C "$W" log -1 --format=%s "$PUT_REF^1")" commit
	same "$(git -C "$W" rev-parse HEAD)" "$CK_HEAD"
	git_observe "$W"
	same "$OBS_TREE" "$CK_TREE"
}

@test "killed: half a restored tree is no news, a person's edit is" {
	bad_step_commits
	cp -a "$P" "$BATS_TEST_TMPDIR/before"
	git_reset_to "$W" "$B" 4 "$ID" 3
	first=$(git -C "$W" rev-parse "$PUT_REF")
	mv "$P" "$BATS_TEST_TMPDIR/after"
	mv "$BATS_TEST_TMPDIR/before" "$P"
	git -C "$P" fetch -q "$BATS_TEST_TMPDIR/after" '+refs/wisp/failed/*:refs/wisp/failed/*'
	rm -r "$W/swap" "$W/swapdir"	# as far as it came
	echo four >"$W/swap"
	git_reset_to "$W" "$B" 4 "$ID" 3
	same "$(git -C "$W" rev-parse "$PUT_REF")" "$first"
	echo mine >"$W/mine"
	git_reset_to "$W" "$B" 4 "$ID" 3
	same "$(git -C "$W" rev-parse "$PUT_REF^2")" "$first"
	same "$(git -C "$W" cat-file blob "$PUT_REF:mine")" mine
}

@test "restore_always: what a good step left uncommitted goes, its checkpoint has it" {
	good_step
	git_restore_always "$W" "$B" 4 "$ID" 3
	same "$(git -C "$W" status --porcelain)" ''
	[[ -z $PUT_REF && ! -e $W/notes && -f $W/private.ign && -x $W/run.sh ]]
	same "$REPLY" "$PUT_TREE"
	echo unsaved >"$W/late"
	git_restore_always "$W" "$B" 4 "$ID" 3
	same "$(git -C "$W" cat-file blob "$PUT_REF:late")" unsaved
	[[ ! -e $W/late ]]
	echo unsaved >"$W/late"
	git_restore_always "$W" "$B" 6 "$ID" 99
	same "$(git -C "$W" cat-file blob "refs/wisp/failed/$B/0006:late")" unsaved
}

@test "in place: the main checkout's own files, .wisp and its index lock are left alone" {
	project
	B=main
	echo dirt >"$P/dirt"
	echo dirt >"$P/a"
	git -C "$P" add a
	git_observe "$P"
	no git -C "$P" cat-file -e "$OBS_TREE:.wisp" 2>/dev/null
	git_checkpoint "$P" main 0 "$ID"
	before=$(git -C "$P" status --porcelain; git -C "$P" ls-files -s)
	echo bad >"$P/dirt"
	echo bad >"$P/bad"
	mkdir "$P/.wisp/sessions"
	echo keep >"$P/.wisp/sessions/x"
	echo changed >>"$P/.wisp/config"
	touch "$P/.git/index.lock"
	rc=0
	git_put_away "$P" main 1 "$ID" 0 2>/dev/null || rc=$?
	[[ $rc -eq 111 && -e $P/.git/index.lock ]]
	rm "$P/.git/index.lock"
	git_put_away "$P" main 1 "$ID" 0
	same "$(cat "$P/dirt" "$P/.wisp/sessions/x" "$P/.wisp/config")" $'dirt\nkeep\n[limits]\nchanged'
	git -C "$P" checkout -q .wisp/config
	same "$(git -C "$P" status --porcelain; git -C "$P" ls-files -s)" "$before"
	[[ -f $W/a && ! -e $P/bad ]]
}

# --- home -------------------------------------------------------------------

@test "home: nothing to do where HEAD is on the branch" {
	plain
	git_home "$W" "$B"
	[[ -z $REPLY ]]
}

@test "home: a detached HEAD and another branch, with and without commits that build on B" {
	plain
	git -C "$W" checkout -q --detach
	git_home "$W" "$B"
	same "$REPLY" "HEAD was detached and is back on '$B'"
	git -C "$W" checkout -q -b other
	echo x >"$W/x" && commit x
	echo left >"$W/left"
	tip=$(git -C "$W" rev-parse HEAD)
	git_home "$W" "$B"
	same "$REPLY" "HEAD was on 'other' and is back on '$B', which moved on to ${tip:0:12}"
	same "$(git -C "$W" rev-parse "$B" other HEAD | sort -u)" "$tip"
	same "$(git -C "$W" symbolic-ref HEAD; git -C "$W" status --porcelain)" "refs/heads/$B"$'\n?? left'
	git -C "$W" checkout -q --orphan elsewhere
	git -C "$W" commit -q -m unrelated
	git_home "$W" "$B"
	[[ $REPLY == "HEAD was on 'elsewhere' and is back on '$B', which stays at ${tip:0:12}: "* ]]
	same "$(git -C "$W" rev-parse HEAD)" "$tip"
}

@test "home: a rebase that was half done is no more" {
	plain
	git -C "$W" checkout -q -b side
	echo side >"$W/a" && commit side
	git -C "$W" checkout -q "$B"
	echo here >"$W/a" && commit here
	no git -C "$W" rebase -q side 2>/dev/null
	git_home "$W" "$B"
	[[ $REPLY == 'HEAD was detached and is back on '* ]]
	[[ $(git -C "$W" status) != *rebas* ]]
}

@test "home: a branch that was deleted is made again" {
	plain
	git -C "$W" branch -q -m moved
	git_home "$W" "$B"
	[[ $REPLY == *"which was made again"* ]]
	same "$(git -C "$W" symbolic-ref HEAD)" "refs/heads/$B"
	git -C "$W" rev-parse -q --verify moved
}

# --- fallback commit --------------------------------------------------------

fallback() # [SKIP]
{
	printf 'Add the thing\n\nIts "second" line\n# kept\n' >"$BATS_TEST_TMPDIR/message"
	git_fallback_commit "$W" "$B" "$BATS_TEST_TMPDIR/message" "Wisp-Step: $ID/5" "${1-}"
}

@test "fallback: commits all but .wisp and ignored files, as the user, with message and trailer" {
	project
	echo staged >"$W/a" && git -C "$W" add a
	echo later >"$W/a"
	echo force >"$W/forced too.ign" && git -C "$W" add -f 'forced too.ign'
	echo no >"$W/no.ign"
	echo x >"$W/"$'new\n*file'
	rm "$W/swap" "$W/link"
	echo changed >"$W/.wisp/config" && git -C "$W" add .wisp/config
	fallback
	same "$REPLY" "$(git -C "$W" rev-parse "refs/heads/$B")"
	same "$(git -C "$W" log -1 --format='%an <%ae>|%cn|%B')" "A User <user@example.com>|A User|Add the thing

Its \"second\" line
# kept

Wisp-Step: $ID/5"
	same "$(git -C "$W" diff --name-status HEAD~1 HEAD)" $'M\ta\nA\tforced too.ign\nD\tlink\nA\t"new\\n*file"\nD\tswap'
	same "$(git -C "$W" status --porcelain)" 'M  .wisp/config'
	same "$(git -C "$W" cat-file blob HEAD:a)" later
	commit=$REPLY
	fallback
	same "$(git -C "$W" rev-parse HEAD)" "$commit"
	same "$REPLY" ''
	echo more >"$W/more"
	fallback
	same "$(git -C "$W" diff --name-only "$commit" "$REPLY")" more
}

@test "fallback: costs three git processes, one more the first time, and six more where something stays as it is" {
	plain
	files_only
	counting
	printf 'Did it\n' >message
	for n in 1 2 3; do
		echo "$n" >"$W/b$n"
		echo "$n" >"$W/own"
		git_work "$W"
		printf 'own\0' >skip
		[[ $n == 3 ]] || : >skip
		counted git_fallback_commit "$W" "$B" message "Wisp-Step: $ID/$n" skip "$OBS_TREE"
		same "$(git -C "$W" rev-parse HEAD)" "$REPLY"
		case $n in
		1) same "$(git -C "$W" rev-parse 'HEAD^{tree}')" "$OBS_TREE" && [[ $calls -eq 4 ]] ;;
		2) same "$(git -C "$W" rev-parse 'HEAD^{tree}')" "$OBS_TREE" && [[ $calls -eq 3 ]] ;;
		3) same "$(git -C "$W" show HEAD:own)" 2 && [[ $calls -eq 9 ]] ;;
		esac
	done
}

# The index by git: nothing may differ but for what the argument says.
index_is() # WHAT...
{
	same "$(git -C "$W" diff-index --cached --name-status HEAD)" "${1-}"
	same "$(git -C "$W" diff-files --name-status)" "${2-}"
}

@test "fallback: the index becomes the one that the work tree was seen with, and a change that its times hide is seen" {
	plain
	git -C "$W" config core.trustctime false
	dir=$(git -C "$W" rev-parse --git-dir)
	touch -t 202001010000 "$BATS_TEST_TMPDIR/then"
	echo two >"$W/a"
	echo x >message
	touch -r "$BATS_TEST_TMPDIR/then" "$W/a"
	git_work "$W"
	touch -r "$BATS_TEST_TMPDIR/then" "$dir/wisp.index"
	git_fallback_commit "$W" "$B" message "Wisp-Step: $ID/1" '' "$OBS_TREE"
	cmp "$dir/index" "$dir/wisp.index"
	index_is
	echo new >"$W/a"
	touch -r "$BATS_TEST_TMPDIR/then" "$W/a"
	index_is '' $'M\ta'
	# Nothing that is only in the index is lost, nor a flag of a person's.
	for act in 'mkdir -p .wisp; echo x >.wisp/x; git add -f .wisp/x' 'echo x >new; git add new; rm new' 'git update-index --assume-unchanged a'; do
		(cd "$W" && bash -c "$act")
		echo "$act" >"$W/b"
		git_work "$W"
		git_fallback_commit "$W" "$B" message "Wisp-Step: $ID/1" '' "$OBS_TREE"
	done
	git -C "$W" ls-files -v >said
	grep '^h a$' said
	index_is $'A\t.wisp/x\nA\tnew' $'D\tnew'
}

@test "staged: found without git where there is nothing, and by git where there is" {
	project
	files_only
	git_observe "$W"
	n=0
	while IFS='|' read -r staged asked act; do
		n=$((n + 1))
		git -C "$W" reset -q --hard
		git -C "$W" clean -fdq
		(cd "$W" && bash -c "$act")
		rm -f "$BATS_TEST_TMPDIR/trace"
		GIT_TRACE=$BATS_TEST_TMPDIR/trace git_observe_since "$W" "$OBS_TREE" names "$B" "$n" "$ID"
		same "$act: $(grep -c diff-index "$BATS_TEST_TMPDIR/trace")" "$act: $asked"
		same "$act: $(git -C "$W" diff-index --cached --quiet HEAD -- "${GIT_NO_WISP[@]}"; echo $?)" "$act: $staged"
		git_checkpoint_read "$W" "$B" "$n"
		same "$act: ${CK_STAGED:-0}" "$act: $staged"
	done <<-'END'
		0|0|touch a
		0|0|echo x >a; echo x >b; rm link
		0|0|echo x >a; git add a; git commit -qm a
		0|0|git rm -q --cached forced.ign; git add -f forced.ign
		0|0|rm -r swapdir; echo x >swapdir; git add -A; git commit -qm swapdir; echo x >swapdir-x
		0|0|echo x >.wisp/more; git add -f .wisp/more .wisp/config
		1|1|echo y >a; git add a
		1|1|git rm -q --cached a
		1|1|chmod -x run.sh; git add run.sh
		1|1|echo x >new; git add new; rm new
		1|1|git rm -q --cached link
		1|1|rm swapdir; mkdir swapdir; echo x >swapdir/y; git add swapdir
		1|1|echo x >new; git add -N new
	END
}

@test "fallback: nothing to commit" {
	project
	echo changed >"$W/.wisp/config"
	head=$(git -C "$W" rev-parse HEAD)
	fallback
	[[ -z $REPLY ]]
	same "$(git -C "$W" rev-parse HEAD)" "$head"
}

@test "fallback: leaves out the user's dirt that is as it was, staged or not" {
	project
	W=$P B=main
	echo dirt >"$W/"$'dirty\n[1]'
	echo dirt >"$W/a" && git -C "$W" add a
	echo dirt >"$W/swap"
	echo dirt >"$W/worked on"
	rm "$W/link"
	git_observe "$W"
	git_checkpoint "$W" "$B" 0 "$ID"
	echo agent >>"$W/worked on"
	echo agent >>"$W/run.sh"
	printf 'worked*\n*[[]1]\n' >"$W/.gitignore"
	rm "$W/.gitignore"
	git -C "$W" checkout -q .gitignore
	git_observe "$W"
	STATE=$BATS_TEST_TMPDIR SCRATCH=$BATS_TEST_TMPDIR
	git_before "$W" '' "$ID/1" "$B"
	same "$(tr '\0' '|' <"$SCRATCH/own")" $'a|dirty\n[1]|link|swap|'
	fallback "$SCRATCH/own"
	same "$(git -C "$W" diff --name-only HEAD~1 HEAD)" $'run.sh\nworked on'
	same "$(git -C "$W" status --porcelain)" $'M  a\n D link\n M swap\n?? "dirty\\n[1]"'
}

@test "fallback: skipped paths that are ignored by now, and nested repositories" {
	plain
	echo x >"$W/skip me"
	printf 'skip me\0' >"$BATS_TEST_TMPDIR/dirt"
	echo 'skip me' >"$W/.gitignore"
	git init -q "$W/nested"
	echo x >"$W/nested/x"
	fallback "$BATS_TEST_TMPDIR/dirt"
	same "$(git -C "$W" ls-tree -r --name-only HEAD)" $'.gitignore\na'
	[[ -f $W/nested/x ]]
}

@test "fallback: in a repository without a configured identity it is wisp's" {
	plain
	rm "$HOME/.gitconfig"
	echo x >"$W/x"
	fallback
	same "$(git -C "$W" log -1 --format='%an <%ae> %cn <%ce>')" 'wisp <wisp@localhost> wisp <wisp@localhost>'
}

@test "fallback: the user's line end settings hold" {
	plain
	git config --global core.autocrlf true
	printf 'x\r\n' >"$W/x"
	fallback
	same "$(git -C "$W" cat-file blob HEAD:x | cksum)" "$(printf 'x\n' | cksum)"
}

@test "fallback: an open merge is no commit" {
	plain
	git -C "$W" checkout -q -b side
	echo side >"$W/a" && commit side
	git -C "$W" checkout -q "$B"
	echo here >"$W/a" && commit here
	no git -C "$W" merge -q side
	rc=0
	fallback || rc=$?
	[[ $rc -eq 1 && $REPLY == 'a merge is half done' ]]
}

# --- work trees -------------------------------------------------------------

@test "worktree: made at BASE with its branch; an existing branch is used" {
	project
	same "$(git -C "$W" symbolic-ref HEAD)" "refs/heads/$B"
	[[ -f $W/.wisp/config ]]
	git -C "$P" branch ready
	git -C "$P" commit -q --allow-empty -m later
	git_worktree_add "$P" ready "$P/.wisp/worktrees/ready" main
	same "$(git -C "$P/.wisp/worktrees/ready" rev-parse HEAD)" "$(git -C "$P" rev-parse main~1)"
	[[ -z $(git -C "$P" config --get-regexp '^branch\.' || :) ]]
}

@test "worktree: refusals say why and change nothing" {
	project
	before=$(git -C "$P" for-each-ref; git -C "$P" worktree list)
	refused() {
		local rc=0
		git_worktree_add "$P" "${@:2}" || rc=$?
		[[ $rc -eq 1 ]]
		same "$REPLY" "$1"
	}
	refused "branch 'main' is checked out at '$P'" main "$P/.wisp/worktrees/main" main
	refused "branch '$B' is checked out at '$W'" "$B" "$P/.wisp/worktrees/again" main
	mkdir -p "$P/.wisp/worktrees/full"
	refused "'$P/.wisp/worktrees/full' exists already" full "$P/.wisp/worktrees/full" main
	refused "'nonsense' is no commit" new "$P/.wisp/worktrees/new" nonsense
	rc=0
	git_worktree_add "$P" "$B/below" "$P/.wisp/worktrees/new" main || rc=$?
	[[ $rc -eq 1 && -n $REPLY && ! -e $P/.wisp/worktrees/new ]]
	same "$(git -C "$P" for-each-ref; git -C "$P" worktree list)" "$before"
}

@test "worktree: a failure half way leaves neither folder, registration nor branch" {
	plain
	before=$(git -C "$P" for-each-ref; git -C "$P" worktree list)
	git -C "$P" config filter.bad.smudge false
	git -C "$P" config filter.bad.required true
	mkdir -p "$P/.git/info"
	echo '* filter=bad' >"$P/.git/info/attributes"
	rc=0
	git_worktree_add "$P" new "$P/.wisp/worktrees/new" main || rc=$?
	[[ $rc -eq 111 && -n $REPLY && ! -e $P/.wisp/worktrees/new ]]
	same "$(git -C "$P" for-each-ref; git -C "$P" worktree list)" "$before"
}

@test "worktree: a stale registration of that path, and one that was killed half way, make way" {
	plain
	rm -rf "$W"
	git_worktree_add "$P" "$B" "$W" main
	[[ -f $W/a ]]
	echo initializing >"$(git -C "$W" rev-parse --git-dir)/locked"
	rm "$(git -C "$W" rev-parse --git-dir)/index"
	git_worktree_half "$W"
	rm -rf "$W"
	git_worktree_add "$P" "$B" "$W" main
	[[ -f $W/a ]]
	rc=0
	git_worktree_half "$W" || rc=$?
	same "$rc" 1
	same "$(git -C "$P" worktree list | wc -l | tr -d ' ')" 2
}

@test "worktree: removed whatever is in it, even with its .git gone, and only if it is one" {
	project
	echo dirty >"$W/a"
	echo x >"$W/x"
	git -C "$P" worktree lock "$W"
	git_worktree_remove "$P" "$W"
	[[ ! -e $P/.wisp/worktrees/wisp && -f $P/.wisp/config ]]
	same "$(git -C "$P" worktree list | wc -l | tr -d ' ')" 1
	git_worktree_remove "$P" "$W"
	git_worktree_add "$P" "$B" "$W" main
	rm "$W/.git"
	git_worktree_remove "$P" "$W"
	same "$(git -C "$P" worktree list | wc -l | tr -d ' ')" 1
	mkdir -p "$W.not"
	rc=0
	git_worktree_remove "$P" "$W.not" || rc=$?
	[[ $rc -eq 1 && -d $W.not ]]
	rc=0
	git_worktree_remove "$P" "$P" || rc=$?
	[[ $rc -eq 1 && -f $P/a ]]
}

@test "worktree: repaired after the whole project was moved" {
	plain
	mv "$P" "$BATS_TEST_TMPDIR/moved"
	P=$(cd "$BATS_TEST_TMPDIR/moved" && pwd -P)
	W=$P/.wisp/worktrees/wisp/job
	rc=0
	git_observe "$W" 2>/dev/null || rc=$?
	[[ $rc -eq 111 ]]
	git_worktree_repair "$P" "$B" "$W"
	git_observe "$W"
	same "$OBS_REF" "refs/heads/$B"
	rc=0
	git_worktree_repair "$P" "$B" "$P/nowhere" || rc=$?
	[[ $rc -eq 1 && -n $REPLY ]]
}

@test "worktree: repaired in a copy of the project, and the first one is left alone" {
	plain
	cp -Rp "$P" "$BATS_TEST_TMPDIR/copied"
	before=$(git -C "$P" worktree list; cat "$W/.git" "$P"/.git/worktrees/*/gitdir)
	C=$(cd "$BATS_TEST_TMPDIR/copied" && pwd -P)
	git_worktree_repair "$C" "$B" "$C/.wisp/worktrees/wisp/job"
	git_observe "$C/.wisp/worktrees/wisp/job"
	same "$WT_COMMON" "$C/.git"
	same "$(git -C "$P" worktree list; cat "$W/.git" "$P"/.git/worktrees/*/gitdir)" "$before"
	git_observe "$W"
}

@test "worktree: refused, removed, repaired, and a checkpoint gone back to, where the refs are in a reftable" {
	reftable
	project
	rc=0
	git_worktree_add "$P" main "$P/.wisp/worktrees/main" main || rc=$?
	same "$rc $REPLY" "1 branch 'main' is checked out at '$P'"
	rc=0
	git_worktree_add "$P" "$B" "$P/.wisp/worktrees/again" main || rc=$?
	same "$rc $REPLY" "1 branch '$B' is checked out at '$W'"
	git_observe "$W"
	same "$OBS_REF $OBS_HEAD" "refs/heads/$B $(git -C "$W" rev-parse HEAD)"
	git_checkpoint "$W" "$B" 1 "$ID"
	touch "$(git -C "$W" rev-parse --git-dir)/reftable/tables.list.lock"
	echo x >"$W/x"
	git -C "$W" add x
	git_reset_to "$W" "$B" 2 "$ID" 1
	[[ ! -e $W/x ]]
	holds "$PUT_REF" x
	git_worktree_add "$P" other "$P/.wisp/worktrees/other" main
	cp -Rp "$P" "$BATS_TEST_TMPDIR/copied"
	echo "gitdir: $P/.git/worktrees/other" >"$W/.git"
	rc=0
	git_worktree_repair "$P" "$B" "$W" || rc=$?
	same "$rc $REPLY" "1 '$P/.git/worktrees/other' belongs to '$P/.wisp/worktrees/other'"
	mv "$P" "$BATS_TEST_TMPDIR/away"
	mv "$BATS_TEST_TMPDIR/copied" "$P.moved"
	P=$P.moved W=$P/.wisp/worktrees/wisp/job
	git_worktree_repair "$P" "$B" "$W"
	git_observe "$W"
	same "$OBS_REF" "refs/heads/$B"
	git_worktree_remove "$P" "$W"
	git_refs_drop "$P" "$B"
	same "$(git -C "$P" for-each-ref refs/wisp)" ''
}

@test "worktree: the registration of another branch, whose work tree is there, is not taken" {
	plain
	git_worktree_add "$P" other "$P/.wisp/worktrees/other" main
	echo "gitdir: $P/.git/worktrees/other" >"$W/.git"
	rc=0
	git_worktree_repair "$P" "$B" "$W" || rc=$?
	same "$rc $REPLY" "1 '$P/.git/worktrees/other' belongs to '$P/.wisp/worktrees/other'"
	git_observe "$P/.wisp/worktrees/other"
}

@test "worktree: made again where its folder's parent is gone, it is registered once" {
	plain
	rm -rf "$P/.wisp/worktrees"
	git_worktree_add "$P" "$B" "$W" main
	same "$(ls "$P/.git/worktrees")" job
}

# pipes FOLDER: where git would wait for ever.
pipes()
{
	mkdir -p "$1/fold/b"
	rm -f "$1/fold/other"
	mkfifo "$1/.gitignore" "$1/.gitattributes" "$1/fold/.gitignore" "$1/fold/b/.gitattributes" "$1/fold/other"
	ln -s ../other "$1/fold/b/.gitignore"
	echo new >"$1/fold/b/file"
}

no_pipes()
{
	assert_equal "$1/fold/other" "$(find "$1" -type p)"
	[[ ! -L $1/fold/b/.gitignore ]]
}

@test "observe: pipes in the place of ignore rules are removed, and git does not wait at them" {
	plain
	GIT_PATIENCE=1
	pipes "$W"
	git_observe "$W"
	[[ -n $OBS_TREE ]]
	no_pipes "$W"
	assert_equal new "$(git -C "$W" show "$OBS_TREE:fold/b/file")"
	pipes "$W"
	git_look "$W" "$BATS_TEST_TMPDIR/names"
	no_pipes "$W"
	assert_contains "$(tr '\0' '\n' <"$BATS_TEST_TMPDIR/names")" fold/b/file
}

@test "observe: giants are left out and named, and git does not read them" {
	plain
	GIT_PATIENCE=1
	mkdir "$W/sub dir"
	echo ignored.img >"$W/.gitignore"
	truncate -s 64G "$W/sub dir/big*" "$W/ignored.img"
	echo new >"$W/file"
	git_observe "$W" 2>"$BATS_TEST_TMPDIR/said"
	assert_equal 'wisp: sub dir/big* is larger than 1 GiB: not committed' "$(<"$BATS_TEST_TMPDIR/said")"
	assert_equal new "$(git -C "$W" show "$OBS_TREE:file")"
	[[ -z $(git -C "$W" ls-tree -r --name-only "$OBS_TREE" 'sub dir') && ! -e $W/.git/wisp.index.lock ]]
	# Said once; and work as soon as it is none.
	echo small >"$W/sub dir/big*"
	truncate -s 64G "$W/other"
	git_observe "$W" 2>"$BATS_TEST_TMPDIR/said"
	assert_equal 'wisp: other is larger than 1 GiB: not committed' "$(<"$BATS_TEST_TMPDIR/said")"
	assert_equal small "$(git -C "$W" show "$OBS_TREE:sub dir/big*")"
}

@test "unplug: who comes to a pipe as it is removed does not wait there" {
	local i reader

	mkdir w
	for ((i = 0; i < 250; i++)); do
		mkfifo w/.gitignore
		cat w/.gitignore 2>/dev/null 3>&- &
		reader=$!
		wisp-session unplug "$PWD/w" >/dev/null
		rm -f w/.gitignore
		wait_until 10 gone "$reader"
	done
	# It need not be open to writers.
	mkfifo -m 0400 w/.gitignore
	as_user cat w/.gitignore 3>&- &
	reader=$!
	as_user wisp-session unplug "$PWD/w"
	wait_until 10 gone "$reader"
}

@test "going back: pipes in the place of attributes, and of git's own rules" {
	plain
	GIT_PATIENCE=1
	mkdir -p "$W/fold/b"
	echo kept >"$W/fold/b/kept"
	commit kept
	git_observe "$W" && git_checkpoint "$W" "$B" 1 id
	rm "$W/fold/b/kept"
	pipes "$W"
	rm -f "$P/.git/info/exclude"
	mkdir -p "$P/.git/info"
	mkfifo "$P/.git/info/exclude"
	git_observe "$W"
	no_pipes "$W"
	[[ ! -e $P/.git/info/exclude ]]
	pipes "$W"
	git_reset_to "$W" "$B" 2 id 1
	no_pipes "$W"
	assert_equal kept "$(<"$W/fold/b/kept")"
}
