# secrets.bash: which values must not be read by others. Sourced by session.bash.
#
#	secrets_known	of the configuration in CONFIG_TEXT, and of agents' logins: WISP_SECRETS, for the
#			programs that write what people and agents read (src/core/secrets.h)
#
# The values that verify.env and agent.NAME.env set or let through; the variables that an agent says its login depends
# on, where their name says what they are; the files in which its table (NAME.sandbox) says that a login lies.

secrets_known()
{
	local rest=${CONFIG_TEXT-} line file

	WISP_SECRETS=''
	while [[ -n $rest ]]; do
		line=${rest%%$'\n'*}
		rest=${rest#"$line"}
		rest=${rest#$'\n'}
		case ${line%%=*} in
		agent.*.env | verify.env) [[ ${line#*=} == none ]] || secret_is "${line#*=}" ;;
		esac
	done
	for file in "$WISP_LIBEXEC"/agents/* ${PROJECT:+"$PROJECT"/.wisp/agents/*}; do
		case $file in
		*.sandbox) secrets_table "$file" ;;
		*.json) ;;
		*) [[ ! -f $file ]] || secrets_header "$file" ;;
		esac
	done
	export WISP_SECRETS
}

# secret_is LINE: NAME=VALUE, NAME, or @NAME=PATH.
secret_is()
{
	WISP_SECRETS+=${WISP_SECRETS:+$'\n'}$1
}

secrets_header()
{
	local line name i=0

	while ((i < 20)) && IFS= read -r line; do
		i=$((i + 1))
		[[ $line == '# Login: '* ]] || continue
		for name in ${line#'# Login: '}; do
			case $name in
			*KEY* | *TOKEN* | *SECRET* | *PASSWORD*) secret_is "$name" ;;
			esac
		done
		return 0
	done 2>/dev/null <"$1" || :
}

# The folder may be another one, by a variable.
secrets_table()
{
	local word='' value name folder='' at='' file

	name=${1##*/}
	while read -r word value || [[ -n $word ]]; do
		case $word in
		config)
			folder=${value%% *} at=${value#* }
			;;
		login)
			file=$value
			if [[ -n $folder && -n ${!folder-} && $file == "$at"/* ]]; then
				file=${!folder}${file#"$at"}
			fi
			[[ $file != \~/* ]] || file=${HOME-}/${file#*/}
			secret_is "@${name%.sandbox} login=$file"
			;;
		esac
	done <"$1" || :
}
