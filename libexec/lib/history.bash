# history.bash: the checkpoints and put-away work of a session, to look at.
# Sourced after git.bash, for wisp-checkpoint, wisp-diff and wisp-rm.
#
#	refs_of BRANCH      sets the arrays KINDS (checkpoints or failed), NUMBERS,
#	                    COMMITS, HEADS and TIMES, by number

refs_of()
{
	local kind number commit head time rest

	KINDS=() NUMBERS=() COMMITS=() HEADS=() TIMES=()
	git__line for-each-ref --sort=version:refname \
		--format='%(refname) %(objectname) %(committerdate:iso-strict) %(parent)' \
		"refs/wisp/checkpoints/$1/" "refs/wisp/failed/$1/" || die_sys "cannot list the refs of $1"
	while read -r kind commit time head rest; do
		number=${kind##*/}
		kind=${kind#refs/wisp/}
		# Branches may lie below one another in time, never at once; refs do not know.
		if [[ $number =~ ^[0-9]+$ && $kind == *"/$1/$number" ]]; then
			KINDS+=("${kind%%/*}") NUMBERS+=($((10#$number))) COMMITS+=("$commit")
			HEADS+=("$head") TIMES+=("$time")
		fi
	done <<<"$REPLY"
}
