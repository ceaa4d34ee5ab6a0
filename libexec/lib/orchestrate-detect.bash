# orchestrate-detect.bash: what kind of project is it? Sourced by orchestrate.bash, whose
# head says what the variables are.
#
# Git counts, wisp-orch weighs (src/orch/detect.h): no agent, no clock, no file is opened.
#
#	detect OPTION...     wisp-orch detect with what git says of WORKTREE
#	orchestrate_detect   into the state, and shown
#	detect_ask           a person at the terminal confirms it, or says another mode

# What the branch begins on is looked at, not what lies about in a work tree. The history is
# walked once. That of a shallow clone says nothing of the project's age, so nothing is told of it.
detect()
{
	local facts=() tree=$SCRATCH/tree history=$SCRATCH/history commits authors merges tags first last

	git_use "$WORKTREE" || exit "$EXIT_SYS"
	git_quiet ls-tree -r -z --full-tree HEAD >"$tree" || exit "$EXIT_SYS"
	if git__line rev-parse --is-shallow-repository && [[ $REPLY == false ]]; then
		git_quiet log --no-show-signature --format='%ct:%p:%ae' HEAD -- >"$history" || exit "$EXIT_SYS"
		commits=$(wc -l <"$history")
		merges=$(LC_ALL=C sed -n '/^[^:]*:[^:]* /p' "$history" | wc -l)
		authors=$(LC_ALL=C cut -d : -f 3- "$history" | LC_ALL=C sort -u | wc -l)
		first=$(LC_ALL=C cut -d : -f 1 "$history" | LC_ALL=C sort -n | sed -n '1p;$p')
		last=${first##*$'\n'} first=${first%%$'\n'*}
		git_quiet tag --merged HEAD >"$SCRATCH/tags" || exit "$EXIT_SYS"
		tags=$(wc -l <"$SCRATCH/tags")
		facts=(--fact "commits=$((commits))" --fact "merges=$((merges))" --fact "authors=$((authors))" --fact "tags=$((tags))"
			--fact "days=$(((last - first) / 86400))")
	fi
	wisp-orch "$@" detect --template "$TEMPLATE_DIR" ${facts[@]+"${facts[@]}"} <"$tree" 9>&-
}

orchestrate_detect()
{
	local shown

	shown=$(detect -C "$DIR") || loop_fail $?
	DETECTED=${shown##*$'\n'detected }
	DETECTED=${DETECTED%%,*}
	tell "$shown"
}
DETECTED=''

detect_ask()
{
	local stamp

	while :; do
		stamp=$(wisp-wait --stamp "$STATE/requests" 9>&-)
		asked_to_stop
		[[ -z $END ]] || return 0
		tell "Is it $DETECTED? [Y, or g: greenfield, f: brownfield-feature, p: brownfield-polish]"
		typed_text "$stamp" || continue
		case $REPLY in
		'' | [yY]*) orch mode ;;
		g | greenfield) orch mode --mode greenfield ;;
		f | brownfield-feature) orch mode --mode brownfield-feature ;;
		p | brownfield-polish) orch mode --mode brownfield-polish ;;
		*) continue ;;
		esac
		return 0
	done
}
