# options.bash: how every wisp command reads its arguments; part of common.bash.

# parse_options SPEC ARGUMENT...
#
# SPEC names the options: 'agent=,json,max-iterations=,n='. A `=` at the end: it
# takes a value. One letter: a short option (-n 5, -n5, -fn5). They may stand
# anywhere among the operands; `--opt=value` and `--opt value` are the same; `--`
# ends them, `-` is an operand. An unknown option ends the command with 100.
#
# Sets opt_NAME (- becomes _) for every option of SPEC: the last value given, 1
# for a flag, empty where it was not given. Sets the arrays ARGS (operands) and
# OPTIONS (NAME VALUE NAME VALUE ..., in order, for those that may be repeated:
# see option_values). The table of option_put has all of them; files that more than
# one command sources declare what those may lack.
#
# Answers --help and -h itself, and, as the first argument, --complete; -c KEY=VALUE is any command's.
parse_options()
{
	local spec=$1 name
	shift

	ARGS=() OPTIONS=()
	for name in ${spec//,/ }; do
		name=${name%=}
		option_put "$name" ''
	done
	if [[ ${1-} == --complete ]]; then
		options_list "$spec"
		exit 0
	fi
	while (($#)); do
		case $1 in
		--)
			shift
			ARGS+=("$@")
			return 0
			;;
		--help | -h) exec "$WISP_LIBEXEC/wisp-help" "${PROGRAM#wisp }" ;;
		-c)
			config_set "${2-}"
			OPTION_TOOK=2
			;;
		--*=*) option_set "$spec" "${1%%=*}" 1 "${1#*=}" ;;
		--*) option_set "$spec" "$1" $(($# > 1 ? 2 : 0)) "${2-}" ;;
		-?*) option_set_short "$spec" "$@" ;;
		*)
			ARGS+=("$1")
			OPTION_TOOK=1
			;;
		esac
		shift "$OPTION_TOOK"
	done
}

# split_command ARGUMENT...: BEFORE is what stands before `--`, COMMAND the rest.
split_command()
{
	BEFORE=() COMMAND=()
	while (($#)) && [[ $1 != -- ]]; do
		BEFORE+=("$1")
		shift
	done
	(($# == 0)) || COMMAND=("${@:2}")
}

# A setting for this call alone; the layers are read where they are needed.
config_set()
{
	case $1 in
	*$'\n'*) die_usage "-c: a value of one line is needed" ;;
	[[:alpha:]]*=*) ;;
	*) die_usage "-c needs key=value, not '$1'" ;;
	esac
	WISP_CONFIG_SET=${WISP_CONFIG_SET:+$WISP_CONFIG_SET$'\n'}$1
	export WISP_CONFIG_SET
}

# option_values NAME: sets the array VALUES to every value that the option got.
option_values()
{
	local i

	VALUES=()
	for ((i = 0; i < ${#OPTIONS[@]}; i += 2)); do
		if [[ ${OPTIONS[i]} == "$1" ]]; then
			VALUES+=("${OPTIONS[i + 1]}")
		fi
	done
}

# operands MIN [MAX]: how many ARGS there may be; without MAX, any number.
operands()
{
	if ((${#ARGS[@]} < $1)); then
		die_usage "an argument is missing: $(sed -n '/^# Usage: /{s///p;q;}' "$0"); see $PROGRAM --help"
	fi
	if [[ -n ${2-} ]] && ((${#ARGS[@]} > $2)); then
		die_usage "unexpected argument '${ARGS[$2]}'; see $PROGRAM --help"
	fi
}

# --- what the functions above are made of ----------------------------------

# option_names SPEC: sets the array NAMES to the options as they are typed.
option_names()
{
	local name

	NAMES=()
	for name in ${1//,/ }; do
		name=${name%=}
		if ((${#name} == 1)); then
			NAMES+=("-$name")
		else
			NAMES+=("--$name")
		fi
	done
}

options_list()
{
	option_names "$1"
	printf '%s\n' ${NAMES[@]+"${NAMES[@]}"} --help
}

# option_set SPEC OPTION COUNT VALUE: COUNT is how many arguments option and
# value are together; 1 means `--opt=value`, 0 that no argument follows.
option_set()
{
	local spec=",$1," option=$2 name=${2#-} count=$3 value=$4
	name=${name#-}

	if [[ $option == --? || $name != [[:alnum:]]* || $name == *[^[:alnum:]-]* ]]; then
		option_unknown "$1" "$option"
	fi
	case $spec in
	*",$name=,"*)
		if ((count == 0)); then
			die_usage "$option needs a value"
		fi
		OPTION_TOOK=$count
		;;
	*",$name,"*)
		if ((count == 1)); then
			die_usage "$option takes no value"
		fi
		OPTION_TOOK=1 value=1
		;;
	*) option_unknown "$1" "$option" ;;
	esac
	option_put "$name" "$value"
	OPTIONS+=("$name" "$value")
}

# option_put NAME VALUE: the options of all commands.
# shellcheck disable=SC2034 # each command uses some of them
option_put()
{
	case $1 in
	a) opt_a=$2 ;;
	abort) opt_abort=$2 ;;
	add) opt_add=$2 ;;
	agent) opt_agent=$2 ;;
	all) opt_all=$2 ;;
	branch) opt_branch=$2 ;;
	category) opt_category=$2 ;;
	detach) opt_detach=$2 ;;
	dir) opt_dir=$2 ;;
	dry-run) opt_dry_run=$2 ;;
	f) opt_f=$2 ;;
	failing) opt_failing=$2 ;;
	feedback) opt_feedback=$2 ;;
	flaky) opt_flaky=$2 ;;
	force) opt_force=$2 ;;
	foreground) opt_foreground=$2 ;;
	from) opt_from=$2 ;;
	guide) opt_guide=$2 ;;
	hooks) opt_hooks=$2 ;;
	in-place) opt_in_place=$2 ;;
	json) opt_json=$2 ;;
	keep) opt_keep=$2 ;;
	list) opt_list=$2 ;;
	lost) opt_lost=$2 ;;
	max-cost) opt_max_cost=$2 ;;
	max-hours) opt_max_hours=$2 ;;
	max-iterations) opt_max_iterations=$2 ;;
	merge) opt_merge=$2 ;;
	mode) opt_mode=$2 ;;
	n) opt_n=$2 ;;
	new) opt_new=$2 ;;
	no-run) opt_no_run=$2 ;;
	no-sandbox) opt_no_sandbox=$2 ;;
	no-verify) opt_no_verify=$2 ;;
	no-wait) opt_no_wait=$2 ;;
	now) opt_now=$2 ;;
	once) opt_once=$2 ;;
	origin) opt_origin=$2 ;;
	parallel) opt_parallel=$2 ;;
	plain) opt_plain=$2 ;;
	pr) opt_pr=$2 ;;
	push) opt_push=$2 ;;
	r) opt_r=$2 ;;
	raw) opt_raw=$2 ;;
	replace) opt_replace=$2 ;;
	reset) opt_reset=$2 ;;
	resume) opt_resume=$2 ;;
	sandbox) opt_sandbox=$2 ;;
	short) opt_short=$2 ;;
	skip-phase) opt_skip_phase=$2 ;;
	spec) opt_spec=$2 ;;
	stat) opt_stat=$2 ;;
	tasks) opt_tasks=$2 ;;
	template) opt_template=$2 ;;
	to) opt_to=$2 ;;
	trust) opt_trust=$2 ;;
	unset) opt_unset=$2 ;;
	verify) opt_verify=$2 ;;
	wait) opt_wait=$2 ;;
	yes) opt_yes=$2 ;;
	*) die_bug "no command has an option '$1'" ;;
	esac
}

option_unknown()
{
	local hint=''

	if ((${#2} > 2)); then # a letter is near to every other letter
		option_names "$1"
		hint=$(did_you_mean "$2" ${NAMES[@]+"${NAMES[@]}"} --help)
	fi
	die_usage "unknown option '$2'${hint:-; see $PROGRAM --help}"
}

# option_set_short SPEC -LETTERS ARGUMENT...: flags may share one dash, and the
# rest of the word is the value of the first that takes one.
option_set_short()
{
	local spec=$1 letters=${2#-} letter
	shift 2

	while [[ -n $letters ]]; do
		letter=${letters:0:1} letters=${letters:1}
		case ,$spec, in
		*",$letter=,"*)
			if [[ -n $letters ]]; then
				option_set "$spec" "-$letter" 1 "$letters"
			else
				option_set "$spec" "-$letter" $(($# > 0 ? 2 : 0)) "${1-}"
			fi
			return 0
			;;
		*) option_set "$spec" "-$letter" 2 '' ;;
		esac
	done
	OPTION_TOOK=1
}
