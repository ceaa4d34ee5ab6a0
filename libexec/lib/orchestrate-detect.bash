# orchestrate-detect.bash: what kind of project is it? Sourced by orchestrate.bash, whose
# head says what the variables are.
#
# Git counts, wisp-orch weighs (src/orch/detect.h): no agent, no clock, no file is opened.
#
#	detect OPTION...     wisp-orch detect with what git says of PROJECT
#	orchestrate_detect   into the state, and shown
#	detect_ask           a person at the terminal confirms it, or says another mode

# The commits of HEAD; the days from the first to the last.
detect()
{
	local commits authors tags merges first last

	git_use "$PROJECT" || exit "$EXIT_SYS"
	commits=$(git_quiet rev-list --count HEAD --) || exit "$EXIT_SYS"
	merges=$(git_quiet rev-list --count --merges HEAD --) || exit "$EXIT_SYS"
	authors=$(git_quiet log --no-show-signature --format='%aE' HEAD -- | LC_ALL=C sort -u | wc -l) || exit "$EXIT_SYS"
	tags=$(git_quiet tag --merged HEAD | wc -l) || exit "$EXIT_SYS"
	last=$(git_quiet log --no-show-signature -1 --format='%ct' HEAD --) || exit "$EXIT_SYS"
	first=$(git_quiet log --no-show-signature --format='%ct' HEAD -- | LC_ALL=C sort -n | sed -n 1p) || exit "$EXIT_SYS"
	git_quiet ls-files -z --full-name >"$SCRATCH/names" || exit "$EXIT_SYS"
	wisp-orch "$@" detect --template "$TEMPLATE_DIR" --fact commits="$commits" --fact merges="$merges" \
		--fact authors="$((authors))" --fact tags="$((tags))" \
		--fact days="$((last > first ? (last - first) / 86400 : 0))" <"$SCRATCH/names" 9>&-
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
	local word

	while [[ -z $END ]]; do
		read -r -p "Is it $DETECTED? [Y, or g: greenfield, f: brownfield-feature, p: brownfield-polish] " word || {
			asked_to_stop
			[[ -n $END ]] || stop_here "$EXIT_INPUT" "the mode is to be confirmed"
			return 0
		}
		case $word in
		'' | [yY]*) orch mode ;;
		g | greenfield) orch mode --mode greenfield ;;
		f | brownfield-feature) orch mode --mode brownfield-feature ;;
		p | brownfield-polish) orch mode --mode brownfield-polish ;;
		*) continue ;;
		esac
		return 0
	done
}
