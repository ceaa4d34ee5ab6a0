# people.bash: what the commands that people type have in common.
#
# Sourced after common.bash. `ask` is wisp-session under the command's own name,
# so that its messages read `wisp answer: no question is open`. In a $( ) that is
# often run, exec does that without a second fork.

# BRANCH as a shell takes it, for what a person is told to type next.
TYPED=''

ask()
{
	(exec -a "$PROGRAM" wisp-session "$@")
}

# Ends the command where an agent's step typed it. WHAT: "answering".
refuse_inside_step()
{
	local why

	! why=$(exec -a "$PROGRAM" wisp-session inside) || die_usage "$1 is not possible $why"
}

# find_session [BRANCH]: sets PROJECT, BRANCH, DIR, STATE (outside the project),
# SHARED (the project's part of that) and WORKTREE. Ends with 100 where there is none.
# shellcheck disable=SC2034 # each command uses some of them
find_session()
{
	local found line rc=0

	found=$(exec -a "$PROGRAM" wisp-session find ${1+"$1"}) || rc=$?
	case $rc in
	0) ;;
	1) exit "$EXIT_USAGE" ;;
	*) exit "$rc" ;;
	esac
	PROJECT='' BRANCH='' DIR='' STATE='' SHARED='' WORKTREE=''
	while IFS= read -r line; do
		case $line in
		project=*) PROJECT=${line#*=} ;;
		branch=*) BRANCH=${line#*=} ;;
		dir=*) DIR=${line#*=} ;;
		home=*) STATE=${line#*=} ;;
		shared=*) SHARED=${line#*=} ;;
		worktree=*) WORKTREE=${line#*=} ;;
		esac
	done <<<"$found"
	typed_word "$BRANCH"
	TYPED=$REPLY
}

# typed_word TEXT: REPLY is TEXT as a word of a command line: a branch may be called a'b, or $(c).
typed_word()
{
	local quote="'" inside="'\\''"

	REPLY=$1
	case $1 in
	'' | *[!A-Za-z0-9_./:@%+,-]*) REPLY="'${1//$quote/$inside}'" ;;
	esac
}

# value_of KEY TEXT: prints the value of a line KEY=VALUE in TEXT.
value_of()
{
	local line

	while IFS= read -r line; do
		if [[ $line == "$1="* ]]; then
			printf '%s\n' "${line#*=}"
			return
		fi
	done <<<"$2"
}

# loop_lives: does a loop own the session in DIR? Ends the command where that cannot be told.
loop_lives()
{
	local rc=0

	ask -C "$DIR" owner >/dev/null || rc=$?
	case $rc in
	0) return 0 ;;
	1) return 1 ;;
	*) exit "$rc" ;;
	esac
}

# request_pause: asks the loop of the session to end after its step, and says when that is.
request_pause()
{
	local asked pid when

	asked=$(ask -C "$DIR" request pause) || exit
	pid=$(value_of pid "$asked")
	case $(value_of doing "$asked") in
	step) when="after this step (iteration $(value_of iteration "$asked"))" ;;
	wait) when='at once: it waits for a limit' ;;
	ask) when='at once: it waits for an answer' ;;
	begin)
		child_end "$pid"
		say "$BRANCH: no loop is running; the command that owns it (process $pid) was asked to end"
		return 0
		;;
	*) when='at once: no step is running' ;;
	esac
	# The request is what counts; the signal has the loop say so where it runs.
	kill -USR1 "$pid" 2>/dev/null || :
	[[ $(value_of before "$asked") == no ]] || when+='; that was asked already'
	say "$BRANCH will pause $when (\`wisp resume $TYPED\` goes on)"
}

# shellcheck source=lib/child.bash
source "${BASH_SOURCE[0]%/*}/child.bash"
