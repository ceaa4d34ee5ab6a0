# world.bash: the world that a round begins with, and what must hold of it at its end.
#
#	world_make			# WORLD: a project with a person's unfinished work, kept as it is for world_reset
#	world_reset			# the same again; nothing of the round before is left
#	start NAME COMMAND...		# in the background, in a process group of its own; STARTED is its pid
#	ended NAME SECONDS		# waits for it; CODE is how it ended, `hung` if it had to be killed
#	wisp_says NAME COMMAND...	# start and ended in one
#	shimmed K WHAT			# what `start` begins then has a fault (tests/fault/shim.c)
#
#	check_session BRANCH N		# completed, whole, in N commits
#	check_person			# what is the person's is as it was
#	check_left BRANCH...		# nothing is left but the sessions of these branches
#	lost TEXT, left TEXT		# what a check found
#
# No variable of the harness that names the world is exported: processes of the
# world are known by that.

readonly FILES=30
STARTED='' CODE='' FAULTS=() SAVED=''

# A path without tmux: where there is one, agents of an orchestration would be started in it.
world_path()
{
	local program

	HIDDEN=$WORK/programs
	mkdir "$HIDDEN"
	ln -s /bin/* /usr/bin/* "$HIDDEN" 2>/dev/null || :
	for program in bash git; do
		ln -sf "$(type -P "$program")" "$HIDDEN/$program"
	done
	rm -f "$HIDDEN/tmux"
}

world_make()
{
	local i

	WORLD=$PLACE/world
	SAVED=$WORK/saved
	[[ -e $WORK/programs ]] || world_path
	rm -rf -- "$WORLD" "$SAVED"
	mkdir -p "$WORLD/home" "$WORLD/tmp" "$WORLD/user" "$WORLD/repo/src" "$WORLD/repo/ignored"
	: >"$WORLD/count"
	printf '\0\0\0\0\0\0\0\0' >"$WORLD/zero"
	cd "$WORLD/repo"
	in_world git init -q -b main .
	for ((i = 1; i <= FILES; i++)); do
		printf 'file %d\n' "$i" >"src/f$i"
	done
	printf 'ignored/\n' >.gitignore
	# shellcheck disable=SC2016 # it is the check that expands
	printf 'test "$(ls src | wc -l)" -eq %d\n' "$FILES" >check
	printf 'A project.\n' >README
	in_world git add -A
	in_world git commit -q -m 'Begin'
	in_world git worktree add -q -b theirs ../theirs
	printf 'more\n' >>../theirs/README
	in_world wisp init --verify 'sh check' >/dev/null
	in_world wisp config limits.callsPerHour 100000
	# The agent writes all over the world, and its calls end the loop. `hostile` says itself what confines its steps.
	in_world wisp config sandbox off
	printf 'changed\n' >>README
	printf 'staged\n' >staged
	in_world git add staged
	printf 'untracked\n' >note
	printf 'secret\n' >ignored/secret
	task_list "$TASKS" >../tasks.json
	printf 'A spec.\n' >../spec.md
	cd "$WORK"
	agent_make
	note_person
	cp -Rp "$WORLD" "$SAVED"
}

world_reset()
{
	cd "$WORK"
	rm -rf -- "$WORLD"
	cp -Rp "$SAVED" "$WORLD"
	FAULTS=()
	cd "$WORLD/repo"
}

# The agent of tests/fault that does the next task, with what a round adds: it counts its calls,
# can wait for `go`, plans where there is no task yet, and does what lies in `effect.N` in its
# N-th call.
agent_make()
{
	cat >"$WORLD/agent" <<-END
		#!/usr/bin/env bash
		# Format: claude
		set -u
		w='$WORLD'
		rm -f "\$w/making"
		prompt=\$(cat)
		printf '%s\n' "\$WISP_ITERATION" >>"\$w/calls"
		n=\$((\$(wc -l <"\$w/calls")))
		if [[ -e \$w/wait ]]; then
			until [[ -e \$w/go ]]; do sleep 0.02; done
		fi
		if ! grep -q '"passes"' "\$WISP_TASKS_FILE" 2>/dev/null; then
			cp "\$w/tasks.json" "\$WISP_TASKS_FILE"
			printf '{"status": "CONTINUE", "summary": "planned"}\n' >"\$WISP_STATE_FILE"
			exit 0
		fi
		[[ ! -e \$w/agent.env ]] || . "\$w/agent.env"
		# Where a step's claim can go back though its commit stays, the agent looks for itself.
		open=\$((\$(grep -c '"passes": true' "\$WISP_TASKS_FILE") + 1))
		[[ ! -e \$w/looks ]] || git checkout -q main -- src 2>/dev/null
		if [[ -e \$w/looks ]] && grep -qx "task \$open" work 2>/dev/null; then
			prompt+=" finish \$open "
		fi
		[[ ! -e \$w/instead ]] || . "\$w/instead"
		'$ROOT/tests/fault/agent' <<<"\$prompt"
		code=\$?
		[[ ! -e \$w/effect.\$n ]] || . "\$w/effect.\$n"
		exit \$code
	END
	chmod +x "$WORLD/agent"
}

task_list() # <n>
{
	local i end=,

	echo '['
	for ((i = 1; i <= $1; i++)); do
		((i < $1)) || end=''
		printf '{"category": "feature", "description": "Task %d", "steps": [], "passes": false}%s\n' \
			"$i" "$end"
	done
	echo ']'
}

# --- programs ----------------------------------------------------------------

# world_env: sets ENV, all that a program of the world gets.
world_env()
{
	ENV=(PATH="$ROOT/bin:$WISP_BUILD:$HIDDEN" WISP_HOME="$WORLD/home"
		HOME="$WORLD/user" TMPDIR="$WORLD/tmp"
		LC_ALL=C TZ=UTC GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Person GIT_AUTHOR_EMAIL=person@example.org
		GIT_COMMITTER_NAME=Person GIT_COMMITTER_EMAIL=person@example.org
		${REPLAY:+"WISP_REPLAY=$REPLAY"})
}

in_world()
{
	world_env
	env -i "${ENV[@]}" "$@"
}

shimmed() # <k> <what>
{
	cp "$WORLD/zero" "$WORLD/count"
	: >"$WORLD/making"
	FAULTS=("LD_PRELOAD=$SHIM" "FAULT_AT=$1" "FAULT_DO=$2" "FAULT_SHARED=$WORLD/count"
		"FAULT_IF=$WORLD/making")
}

# How many calls were counted.
counted()
{
	od -An -t d8 "$WORLD/count" | tr -d ' '
}

start() # <name> COMMAND...
{
	local name=$1
	shift

	world_env
	set -m
	# shellcheck disable=SC2016 # it is the new shell that expands
	exec env -i "${ENV[@]}" sh -c \
		'export FAULT_GROUP=$$; [ ! -p "$1" ] || : <"$1"; shift; exec "$@"' sh "$WORLD/gate" \
		${FAULTS[@]+env "${FAULTS[@]}"} "$@" </dev/null >"$WORLD/log.$name" 2>&1 &
	STARTED=$!
	set +m
	printf '%s\n' "$STARTED" >"$WORLD/pid.$name"
}

# A child that nobody waited for yet still has a number: the state tells.
runs() # <pid>
{
	local stat

	{ read -r stat <"/proc/$1/stat"; } 2>/dev/null && [[ ${stat##*') '} != Z* ]]
}

ended() # <name> <seconds>
{
	local pid end=$((SECONDS + $2))

	pid=$(<"$WORLD/pid.$1")
	CODE=0
	while runs "$pid"; do
		if ((SECONDS > end)); then
			kill -KILL -- "-$pid" 2>/dev/null || :
			wait "$pid" 2>/dev/null || :
			CODE=hung
			return 0
		fi
		sleep 0.02
	done
	wait "$pid" 2>/dev/null || CODE=$?
}

wisp_says() # <name> COMMAND...
{
	start "$@"
	ended "$1" 120
}

# The pids of all that belongs to this world.
processes()
{
	local file

	grep -lzE "^(WISP_HOME|WISP_SESSION_DIR|TMPDIR)=$WORLD/" /proc/[0-9]*/environ 2>/dev/null |
		while IFS= read -r file; do
			file=${file#/proc/}
			[[ ! -e /proc/${file%/*}/exe ]] || echo "${file%/*}"
		done
}

# no_process SECONDS: 1 if there still is one then.
no_process()
{
	local end=$((SECONDS + $1))

	while [[ -n $(processes) ]]; do
		((SECONDS <= end)) || return 1
		sleep 0.05
	done
}

# Ends what this world still runs; the harness has started all of it.
end_world()
{
	local pid

	for pid in $(processes); do
		kill -KILL "$pid" 2>/dev/null || :
	done
}

# --- checks ------------------------------------------------------------------

lost()
{
	LOST+=("$*")
}

left()
{
	LEFT+=("$*")
}

# What a person has: files, tracked and not, the index, branches and work trees of his own.
person()
{
	(
		cd "$WORLD"
		find repo theirs \( -name .git -o -path repo/.loop -o -path repo/.wisp/sessions \
			-o -path repo/.wisp/worktrees \) -prune -o -type f -exec cksum {} + | sort -k 3
		in_world git -C repo diff --cached --name-status
		in_world git -C repo symbolic-ref HEAD
		in_world git -C theirs status --porcelain
	)
}

refs()
{
	in_world git -C "$WORLD/repo" for-each-ref --format='%(objectname) %(refname)' |
		grep -v -e ' refs/wisp/' -e ' refs/heads/work' -e ' refs/heads/wisp/'
}

# What check_person compares with.
note_person()
{
	person >"$WORK/person"
	refs >"$WORK/refs"
}

check_person()
{
	local found

	found=$(person | diff "$WORK/person" -) ||
		lost "what is the person's has changed: $found"
	found=$(refs | diff "$WORK/refs" -) || lost "branches of the person have changed: $found"
}

check_session() # <branch> <tasks>
{
	local found dir=$WORLD/repo/.wisp/sessions/$1 i

	found=$(in_world wisp-state -C "$dir" get -f session .status 2>&1) || :
	[[ $found == completed ]] || lost "the session $1 is not completed: $found"
	found=$(in_world wisp-tasks -C "$dir" count 2>&1) || :
	[[ $found == "passed=$2"$'\n'"total=$2" ]] || lost "not every task passes: $found"
	if ! found=$(in_world git diff --no-renames --name-status main "$1" -- 2>&1); then
		lost "the branch $1 is gone: $found"
		return 0
	fi
	[[ $found == $'A\twork' ]] ||
		lost "the branch $1 differs from main by more than the work: ${found:0:200}"
	for ((i = 1; i <= $2; i++)); do
		printf 'task %d\n' "$i"
	done >"$WORK/expected"
	found=$(in_world git show "$1:work" 2>&1 | diff "$WORK/expected" -) ||
		lost "the work of $1: $found"
	found=$(in_world git rev-list --count "main..$1")
	((found == $2)) || lost "$found commits for $2 tasks"
	check_fsck
}

check_fsck()
{
	local found

	found=$(in_world git fsck --no-dangling --no-progress 2>&1) || found+=' failed'
	[[ -z $found ]] || lost "git fsck: $found"
}

check_left() # <branch>...
{
	local found branch trees=$WORLD/repo$'\n'$WORLD/theirs branches=main$'\n'theirs

	no_process 5 || {
		left "processes: $(ps -o pid=,args= -p "$(processes | paste -sd, -)")"
		end_world
	}
	for branch; do
		[[ ! -e $WORLD/repo/.wisp/worktrees/$branch ]] || trees+=$'\n'$WORLD/repo/.wisp/worktrees/$branch
		branches+=$'\n'$branch
	done
	found=$(in_world git worktree list --porcelain)
	[[ $found != *$'\n'locked* && $found != *$'\n'prunable* && $found != *$'\n'detached* ]] ||
		left "git worktree list: $(tail -n 4 <<<"$found")"
	found=$(sed -n 's/^worktree //p' <<<"$found" | sort | diff <(sort <<<"$trees") -) ||
		left "git worktree list: $found"
	found=$(find .git/worktrees -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)
	[[ $found -eq $(($(wc -l <<<"$trees") - 1)) ]] ||
		left "registrations: $(ls .git/worktrees)"
	found=$(in_world git for-each-ref --format='%(refname:short)' refs/heads | sort |
		diff <(sort <<<"$branches") -) || left "branches: $found"
	# The owner's lock of a session lies in .git/wisp as long as there is one.
	found=$(find .git -path .git/wisp -prune -o -name '*.lock' -print)
	[[ -z $found ]] || left "in .git: $found"
	found=$(find .wisp "$WORLD/home" -path '*/worktrees/*/src' -prune -o \
		\( -name '.*.wisp-*' -o -name '*.new' -o -name '*.tmp' -o -name '*.making' \) -print)
	[[ -z $found ]] || left "temporaries: $found"
	# The next owner removes the folder of one that was killed; of a start that was killed before it
	# owned anything there is no next one.
	found=$(find "$WORLD/tmp" -mindepth 1 -maxdepth 1 -name 'wisp*.??????' | wc -l)
	EARLY=$((EARLY + found))
	found=$(find "$WORLD/tmp" -mindepth 1 -maxdepth 1 ! -name 'wisp*.??????')
	[[ -z $found ]] || left "in TMPDIR: $found"
	left_elsewhere "$@"
}

# Folders of sessions, work trees and records that belong to none of these branches.
left_elsewhere() # <branch>...
{
	local found name branch

	found=$(cd .wisp && find sessions worktrees -mindepth 1 -maxdepth 2 2>/dev/null) || :
	for name in $found; do
		# What stood in the place of a work tree is kept, and that is said.
		[[ $name != worktrees/.* ]] || ! grep -q 'is kept in' "$WORLD"/log.* || continue
		for branch; do
			[[ ${name#*/}/ != "$branch"/* && $branch != "${name#*/}"/* ]] || continue 2
		done
		left ".wisp/$name"
	done
}
