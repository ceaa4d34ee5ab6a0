# race.bash: several starters of the same session at the same time.
#
# The agent of the one that begins waits in its first step until all others have
# ended, so that each of them comes second. One then does the work to its end.

readonly RACES='run plan-tasks plan init orchestrate graduate run+plan run+graduate sub+run'

part_race()
{
	local kind n round

	TASKS=3
	world_make
	race_shop
	for ((round = FROM; round < FROM + ${ROUNDS:-50}; round++)); do
		for kind in $RACES; do
			wanted "$kind" || continue
			for n in $STARTERS; do
				round_begin "race --starters $n" "$round" "$kind" "$n starters"
				race_round "$kind" "$n"
				round_end
			done
		done
	done
}

# What the agent of an orchestration with one system does, for the replay agent.
race_shop()
{
	local dir

	mkdir -p "$SAVED/shop/wisp/shop" "$SAVED/shop/wisp/shop-cart/1"
	dir=$SAVED/shop/wisp/shop
	replay_leaves "$dir/1" discovery.json '{"gaps":
		[{"category": "cart", "severity": "high", "description": "no cart"}],
		"systems": [{"name": "cart", "type": "gap-fill", "priority": "high",
		"parallelizable": true, "depends_on": [], "estimatedHours": 1}]}'
	replay_leaves "$dir/2" plan.json '{"systems": [{"name": "cart", "tasks":
		[{"category": "feature", "description": "build cart", "steps": [], "passes": false}]}]}'
	replay_leaves "$dir/3" retrospect.json '{"gaps": [], "systems": []}'
	# shellcheck disable=SC2016 # it is the agent that expands
	printf '%s\n' 'w=$WISP_SESSION_DIR/../../../../..' 'rm -f "$w/making"' 'echo 1 >>"$w/calls"' \
		'[ ! -e "$w/wait" ] || until [ -e "$w/go" ]; do sleep 0.02; done' >"$dir/1/effects.new"
	cat "$dir/1/effects.sh" >>"$dir/1/effects.new"
	mv "$dir/1/effects.new" "$dir/1/effects.sh"
	# shellcheck disable=SC2016
	printf ': >"$WISP_SESSION_DIR/../../../../../planned"\n' >>"$dir/2/effects.sh"
	dir=$SAVED/shop/wisp/shop-cart/1
	printf 'echo cart >work; git add -A; git commit -q -m "build cart"\n' >"$dir/effects.sh"
	printf '1\n' >"$dir/pass"
	printf '{"status": "DONE", "summary": "done"}\n' >"$dir/state.json"
	printf '<promise>COMPLETE</promise>\n' >"$dir/output"
	cp "$WORLD/spec.md" "$SAVED/shop.md"
}

replay_leaves() # <folder> <file> <text>
{
	mkdir -p "$1"
	# shellcheck disable=SC2016 # it is the agent that expands
	printf 'cat >"$WISP_SESSION_DIR/%s" <<"END"\n%s\nEND\n' "$2" "$3" >"$1/effects.sh"
	printf '{"status": "CONTINUE", "summary": "done"}\n' >"$1/state.json"
}

# race_command KIND: sets COMMAND.
race_command()
{
	local agent=(--agent "$WORLD/agent")

	REPLAY=''
	case $1 in
	run) COMMAND=(wisp run work "${agent[@]}" --tasks ../tasks.json --trust --foreground) ;;
	plan) COMMAND=(wisp plan ../spec.md --branch work "${agent[@]}" --trust) ;;
	plan-tasks)
		COMMAND=(wisp plan ../spec.md --branch work "${agent[@]}" --tasks ../tasks.json --trust)
		;;
	graduate) COMMAND=(wisp hook graduate --branch work "${agent[@]}") ;;
	init) COMMAND=(wisp init --verify 'sh check') ;;
	orchestrate)
		REPLAY=$WORLD/shop
		COMMAND=(wisp orchestrate ../shop.md --agent replay --foreground --yes --trust)
		;;
	sub)
		REPLAY=$WORLD/shop
		COMMAND=(wisp run wisp/shop-cart "${agent[@]}" --tasks ../tasks.json --trust --foreground)
		;;
	esac
}

# Some rounds' world differs from that of the others.
race_prepare() # <kind>
{
	local i

	CRITERIA=()
	for ((i = 1; i <= TASKS; i++)); do
		CRITERIA+=("--criterion=Task $i")
	done
	case $1 in
	init) rm -rf .wisp ;;
	*graduate) in_world wisp hook start 'Work' ${CRITERIA[@]+"${CRITERIA[@]}"} >/dev/null 2>&1 || : ;;
	esac
	note_person
}

race_round() # <kind> <starters>
{
	local kind=$1 n=$2 i kinds codes='' end

	kinds=("${kind%+*}" "${kind#*+}")
	race_prepare "$kind"
	: >"$WORLD/wait"
	[[ $kind != sub+run ]] || rm "$WORLD/wait"
	mkfifo "$WORLD/gate"
	for ((i = 0; i < n; i++)); do
		race_command "${kinds[i % 2]}"
		if [[ $kind == sub+run ]]; then
			race_command orchestrate
			((i == 0)) || race_command sub
		fi
		if [[ $kind == sub+run && $i -gt 0 ]]; then
			COMMAND=(sh -c 'until [ -e ../planned ]; do sleep 0.01; done; exec "$@"' sh
				"${COMMAND[@]}")
		fi
		start "$i" "${COMMAND[@]}"
	done
	exec 7<>"$WORLD/gate"
	sleep 0.05
	end=$((SECONDS + 90))
	while (($(race_running "$n") > 1 && SECONDS < end)); do
		sleep 0.02
	done
	: >"$WORLD/go"
	for ((i = 0; i < n; i++)); do
		ended "$i" 300
		codes+=" $CODE"
	done
	exec 7>&-
	rm -f "$WORLD/gate" "$WORLD/wait"
	race_judge "$kind" "$n" "$codes"
}

race_running() # <starters>
{
	local i count=0

	for ((i = 0; i < $1; i++)); do
		! runs "$(<"$WORLD/pid.$i")" || count=$((count + 1))
	done
	echo "$count"
}

# times WORD in WORDS
times()
{
	local word count=0

	for word in $2; do
		[[ $word != "$1" ]] || count=$((count + 1))
	done
	echo "$count"
}

race_codes() # <kind> <starters> <codes>
{
	local good refused

	good=$(times 0 "$3") refused=$(times 17 "$3")
	case $1 in
	init) ((good == $2)) ;;
	# 100: it is planned already.
	plan | plan-tasks | graduate) ((good == 1 && good + refused + $(times 100 "$3") == $2)) ;;
	run+*) ((good >= 1 && good <= 2 && good + refused + $(times 100 "$3") == $2)) ;;
	sub+run) [[ $3 != *hung* && $3 != *101* && $3 != *111* && $3 != *102* ]] ;;
	*) ((good == 1 && refused == $2 - 1)) ;;
	esac
}

race_judge() # <kind> <starters> <codes>
{
	local kind=$1 calls=0 file

	race_codes "$kind" "$2" "$3" || {
		lost "exit codes:$3"
		for file in "$WORLD"/log.*; do
			lost "${file##*/}: $(tail -n 3 "$file")"
		done
	}
	[[ ! -e $WORLD/calls ]] || calls=$(wc -l <"$WORLD/calls")
	case $kind in
	init)
		check_init
		check_left
		return
		;;
	orchestrate)
		check_shop
		return
		;;
	sub+run)
		check_sub
		return
		;;
	run) ((calls == TASKS)) || lost "the agent was called $calls times for $TASKS tasks" ;;
	plan) ((calls == 1)) || lost "the agent was called $calls times to plan" ;;
	esac
	race_finish "$kind"
}

# What was planned is done, then all is looked at.
race_finish() # <kind>
{
	local status

	status=$(in_world wisp-state -C .wisp/sessions/work get -f session .status 2>/dev/null) || :
	if [[ $1 != run && ($1 != run+* || $status != completed) ]]; then
		REPLAY=''
		wisp_says after wisp run work --agent "$WORLD/agent" --trust --foreground
		[[ $CODE == 0 ]] || lost "the run after it ended with $CODE: $(tail -n 3 "$WORLD/log.after")"
	fi
	check_session work "$TASKS"
	check_person
	check_left work
}

# What is there is what one init alone makes.
check_init()
{
	local found

	found=$(diff -r "$SAVED/repo/.wisp/templates" .wisp/templates 2>&1) || lost "templates: $found"
	found=$(grep -v -e callsPerHour -e '^\[limits' "$SAVED/repo/.wisp/config" |
		diff - .wisp/config 2>&1) || lost "config: $found"
	found=$(diff "$SAVED/repo/.wisp/.gitignore" .wisp/.gitignore 2>&1) ||
		lost ".gitignore: $found"
	found=$(find .wisp | sort | diff <(cd "$SAVED/repo" && find .wisp | sort) -) ||
		left "in .wisp: $found"
}

check_shop()
{
	local found

	found=$(in_world git diff --no-renames --name-status main wisp/shop -- 2>&1) || :
	[[ $found == $'A\twork' ]] || lost "the branch wisp/shop: ${found:0:200}"
	check_fsck
	check_person
	check_left wisp/shop wisp/shop-cart
}

# Who of the two has the session is open; the other one's work is whole when it goes on.
check_sub()
{
	race_command orchestrate
	if ! in_world git diff --quiet main wisp/shop-cart -- src README check 2>/dev/null; then
		lost "the branch wisp/shop-cart is emptied or gone"
	fi
	wisp_says after wisp orchestrate --resume --branch wisp/shop --foreground --yes --trust
	[[ $CODE == 0 || $CODE == 1[0-7] || $CODE == 100 ]] ||
		lost "orchestrate --resume: $CODE: $(tail -n 3 "$WORLD/log.after")"
	check_fsck
	check_person
	check_left wisp/shop wisp/shop-cart
}
