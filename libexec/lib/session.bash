# session.bash: finding, making and owning the session that a loop runs.
#
# Sourced after common.bash, people.bash, git.bash and config.bash; sources session-make.bash, session-tree.bash, tmux.bash, secrets.bash and agent.bash.
#
#	locate_project             sets PROJECT; ends with 100 where no work can be done
#	template_dir NAME          sets TEMPLATE_DIR; ends with 102 where there is none
#	session_place BRANCH       sets BRANCH, DIR, STATE of a session that need not exist
#	session_exists
#	session_own                takes the owner's locks, 9 and 8, or ends with 17; undoes what a start was cut off from making
#	session_let_go             lets go of both
#
# The owner's lock lies on descriptor 9; everything that is started gets 9>&-.
# What works for the loop (git, wisp-state, wisp-agent) shares the lock on 8: after
# a loop was killed, the next owner waits until the last of them has ended, so
# that no two change the record or the work tree at a time.

PLACED=''	# the branch whose place is known

# PROJECT, where wisp-session has found none, is git's to deny; PROJECT_REF (HEAD: none) and PROJECT_HEAD are what is checked
# out there.
locate_project()
{
	local line rc=0

	if [[ -n ${PROJECT-} ]]; then
		git_opens "$PROJECT" --revs-only 'HEAD^{commit}' --symbolic-full-name HEAD || rc=$?
	else
		git_top || rc=$?
	fi
	case $rc in
	0) ;;
	1) die_usage "no git repository here ($REPLY)" ;;
	*) warn "$REPLY" && exit "$rc" ;;
	esac
	[[ -n ${PROJECT-} ]] || die_bug "a project that is none: '$REPLY'"
	PROJECT_HEAD='' PROJECT_REF=''
	while IFS= read -r line; do
		if git__is_id "$line"; then
			PROJECT_HEAD=$line
		elif [[ -n $PROJECT_HEAD ]]; then
			PROJECT_REF=$line
		fi
	done <<<"$REPLY"
	git_use "$PROJECT" || exit "$EXIT_SYS"
	[[ -n $PROJECT_HEAD ]] || die_usage "the repository in '$PROJECT' has no commit yet: make one first (git commit)"
	! git_filter_missing || die_sys "$REPLY"
}

template_dir()
{
	local dir

	[[ $1 != */* && $1 != .* && -n $1 ]] || die_usage "'$1' is no name of a template"
	for dir in "$PROJECT/.wisp/templates/$1" "${XDG_CONFIG_HOME:-${HOME-}/.config}/wisp/templates/$1" \
		"$WISP_SHARE/templates/$1"; do
		if [[ -e $dir/loop.json || -e $dir/system.md ]]; then
			TEMPLATE_DIR=$dir
			return 0
		fi
	done
	die_data "no template '$1': looked in .wisp/templates, the user's and the installed ones"
}

# Sets BRANCH, DIR, STATE; the session need not exist.
session_place()
{
	local out line rc=0

	BRANCH=$1
	typed_word "$BRANCH"
	TYPED=$REPLY
	[[ -z $BRANCH || $BRANCH != "$PLACED" ]] || return 0
	PLACED=''
	out=$(wisp-session place --project "$PROJECT" --branch "$BRANCH") || rc=$?
	((rc == 0)) || exit "$rc"
	while IFS= read -r line; do
		case $line in
		dir=*) DIR=${line#*=} ;;
		home=*) STATE=${line#*=} ;;
		shared=*) SHARED=${line#*=} ;;
		esac
	done <<<"$out"
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
	git__head_of "$WT_GIT" || exit "$EXIT_SYS"
	[[ $REPLY == 'ref: refs/heads/'* ]] || die_usage "HEAD is detached: --in-place needs a branch (git switch -c NAME)"
	BRANCH=${REPLY#ref: refs/heads/}
	! git_branch_alias "$BRANCH" || die_usage "'$BRANCH' is only another name of '${REPLY#refs/heads/}': git switch ${REPLY#refs/heads/}"
}

# The lock in the repository, where its folder is to be made before session_own, and that of the other one.
OWN_WORK=''

# Is the session ours by now?
OWNED=''

# Tried first: a redirection of exec that fails ends the shell, with a message of its own.
session_lock_open()
{
	if ! { : >>"$1"; } 2>/dev/null; then
		die_sys "cannot open '$1'"
	fi
}

# folder_make DIR: with the ones above it; they are their owner's alone, whatever the umask.
folder_make()
{
	[[ -d $1 ]] || (umask 077 && exec mkdir -p -- "$1")
}

session_own()
{
	local said work rc

	[[ -z $OWNED ]] || return 0
	# In the repository, which may be worked in from several WISP_HOMEs.
	work=$STATE/work
	[[ -z ${PROJECT-} ]] || ! git_use "$PROJECT" 2>/dev/null || work=$WT_COMMON/wisp/$BRANCH.lock
	while :; do
		folder_make "$STATE" || die_sys "cannot make '$STATE'"
		git__lockable "$work" || die_sys "cannot make '${work%/*}'"
		session_lock_open "$STATE/lock"
		session_lock_open "$work"
		exec 9>>"$STATE/lock" 8>>"$work" || die_sys "cannot open '$STATE/lock'"
		rc=0
		said=$(exec -a "$PROGRAM" wisp-session take --lock "$STATE/lock" --work "$work" --pid $$) || rc=$?
		# Who had it may have removed the session meanwhile.
		[[ $rc == 1 && $said == gone=yes ]] || break
	done
	((rc != 1)) || session_owned "$said"
	((rc == 0)) || exit "$rc"
	OWNED=1
	making_undo
	scratch_keep
}

# session_owned SAID: by whom it is.
session_owned()
{
	local owner='' pid recorded who=''

	pid=$(value_of pid "$1")
	[[ -z $pid ]] || who="process $pid on $(value_of host "$1")"
	if [[ $(value_of held "$1") == work ]]; then
		warn "the branch $BRANCH is already running under another WISP_HOME, '$(value_of home "$1")': $who"
		exit "$EXIT_OWNED"
	fi
	[[ ! -d $DIR ]] || owner=$(ask -C "$DIR" owner 2>/dev/null 8>&- 9>&-) || owner=''
	recorded=$(value_of pid "$owner")
	if [[ -z $recorded || ${pid:-$recorded} != "$recorded" ]]; then
		warn "the session $BRANCH is busy: a loop that starts, or another wisp command${who:+ ($who)}; try again in a moment"
		exit "$EXIT_OWNED"
	fi
	warn "the session $BRANCH is already running: process $recorded" \
		"on $(value_of host "$owner"), since $(value_of since "$owner")"
	! tmux_loop 8>&- 9>&- || warn "\`wisp attach $TYPED\` joins it"
	exit "$EXIT_OWNED"
}

session_let_go()
{
	# What we have in TMPDIR is still our own.
	[[ -z $SCRATCH_NOTE || ! -f $STATE/scratch ]] || : >"$STATE/scratch"
	exec 8>&- 9>&-
	OWNED=''
}

# What an owner that was killed had in TMPDIR goes, and the next one is told of ours.
SCRATCH='' SCRATCH_NOTE=1
scratch_keep()
{
	local old=''

	[[ ! -f $STATE/scratch ]] || IFS= read -r old <"$STATE/scratch" || :
	if [[ $old == /*/wisp.*?????? && $old != "$SCRATCH" && -d $old && ! -L $old && -O $old ]]; then
		rm -rf -- "$old"
	fi
	[[ -z $SCRATCH_NOTE ]] || [[ -z $old && -z $SCRATCH ]] || printf '%s\n' "$SCRATCH" 2>/dev/null >"$STATE/scratch" ||
		die_sys "cannot write '$STATE/scratch'"
}

# The record knows of the session, and the project does not: it was cloned again, or cleaned.
session_folder_gone()
{
	git_use "$PROJECT" || exit "$EXIT_SYS"
	git__commit "refs/heads/$BRANCH"
	[[ -n $REPLY ]] || die_data "the session $BRANCH is in the record only: '$PROJECT' has neither its folder nor its branch," \
		"and was removed and made again (wisp rm $TYPED drops the record)"
	warn "the folder of the session $BRANCH is gone: it is made again from the record"
	folder_make "$DIR" || die_sys "cannot make '$DIR'"
}

# What stands where the session's folder belongs, and is none, makes room for it; what lies in it the utilities look at.
session_folder()
{
	local aside=${DIR%/*}/.${DIR##*/}.moved.$$

	[[ -e $DIR || -L $DIR ]] || session_folder_gone
	[[ -L $DIR || (-e $DIR && ! -d $DIR) ]] || return 0
	warn "'$DIR' is no folder: it is moved to '$aside'"
	mv -f -- "$DIR" "$aside" || die_sys "cannot move '$DIR'"
	folder_make "$DIR" || die_sys "cannot make '$DIR'"
}

# What an agent, or a person's shell beside it, is told of the session; STEP_DIR of the current or last step.
session_environment()
{
	export WISP_BRANCH=$BRANCH WISP_SESSION_ID=$SESSION_ID WISP_SESSION_DIR=$DIR \
		WISP_STATE_FILE=$DIR/state.json WISP_TASKS_FILE=$DIR/tasks.json \
		WISP_RESPONSE_FILE=$DIR/response.json WISP_DIVERGENCE_FILE=$DIR/divergence.md \
		WISP_PROMPT_FILE=$STEP_DIR/prompt.md WISP_SYSTEM_FILE=$STEP_DIR/system.md WISP_TEMPLATE=$TEMPLATE
}

# shellcheck source=lib/session-make.bash
source "${BASH_SOURCE[0]%/*}/session-make.bash"
# shellcheck source=lib/session-branch.bash
source "${BASH_SOURCE[0]%/*}/session-branch.bash"
# shellcheck source=lib/session-tree.bash
source "${BASH_SOURCE[0]%/*}/session-tree.bash"
# shellcheck source=lib/tmux.bash
source "${BASH_SOURCE[0]%/*}/tmux.bash"
# shellcheck source=lib/secrets.bash
source "${BASH_SOURCE[0]%/*}/secrets.bash"

# shellcheck source=lib/agent.bash
source "${BASH_SOURCE[0]%/*}/agent.bash"
