# session.bash: finding, making and owning the session that a loop runs.
#
# Sourced after common.bash, people.bash, git.bash and config.bash; sources session-tree.bash, tmux.bash and agent.bash.
#
#	locate_project             sets PROJECT; ends with 100 where no work can be done
#	template_dir NAME          sets TEMPLATE_DIR; ends with 102 where there is none
#	session_place BRANCH       sets BRANCH, DIR, STATE of a session that need not exist
#	session_exists
#	session_make TEMPLATE AGENT SPEC TASKS IN_PLACE   makes branch, work tree and session
#	session_own                takes the owner's lock on descriptor 9, or ends with 17
#
# The owner's lock lies on descriptor 9; everything that is started gets 9>&-.
# What works for the loop (git, wisp-turn, wisp-agent) shares the lock on 8: after
# a loop was killed, the next owner waits until the last of them has ended, so
# that no two change the record or the work tree at a time.

locate_project()
{
	local why

	if ! git_top . 2>/dev/null; then
		why=$(LC_ALL=C git rev-parse --is-inside-work-tree --show-toplevel 2>&1) || :
		why=${why##*$'\n'}
		case $why in
		'fatal: not a git repository'*) why='git init makes one; wisp works on branches' ;;
		fatal:*) ;;
		*) why='it is bare, or core.worktree leads elsewhere' ;;
		esac
		die_usage "no git repository here (${why#fatal: })"
	fi
	PROJECT=$REPLY
	git_use "$PROJECT" || exit "$EXIT_SYS"
	git_quiet rev-parse -q --verify 'HEAD^{commit}' >/dev/null ||
		die_usage "the repository in '$PROJECT' has no commit yet: make one first (git commit)"
}

template_dir()
{
	local dir

	[[ $1 != */* && $1 != .* && -n $1 ]] || die_usage "'$1' is no name of a template"
	for dir in "$PROJECT/.wisp/templates/$1" "${XDG_CONFIG_HOME:-${HOME-}/.config}/wisp/templates/$1" \
		"$WISP_SHARE/templates/$1"; do
		if [[ -e $dir/loop.json ]]; then
			TEMPLATE_DIR=$dir
			return 0
		fi
	done
	die_data "no template '$1': looked in .wisp/templates, the user's and the installed ones"
}

# Sets BRANCH, DIR, STATE; the session need not exist.
session_place()
{
	local out rc=0

	BRANCH=$1
	typed_word "$BRANCH"
	TYPED=$REPLY
	out=$(wisp-turn place --project "$PROJECT" --branch "$BRANCH") || rc=$?
	((rc == 0)) || exit "$rc"
	DIR=$(value_of dir "$out")
	STATE=$(value_of home "$out")
	SHARED=$(value_of shared "$out")
}

session_exists()
{
	[[ -e $STATE/record.json || -e $STATE/record.last.json || -e $DIR/session.json ]]
}

# branch_for FILE: sets BRANCH to a name made of the file's: docs/My RFC.md gives wisp/my-rfc.
branch_for()
{
	local name=${1##*/}

	name=${name%.*}
	name=$(printf '%s' "$name" | LC_ALL=C tr '[:upper:]' '[:lower:]' | LC_ALL=C tr -cs 'a-z0-9' '-')
	name=${name#-}
	name=${name%-}
	BRANCH=wisp/${name:-work}
}

# current_branch TREE: sets BRANCH to the one that is checked out there.
current_branch()
{
	git_use "$1" || exit "$EXIT_SYS"
	BRANCH=$(git_quiet symbolic-ref -q --short HEAD) ||
		die_usage "HEAD is detached: --in-place needs a branch (git switch -c NAME)"
}

# Sessions and work trees never enter a commit; `wisp init` writes the same file.
ignore_sessions()
{
	local file=$PROJECT/.wisp/.gitignore

	[[ ! -e $file ]] || return 0
	if ! { mkdir -p -- "${file%/*}" && printf 'sessions/\nworktrees/\n' >"$file"; }; then
		die_sys "cannot write '$file'"
	fi
}

# worktree_set_up TREE: what a new work tree needs beside the commits: worktree.copy
# (ignored files such as .env), then worktree.setup.
worktree_set_up()
{
	local path command

	while IFS= read -r path; do
		path=${path#worktree.copy=}
		if [[ -n $path && -e $PROJECT/$path && ! -e $1/$path ]]; then
			mkdir -p -- "$(dirname -- "$1/$path")" && cp -pR -- "$PROJECT/$path" "$1/$path" || return
		fi
	done < <(config_lines worktree.copy)
	command=$(config_value worktree.setup)
	[[ -n $command ]] || return 0
	tell "wisp: setting up the work tree: $command"
	(cd -- "$1" && exec sh -c "$command" </dev/null 5>&- 8>&- 9>&-)
}

# The branch of the orchestration that a session works for: it begins there, not on what is checked out.
SESSION_FROM=''

# session_make TEMPLATE AGENT SPEC TASKS IN_PLACE [REPLACE]: makes branch, work tree and session; what
# was made is unmade if a later part fails. The last four may be empty; REPLACE: also where one is under way.
session_make()
{
	local base base_branch tree made='' rc=0 args

	git_use "$PROJECT"
	base_branch=$SESSION_FROM
	[[ -n $base_branch ]] || base_branch=$(git_quiet symbolic-ref -q --short HEAD) || base_branch=''
	base=$(git_quiet rev-parse "${SESSION_FROM:+refs/heads/}${SESSION_FROM:-HEAD}^{commit}")
	tree=$PROJECT
	ignore_sessions
	if [[ -z $5 ]]; then
		tree=$PROJECT/.wisp/worktrees/$BRANCH
		if [[ ! -e $tree/.git ]]; then
			git_worktree_add "$PROJECT" "$BRANCH" "$tree" "$base" || die_usage "$REPLY"
			made=1
		fi
		worktree_set_up "$tree" || rc=$?
		if ((rc != 0)); then
			[[ -z $made ]] || git_worktree_remove "$PROJECT" "$tree" || :
			die_sys "worktree.setup failed with $rc in '$tree'"
		fi
	fi
	WORKTREE=$tree
	args=(--template "$1" --template-dir "$TEMPLATE_DIR" --agent "$2" --base "$base" --worktree "$tree")
	[[ -z $base_branch ]] || args+=(--base-branch "$base_branch")
	[[ -z $SESSION_FROM ]] || args+=(--parent "$SESSION_FROM")
	[[ -z $3 ]] || args+=(--spec "${3#"$PROJECT/"}")
	[[ -z $4 ]] || args+=(--tasks "$4")
	[[ -z ${6-} ]] || args+=(--replace)
	wisp-turn -C "$DIR" create "${args[@]}" || rc=$?
	if ((rc != 0)) && [[ -n $made ]]; then
		git_worktree_remove "$PROJECT" "$tree" || :
	fi
	((rc <= 1)) || exit "$rc"
}

session_own()
{
	local rc=0 owner

	mkdir -p -- "$STATE" || die_sys "cannot make '$STATE'"
	# Tried first: a redirection of exec that fails ends the shell, with a message of its own.
	{ : >>"$STATE/lock" && : >>"$STATE/work"; } 2>/dev/null || die_sys "cannot open '$STATE/lock'"
	exec 9>>"$STATE/lock" || die_sys "cannot open '$STATE/lock'"
	wisp-turn own --fd 9 || rc=$?
	case $rc in
	0) ;;
	1)
		if ! owner=$(ask -C "$DIR" owner 9>&-) || [[ -z $(value_of pid "$owner") ]]; then
			warn "the session $BRANCH is owned by a live loop that begins, or by another wisp command: once more in a moment"
			exit "$EXIT_OWNED"
		fi
		warn "the session $BRANCH is owned by a live loop: process $(value_of pid "$owner")" \
			"on $(value_of host "$owner"), since $(value_of since "$owner")"
		! tmux_loop 9>&- || warn "\`wisp attach $TYPED\` joins it"
		exit "$EXIT_OWNED"
		;;
	*) exit "$rc" ;;
	esac
	exec 8>>"$STATE/work" || die_sys "cannot open '$STATE/work'"
	if ! wisp-turn own --fd 8 9>&-; then
		warn "waiting until what an earlier loop has started ends"
		wisp-turn own --fd 8 --wait 9>&- || exit $?
	fi
}

# What stands where the session's folder belongs, and is none, makes room for it; what lies in it the utilities look at.
session_folder()
{
	local aside=${DIR%/*}/.${DIR##*/}.moved.$$

	[[ -L $DIR || (-e $DIR && ! -d $DIR) ]] || return 0
	warn "'$DIR' is no folder: it is moved to '$aside'"
	mv -f -- "$DIR" "$aside" || die_sys "cannot move '$DIR'"
	mkdir -- "$DIR" || die_sys "cannot make '$DIR'"
}

# What an agent, or a person's shell beside it, is told of the session; STEP_DIR of the current or last step.
session_environment()
{
	export WISP_BRANCH=$BRANCH WISP_SESSION_ID=$SESSION_ID WISP_SESSION_DIR=$DIR \
		WISP_STATE_FILE=$DIR/state.json WISP_TASKS_FILE=$DIR/tasks.json \
		WISP_RESPONSE_FILE=$DIR/response.json WISP_DIVERGENCE_FILE=$DIR/divergence.md \
		WISP_PROMPT_FILE=$STEP_DIR/prompt.md WISP_SYSTEM_FILE=$STEP_DIR/system.md WISP_TEMPLATE=$TEMPLATE
}

# shellcheck source=lib/session-tree.bash
source "${BASH_SOURCE[0]%/*}/session-tree.bash"
# shellcheck source=lib/tmux.bash
source "${BASH_SOURCE[0]%/*}/tmux.bash"
# shellcheck source=lib/agent.bash
source "${BASH_SOURCE[0]%/*}/agent.bash"
