# doctor.bash: what wisp-doctor looks at in this project: repository, templates,
# configuration, agent. Sourced by it; each function calls report. What is left
# over is in doctor-left.bash.

PROJECT='' TEMPLATE_DIR='' CONFIG_TEXT=''

# Sets PROJECT.
check_repository()
{
	if ! git_top; then
		report FAIL repository "none here: $REPLY"
		return 0
	fi
	PROJECT=$REPLY
	if ! git_run -C "$PROJECT" rev-parse -q --verify 'HEAD^{commit}' >/dev/null; then
		report FAIL repository "'$PROJECT' has no commit yet: make one first"
	elif ! git_run -C "$PROJECT" var GIT_AUTHOR_IDENT >/dev/null 2>&1 ||
		! git_run -C "$PROJECT" var GIT_COMMITTER_IDENT >/dev/null 2>&1; then
		report FAIL repository 'git knows no name and address to commit with (git config user.name, user.email)'
	elif git_use "$PROJECT" && git_filter_missing; then
		report FAIL repository "$REPLY"
	else
		report ok repository "$PROJECT"
	fi
	if git_hooks_path "$PROJECT" && git__line ls-files -- "$HOOKS" && [[ -z $REPLY ]]; then
		report warn hooks "core.hooksPath is $HOOKS, which is not committed: sessions have it by worktree.copy or worktree.setup alone"
	fi
	if [[ ! -d $PROJECT/.wisp ]]; then
		report warn init 'not done here: wisp init finds the test command and copies the template'
	fi
}

# The file system of the project, where sessions lie.
check_disk()
{
	local dir=$PROJECT/.wisp why

	[[ -n $PROJECT ]] || return 0
	[[ -d $dir ]] || dir=$PROJECT
	if why=$(ask disk "$dir" 2>&1); then
		report ok disk "in '$dir': atomic rename, fsync and locks work"
	else
		report FAIL disk "${why#*: }"
	fi
}

# The template in use, which must hold, and the project's other copies.
check_templates()
{
	local used=${WISP_TEMPLATE:-default} why dir

	if ! why=$(template_dir "$used" 2>&1); then
		report FAIL template "${why#*: }"
	else
		template_dir "$used"
		check_template "$used" FAIL
	fi
	for dir in ${PROJECT:+"$PROJECT"/.wisp/templates/*/}; do
		dir=${dir%/}
		if [[ (-e $dir/loop.json || -e $dir/system.md) && $dir != "$TEMPLATE_DIR" ]]; then
			used=$TEMPLATE_DIR TEMPLATE_DIR=$dir
			check_template "${dir##*/}" warn
			TEMPLATE_DIR=$used
		fi
	done
}

# check_template NAME WORD: the one in TEMPLATE_DIR; WORD where its loop.json does not hold.
check_template()
{
	local why

	if ! why=$(wisp-filter template "$TEMPLATE_DIR" 2>&1) ||
		{ [[ -e $TEMPLATE_DIR/loop.json ]] && ! why=$(wisp-config list --template "$TEMPLATE_DIR/loop.json" 2>&1); }; then
		report "$2" template "$1: ${why#*: }"
	elif [[ -n $PROJECT && $TEMPLATE_DIR == "$PROJECT/.wisp/"* ]]; then
		check_copy "$1"
	else
		report ok template "$1, as it is shipped"
	fi
}

# Is the project's copy behind what is shipped?
check_copy()
{
	local source file names behind='' edited=0

	if ! source=$(template_source "$1"); then
		report ok template "$1, the project's own"
		return 0
	fi
	names=$(template_files "$source")
	while IFS= read -r file; do
		case $(template_state "$source" "$TEMPLATE_DIR" "$file") in
		missing | behind) behind+="${behind:+, }$file" ;;
		both) behind+="${behind:+, }$file (edited)" ;;
		edited) edited=$((edited + 1)) ;;
		esac
	done <<<"$names"
	if [[ -n $behind ]]; then
		report warn template "$1 is behind what is shipped: $behind (wisp init renews what is not edited)"
	else
		report ok template "$1, the project's copy, $edited files edited"
	fi
}

# Sets CONFIG_TEXT, for config_value of config.bash.
check_config()
{
	local why

	config_layers "$TEMPLATE_DIR"
	if ! why=$(wisp-config list ${CONFIG_ARGS[@]+"${CONFIG_ARGS[@]}"} 2>&1); then
		report FAIL config "${why#*: }"
		return 0
	fi
	# shellcheck disable=SC2034 # config_value reads it
	CONFIG_TEXT=$why
	secrets_known
	if [[ -n $PROJECT ]] && ! why=$(config_trusted "$TEMPLATE_DIR" 2>&1 | wisp-config hide); then
		report warn config "project files set commands that you have not approved: ${why//$'\n'/, } (a run asks)"
	elif config_value verify.command && [[ -z $VALUE ]]; then
		report warn config 'no verify.command: what sessions do is unverified'
	else
		report ok config "verify.command is '$VALUE'"
		check_withheld
	fi
	check_secrets
	check_driver
	check_hosts
}

# Which of the values that are to be kept from logs are not.
check_secrets()
{
	local said plain

	said=$(wisp-config secrets) || return 0
	plain=$(value_of plain "$said")
	[[ -z $plain ]] || report warn secrets "not taken out of logs and prompts: $plain"
}

check_withheld()
{
	local said

	config_value verify.env
	if [[ -z $VALUE ]] && said=$(detect_withheld "$PROJECT") && [[ -n $said ]]; then
		report warn environment "$said"
	fi
}

# What the repository brings along is not started just to look at it.
check_agent()
{
	local name why rc=0

	config_value agent.default
	name=${opt_agent:-${WISP_AGENT:-$VALUE}}
	if ! why=$(agent_resolve "$name" 2>&1); then
		report FAIL agent "${why#*: }"
		return 0
	fi
	agent_resolve "$name"
	if [[ $name == */* || ${AGENT_COMMAND[0]} == sh || ${AGENT_COMMAND[0]} == "$PROJECT"/.wisp/* ]]; then
		report ok agent "$name, not asked: it is not one that ships with wisp"
		return 0
	fi
	agent_probe || rc=$?
	case $rc in
	0) report ok agent "$name $(value_of version "$REPLY") ($(value_of path "$REPLY"))" ;;
	1) report FAIL agent "$name: $(value_of problem "$REPLY")" ;;
	*) report FAIL agent "$name does not answer to --probe" ;;
	esac
}
