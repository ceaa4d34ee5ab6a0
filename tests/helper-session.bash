# Sessions written by hand, for commands that only read; `load helper-session` after `load helper`.
#
#	session_make main			# in the repository here; paused, nothing done yet
#	session_make feature/x status=paused pause=needs_input count=3 exit=10 \
#		question='{"id": "q-3", "question": "Which port?", "choices": null, "iteration": 3}'
#	session_entry 3 summary='added a form'	# one of history; use it in history="[$(session_entry 3)]"
#	session_hold				# a process that owns it, until session_drop
#
#	session_run BRANCH N [OPTION]...	# a real one: N tasks, the scenario of helper-scenario, exit code in $status
#
# session_make sets DIR and STATE (its home). What is not said has the value of a new session.

# session_make BRANCH [NAME=VALUE]...: status, count, pause, halt, exit, reason, question, history, config, pid, step,
# checkpoints, phases, tasks (a JSON list), worktree, more (members of the record, each with a comma after it)
session_make()
{
	local branch=$1 setting found project
	local status=paused count=0 pause=null halt=null exit=null reason=null question=null history='[]' config='{}' \
		pid=4711 step=null checkpoints='[]' phases=null tasks='[]' worktree more=''
	project=$(git rev-parse --show-toplevel)
	worktree=$project/.wisp/worktrees/$branch
	shift
	for setting; do
		case $setting in
		pause=* | halt=* | reason=*) printf -v "${setting%%=*}" '"%s"' "${setting#*=}" ;;
		*=*) printf -v "${setting%%=*}" '%s' "${setting#*=}" ;;
		esac
	done
	DIR=$project/.wisp/sessions/$branch
	mkdir -p "$DIR"
	session_object >"$DIR/session.json"
	printf '%s\n' "$tasks" >"$DIR/tasks.json"
	found=$(wisp-session find "$branch")
	STATE=$(sed -n 's/^home=//p' <<<"$found")
	mkdir -p "$STATE/good"
	cat >"$STATE/record.new" <<-END
		{"version": 1, "project": "$project", "branch": "$branch", "worktree": "$worktree",
		 "session": $(session_object), "history": $history, "config": $config, "phases": $phases, "step": $step,
		 "checkpoints": $checkpoints, "question": $question, "feedback": [], "exit": $exit, $more "reason": $reason}
	END
	mv "$STATE/record.new" "$STATE/record.json"
}

# With the variables of session_make.
session_object()
{
	cat <<-END
		{"version": 1, "session_id": "6f1c2e0a-1d5b-4c58-9a57-6a8f3f0a2b11", "branch": "$branch",
		 "template": "default", "agent": "replay", "spec": null, "base": null, "base_branch": "main",
		 "worktree": "$worktree", "started_at": "2026-01-16T10:00:00Z", "last_activity": "2026-01-16T10:10:00Z",
		 "loop_count": $count, "status": "$status", "pause_reason": $pause, "halt_reason": $halt,
		 "totals": {"agent_calls": $count, "seconds": 812.4, "cost_usd": 1.93, "input_tokens": 0, "output_tokens": 0},
		 "owner": {"pid": $pid, "host": "here", "since": "2026-01-16T10:00:00Z"}, "paused_at": null}
	END
}

# session_entry N [NAME=VALUE]...: status, summary, outcome, verify, error
session_entry()
{
	local n=$1 setting
	local status='"CONTINUE"' summary="\"step $1\"" outcome='"ok"' verify='"passed"' error=null state='"valid"'
	shift
	for setting; do
		printf -v "${setting%%=*}" '"%s"' "${setting#*=}"
	done
	printf '{"iteration": %d, "phase": null, "started_at": "2026-01-16T10:00:00Z", "ended_at": "2026-01-16T10:03:05Z",
		"outcome": %s, "state": %s, "status": %s, "summary": %s, "tasks_passed": 1, "tasks_total": 3, "head": "a",
		"tree": "b", "files": ["src/a.c", "README"], "progress": true, "error": %s, "error_hash": null,
		"verify": %s, "cost_usd": 0.21, "tampered": []}' "$n" "$outcome" "$state" "$status" "$summary" "$error" "$verify"
}

# session_hold [SCRIPT]: a process that owns the session of session_make and runs SCRIPT (default: it waits). Sets OWNER.
session_hold()
{
	# Nothing is known of it, as of a command that just begins.
	# shellcheck disable=SC2016 # it is the new shell that expands
	bash -c 'exec 9>>"$1/lock" && wisp-session -C "$2" own --fd 9 && : >"$1/lock" && echo $$ >"$1/owner.pid" && '"${1:-exec sleep 60}" \
		owner "$STATE" "$DIR" 3>&- &
	OWNER=$!
	wait_until 5 test -s "$STATE/owner.pid"
}

session_drop()
{
	if [[ -n ${OWNER-} ]]; then
		kill -KILL "$OWNER" 2>/dev/null || :
		wait "$OWNER" 2>/dev/null || :
	fi
	OWNER=''
}

# A real session with N tasks, run by the scenario in WISP_REPLAY. Sets DIR and STATE, output and status as `run` does.
session_run()
{
	local branch=$1 tasks=$2
	shift 2
	scenario_tasks "$tasks" >"$BATS_TEST_TMPDIR/tasks.json"
	DIR=$(git rev-parse --show-toplevel)/.wisp/sessions/$branch
	run wisp run "$branch" --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json" --foreground "$@" </dev/null
	STATE=$(wisp-session find "$branch" | sed -n 's/^home=//p')
}
