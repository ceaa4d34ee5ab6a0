# orchestrate-execute.bash: the phase in which agents work side by side. Sourced by
# orchestrate.bash, whose head says what the variables are.
#
# Whenever something has happened, and else every two seconds: what has become of each
# (observe), and what is to be done (next). All of that is decided by wisp-orch; here it is
# carried out.

readonly ROUND=2s PAUSE=200ms	# between rounds at most, and at least
EXECUTED='' WATCH=()

phase_execute()
{
	local kind rest

	orch reopen ${opt_resume:+--failed}
	opt_resume=''
	while [[ -z $END ]]; do
		asked_to_stop
		[[ -z $END ]] || break
		execute_observe
		[[ -z $HELD ]] || merge_held
		WATCH=()
		while IFS='=' read -r kind rest; do
			execute_act "$kind" "$rest"
		done < <(wisp-orch -C "$DIR" next ${HELD:+--held} 9>&- || echo "failed=$?")
		[[ -z $END && $EXECUTED != 'done' ]] || break
		merge_round
		[[ -n $END ]] || execute_wait
	done
	if [[ -n $END ]]; then
		execute_stop
	else
		orch move RETROSPECT
	fi
}

execute_act()
{
	case $1 in
	start) sub_start "$2" first ;;
	resume) sub_start "$2" ;;
	merge) merge_begin "$2" ;;
	fail) orch note failed "${2%% *}" --reason "${2#* }" ;;
	act) EXECUTED=$2 ;;
	watch) WATCH+=("$2") ;;
	failed) loop_fail "$2" ;;
	esac
}

# What people are shown is said where it happens: a line for each change.
execute_observe()
{
	local line args=() name

	git_tips
	beside_look
	for name in ${BESIDE[@]+"${BESIDE[@]}"}; do
		args+=(--beside "${name%% *}")
	done
	[[ -z $opt_yes ]] || args+=(--yes)
	while IFS= read -r line; do
		case $line in
		event=*) tell "wisp: ${line#event=}" ;;
		gate=*)
			bell
			notify gate
			;;
		crashed=*)
			name=${line#crashed=}
			sub_start "$name"
			;;
		failed=*) loop_fail "${line#failed=}" ;;
		esac
	done < <(wisp-orch -C "$DIR" observe ${GIT_SEEN[@]+"${GIT_SEEN[@]}"} ${args[@]+"${args[@]}"} 9>&- || echo "failed=$?")
}

# Sets GIT_SEEN: --git SYSTEM=FILES,COMMITS for the branches that have moved since the last look.
TIPS='' GIT_SEEN=()
git_tips()
{
	local tips commit ref name files=$SCRATCH/files

	GIT_SEEN=()
	git_use "$PROJECT"
	git__line for-each-ref --format='%(objectname) %(refname)' "refs/heads/$BRANCH-*" || return 0
	tips=$REPLY
	[[ $tips != "$TIPS" ]] || return 0
	while read -r commit ref; do
		[[ -n $commit && $TIPS != *"$commit $ref"* ]] || continue
		name=${ref#refs/heads/"$BRANCH"-}
		git_quiet diff --name-only --no-renames --no-ext-diff "refs/heads/$BRANCH...$commit" -- >"$files" || continue
		git__line rev-list --count "$commit" "^refs/heads/$BRANCH" -- || continue
		GIT_SEEN+=(--git "$name=$(($(wc -l <"$files"))),$REPLY")
	done <<<"$tips"
	TIPS=$tips
}

# Nothing runs, and only people can change that: is anybody there?
execute_wait()
{
	if [[ $EXECUTED == person && -z $ASK && -z $MERGING ]]; then
		stop_here "$EXIT_INPUT" "waits for a person: ${HELD:-wisp gate list}"
		return 0
	fi
	wait_for --for "$ROUND" "$STATE/requests" ${MERGING:+"$MERGE_DIR"} ${WATCH[@]+"${WATCH[@]}"} || :
	[[ -n $CUT ]] || wait_for --for "$PAUSE" "$STATE/requests" || :
}

# Whoever runs, or waits for a person, is told to end, and is waited for, one that has not begun yet included; what was at
# work is open again.
execute_stop()
{
	local how=pause told=' ' name new=() alive=()

	[[ -z $CUT ]] || how=now
	merge_cut
	while :; do
		beside_look
		new=() alive=()
		while IFS= read -r name; do
			alive+=("$name")
			[[ $told == *" $name "* ]] || new+=("$name")
		done < <(wisp-orch -C "$DIR" alive 9>&-)
		((${#alive[@]} + ${#BESIDE[@]})) || break
		if ((${#new[@]})); then
			tell "wisp: ending ${#new[@]} agents: ${new[*]}"
			sub_stop "$how" "${new[@]}"
			told+=$TOLD
		fi
		if [[ -n $CUT && $how == pause ]]; then
			how=now told=' '
			continue
		fi
		wait_for --for 500ms "$STATE/requests" || :
	done
	orch reopen
}
