# doctor-sandbox.bash: what a sandbox holds off here, by trying each thing in it. Sourced by
# wisp-doctor; calls report.
#
#	check_sandbox		which of them work: FOUND
#	check_driver		what confines a step, by the key `sandbox`
#	check_hosts		what a list of hosts needs, where one is set
#	prove_sandbox		tries everything in each of those
#
# All of it happens in a world of its own: a home with a key, records, a repository and a linked work tree, in
# a folder of the records' that is removed afterwards, as is HOST, in TMPDIR: a runtime folder with a socket.

PROOF='' HOST='' FOUND=''

check_sandbox()
{
	local kind why found=''

	for kind in bwrap landlock; do
		if why=$(wisp-sandbox driver --driver "$kind" 2>&1); then
			report ok "sandbox $kind" 'works'
			found+=${found:+, }$kind
		else
			why=${why#*here (}
			report warn "sandbox $kind" "${why%); *}"
		fi
	done
	[[ -n $found ]] || report FAIL sandbox 'nothing can confine a step here: install bubblewrap'
	FOUND=$found
}

# A start ends with 16 where nothing can.
check_driver()
{
	local said

	config_value sandbox
	if [[ $VALUE == off ]]; then
		report ok sandbox 'off: nothing confines a step'
	elif said=$(wisp-sandbox driver --driver "$VALUE" 2>&1); then
		report ok sandbox "${said#driver=} confines a step"
	else
		report FAIL sandbox "${said#*: }"
	fi
}

check_hosts()
{
	local tool missing=''

	config_values sandbox.network
	[[ ${VALUES[0]-} != open && ${VALUES[0]-} != off ]] || VALUES=()
	if ((${#VALUES[@]} == 0)); then
		config_values sandbox.setupNetwork
		[[ ${VALUES[0]-} != open && ${VALUES[0]-} != off ]] || VALUES=()
	fi
	((${#VALUES[@]})) || return 0
	for tool in squid socat; do
		PATH=$PATH:/usr/sbin:/usr/local/sbin type -P "$tool" >/dev/null || missing+="${missing:+ and }$tool"
	done
	if [[ -n $missing ]]; then
		report FAIL sandbox.network "a list of hosts needs $missing: install it, or set the network to open or off"
	else
		report ok sandbox.network 'squid and socat are there for the list of hosts'
	fi
}

# What is tried: what bwrap and landlock should say of it (r refused, a allowed, w refused or else named as not held
# off), its name, the attempt.
attempts()
{
	local home=$PROOF/home app=$PROOF/app tree=$PROOF/tree other=$PROOF/other object

	object=$(find "$app/.git/objects" -type f | head -n 1)

	cat <<-END
		a a|write in the work tree|write $tree/new
		a a|read the system|read /etc/passwd
		a a|read ~/.gitconfig|read $home/.gitconfig
		r r|write ~/.bashrc|write $home/.bashrc
		r r|write it by a link|write $tree/bashrc
		r r|write /etc/hosts|write /etc/hosts
		r r|read a file in the TMPDIR of others|read $HOST/file
		r r|read a key in ~/.ssh|read $home/.ssh/id
		r r|read it by a link|read $tree/link
		r r|read it by /proc/self/root|read /proc/self/root$home/.ssh/id
		r r|read it while a folder and a link change places|race $tree/race id
		r r|move ~/.ssh away|rename $home/.ssh $home/ssh
		r r|read the records of wisp|read $PROOF/records/record.json
		r r|write the records of wisp|write $PROOF/records/record.json
		r r|move the records of wisp away|rename $PROOF/records $PROOF/gone
		r r|write another work tree|write $other/README
		r r|write the checkout|write $app/README
		r r|write .git/config|write $app/.git/config
		r r|write .git/hooks|write $app/.git/hooks/post-checkout
		r r|write another branch|write $app/.git/refs/heads/other
		r r|write commondir|write $app/.git/worktrees/tree/commondir
		r r|remove HEAD of the repository|remove $app/.git/HEAD
		r r|remove an object of the repository|remove $object
		r a|write .git of the work tree|write $tree/.git
		r a|move .git of the work tree away|rename $tree/.git $tree/git
		r r|link a file of outside into the work tree|link $app/README $tree/linked
		r r|signal a process outside|kill $1
		r r|trace a process outside|trace $1
		r r|read its environment|read /proc/$1/environ
		r r|read by its root|read /proc/$1/root/etc/passwd
		r r|set core_pattern|write /proc/sys/kernel/core_pattern
		r r|make a user namespace|unshare
		r r|mount|mount $tree
		r r|gain privileges by a setuid program|setuid
		r w|reach a socket in XDG_RUNTIME_DIR (ssh-agent, D-Bus, tmux)|socket $HOST/run/s
		w w|reach an abstract socket|abstract wisp-proof-$$
		r r|use io_uring|io_uring
		r r|type into the terminal|type
	END
}

# Without a network.
attempts_off()
{
	cat <<-END
		r r|TCP out, without a network|tcp 192.0.2.1 80
		r r|UDP and DNS out, without a network|udp 192.0.2.1 53
		r r|a link-local address, without a network|tcp 169.254.169.254 80
	END
}

make_world()
{
	PROOF=$(mktemp -d "${WISP_HOME:-${XDG_STATE_HOME:-${HOME-}/.local/state}/wisp}/.proof.XXXXXX") ||
		die_sys 'cannot make a folder in that of the records'
	trap 'exec 7>&-; rm -rf -- "$PROOF" "$HOST"' EXIT
	HOST=$(mktemp -d "${TMPDIR:-/tmp}/wisp-proof.XXXXXX") || die_sys "cannot make a folder in '${TMPDIR:-/tmp}'"
	mkdir -p -- "$PROOF/home/.ssh" "$PROOF/records" "$PROOF/tmp" "$HOST/run"
	: >"$HOST/file"
	: >"$PROOF/home/.bashrc"
	echo canary >"$PROOF/home/.ssh/id"
	: >"$PROOF/home/.gitconfig"
	echo '{}' >"$PROOF/records/record.json"
	{
		git init -q "$PROOF/app" && cd -- "$PROOF/app" && : >README && git add README &&
			git -c user.name=wisp -c user.email=wisp@localhost commit -q -m Begin &&
			git branch other && git worktree add -q -b tree ../tree && git worktree add -q ../other other
	} >/dev/null 2>&1 || die_sys "cannot make a repository in '$PROOF'"
	ln -s "$PROOF/home/.ssh/id" "$PROOF/tree/link"
	ln -s "$PROOF/home/.bashrc" "$PROOF/tree/bashrc"
	mkdir -p -- "$PROOF/tree/race/door"
	ln -s "$PROOF/home/.ssh" "$PROOF/tree/race/way"
	exec 7> >(exec wisp-sandbox listen "$HOST/run/s" "wisp-proof-$$")
	until [[ -S $HOST/run/s ]] || ! kill -0 $! 2>/dev/null; do
		wisp-wait --for 20ms "$HOST" >/dev/null || :
	done
}

# try_all KIND PID [CONFIG]: the answer to each attempt on stdin, a line each.
try_all()
{
	(
		cd -- "$PROOF/tree" || exit
		# shellcheck disable=SC2016 # the inner shell expands it
		env -u XDG_CONFIG_HOME -u XDG_DATA_HOME XDG_RUNTIME_DIR="$HOST/run" HOME="$PROOF/home" WISP_HOME="$PROOF/records" \
			wisp-sandbox run --driver "$1" --known --tmp "$PROOF/tmp" ${2:+--config "$2"} -- bash -c '
			while IFS="|" read -r _ _ attempt; do
				read -r -a words <<<"$attempt"
				wisp-sandbox try "${words[@]}" 2>&1 || :
			done'
	)
}

# judge KIND ATTEMPTS ANSWERS: reports each.
judge_attempts()
{
	local kind=$1 expected name answer rest=$3

	while IFS='|' read -r expected name _; do
		answer=${rest%%$'\n'*}
		rest=${rest#*$'\n'}
		[[ $kind == bwrap ]] || expected=${expected#* }
		case ${expected:0:1}:$answer in
		[rw]:refused* | [aw]:allowed*)
			if [[ $answer == allowed* && $name != *'in the work tree' && $name != read* ]]; then
				report warn "sandbox $kind" "$name: allowed, it is not held off"
			else
				report ok "sandbox $kind" "$name: ${answer%%:*}"
			fi
			;;
		*) report FAIL "sandbox $kind" "$name: ${answer:-no answer}" ;;
		esac
	done <<<"$2"
}

prove_sandbox()
{
	local kind tried answers

	make_world
	printf '{"sandbox.network": ["off"]}\n' >"$PROOF/off"
	for kind in ${FOUND//,/ }; do
		tried=$(attempts "$$")
		answers=$(try_all "$kind" '' <<<"$tried") || answers=''
		judge_attempts "$kind" "$tried" "$answers"
		[[ ! -e $PROOF/tree/git ]] || mv -f -- "$PROOF/tree/git" "$PROOF/tree/.git"
		tried=$(attempts_off)
		answers=$(try_all "$kind" "$PROOF/off" <<<"$tried") || answers=''
		judge_attempts "$kind" "$tried" "$answers"
	done
}
