# power.bash: the power fails at any call of a session, and the machine comes up again.
#
# As XFS shows it: what was renamed without a sync is there, but empty. With --xfs it is one, on a
# loop device, which is shut down with its log flushed or not; else the shim notes what was written
# and not synced, by wisp, git and the agent, and that is then cut off.

MOUNTED='' LOOP=''

part_power()
{
	local calls=0 round k n=${ROUNDS:-60} kind=shim

	TASKS=3
	[[ -z $XFS ]] || kind=xfs
	[[ -z $XFS ]] || power_mount
	world_make
	power_faults 0
	world_reset
	power_start
	ended loop 120
	calls=$(counted)
	if [[ $CODE != 0 || $calls -le 200 ]]; then
		echo "power: the session without a cut ended with $CODE after $calls calls" >&4
		exit 1
	fi
	for ((round = FROM; round < FROM + n; round++)); do
		# Spread over the whole session, and at random between.
		round_begin "power${XFS:+ --xfs}" "$round" "$kind" "of $calls calls"
		k=$((1 + (round * 104729 + RANDOM) % calls))
		WHAT+=", cut at call $k"
		power_round "$k"
		round_end
	done
}

# power_faults K: the agent's own calls count as well, and one of them ends the loop's group too.
power_faults()
{
	FAULTS=("LD_PRELOAD=$SHIM" "FAULT_AT=$1" FAULT_DO=group "FAULT_SHARED=$WORLD/count"
		"FAULT_DIRTY=$WORK/dirty")
	# shellcheck disable=SC2016 # it is the agent that expands
	printf 'export %s\nexport FAULT_GROUP=$(cat "$w/pid.loop")\n' "${FAULTS[*]}" \
		>"$WORLD/agent.env"
	: >"$WORK/dirty"
}

power_start()
{
	power_faults "${1:-0}"
	cp "$WORLD/zero" "$WORLD/count"
	[[ -z $XFS ]] || sync -f "$WORLD"
	start loop wisp -c retry.delay=0 run work --agent "$WORLD/agent" --tasks ../tasks.json \
		--trust --foreground
}

power_round() # <call>
{
	local starts=0 command

	power_start "$1"
	ended loop 120
	no_process 10 || left "processes: $(processes)"
	cd "$WORK"
	if [[ -n $XFS ]]; then
		power_cut_xfs
	else
		power_cut
	fi
	cd "$WORLD/repo"
	FAULTS=()
	rm -f "$WORLD/agent.env"
	CODE=none
	until [[ $CODE == 0 ]]; do
		starts=$((starts + 1))
		command=(resume work)
		[[ -e .wisp/sessions/work/session.json ]] ||
			command=(run work --agent "$WORLD/agent" --tasks ../tasks.json --trust)
		wisp_says again wisp -c retry.delay=0 "${command[@]}" --foreground
		[[ $CODE != 0 ]] || break
		lost "${command[*]:0:2} ended with $CODE: $(tail -n 4 "$WORLD/log.again")"
		((starts < 3)) || break
	done
	check_session work "$TASKS"
	check_person
	check_left work
	power_calls
}

# At most the step that was open is done again.
power_calls()
{
	local calls

	[[ -e $WORLD/calls ]] || lost "the agent was not called"
	calls=$(wc -l 2>/dev/null <"$WORLD/calls") || calls=0
	((calls <= TASKS + 1)) || lost "$calls calls of the agent for $TASKS tasks"
}

# Cuts each file to what was synced of it.
power_cut()
{
	find "$WORLD/repo" "$WORLD/home" -type f -printf '%D:%i %p\n' |
		awk -v dirty="$WORK/dirty" '
			BEGIN {
				while ((getline line <dirty) > 0) {
					split(line, w, " ")
					if (w[1] == "*") split("", size)
					else if (w[2] == "-") delete size[w[1]]
					else if (!(w[1] in size) || w[2] < size[w[1]]) size[w[1]] = w[2]
				}
			}
			$1 in size { print size[$1], substr($0, length($1) + 2) }' >"$WORK/cut"
	while read -r size file; do
		truncate -c -s "<$size" "$file"
	done <"$WORK/cut"
}

# --- XFS ---------------------------------------------------------------------

power_mount()
{
	local tool

	for tool in mkfs.xfs xfs_io losetup mount; do
		type -P "$tool" >/dev/null || {
			echo "tests/reliability/run: --xfs needs root and $tool (Debian: apt-get install xfsprogs)" >&4
			exit 100
		}
	done
	PLACE=$WORK/disk
	mkdir "$PLACE"
	truncate -s 320M "$WORK/image"
	mkfs.xfs -q "$WORK/image"
	LOOP=$(losetup -f --show "$WORK/image")
	mount "$LOOP" "$PLACE"
	MOUNTED=$PLACE
}

# However the run ends.
power_end()
{
	power_unmount || :
	[[ -z $LOOP ]] || losetup -d "$LOOP"
	LOOP=''
}

power_unmount()
{
	local tries=0

	[[ -n $MOUNTED ]] || return 0
	# What was killed a moment ago may still hold it.
	until umount "$MOUNTED" 2>/dev/null; do
		((tries++ < 100)) || {
			echo "power: '$MOUNTED' cannot be unmounted" >&4
			umount -l "$MOUNTED"
			MOUNTED=''
			return 1
		}
		sleep 0.1
	done
	MOUNTED=''
}

power_cut_xfs()
{
	if ((RANDOM % 2)); then
		xfs_io -x -c 'shutdown -f' "$PLACE"
	else
		xfs_io -x -c shutdown "$PLACE"
	fi
	power_unmount
	mount "$LOOP" "$PLACE"
	MOUNTED=$PLACE
}
