# roots.bash: checks in bare Debian systems, one for each release, all at a time; sourced by tests/check-distro and
# tests/check-packages, which define
#
#	NAME                        what messages begin with; the logs are kept in BUILD/$NAME, and no root
#	CHECK_SECONDS               the time after which all of it counts as hung
#	prepare                     what is made first, outside of the roots; may call die
#	check_release RELEASE       the checks of one release, each by `step`; the first makes the root (make_root)
#
# and end with `roots "$@"`. A root is made by debootstrap, from the machine's own apt sources (or DEBIAN_MIRROR). Takes root.
# All of it lives in namespaces of its own: however this ends, no mount and no process is left. Prints a line each half
# minute. The last line is `N passed, N failed`: a check is one test, and a root that cannot be made is a failed one.
set -euo pipefail

readonly RELEASES=(bookworm trixie)
# Of these names are the apt sources of a Debian.
readonly DEBIAN='^(bullseye|bookworm|trixie|forky|duke|oldoldstable|oldstable|stable|testing|unstable|sid)$'

die()
{
	printf '%s: %s\n' "$NAME" "$*" >&2
	exit 1
}

# --- in a root -------------------------------------------------------------

# enter ROOT COMMAND...: in a mount and pid namespace of its own. By pivot_root: the
# kernel gives who is in a chroot no user namespace, and a step needs one.
enter()
{
	local root=$1 name
	shift

	mount --make-rprivate /
	mount --bind "$root" "$root"
	cd -- "$root"
	mount -t proc proc proc
	mount -t tmpfs -o mode=755 tmpfs dev
	for name in null zero full random urandom tty; do
		: >"dev/$name"
		mount --bind "/dev/$name" "dev/$name"
	done
	mkdir -p dev/pts dev/shm old-root
	mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts dev/pts
	mount -t tmpfs -o mode=1777 tmpfs dev/shm
	ln -s pts/ptmx dev/ptmx
	ln -s /proc/self/fd dev/fd
	ln -s fd/0 dev/stdin
	ln -s fd/1 dev/stdout
	ln -s fd/2 dev/stderr
	pivot_root . old-root
	cd /
	umount -l old-root
	exec "$@"
}

# in_root RELEASE COMMAND...: with the caller's proxies, and nothing else of its environment.
in_root()
{
	local root=$WORK/$1/root name keep=()
	shift

	for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY TRIES JOBS WERROR; do
		[[ -z ${!name-} ]] || keep+=("$name=${!name}")
	done
	unshare --mount --pid --fork --kill-child --uts --ipc "$SELF" --in enter "$root" \
		/usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
		TERM=xterm ${keep[@]+"${keep[@]}"} "$@"
}

# --- making one ------------------------------------------------------------

# The mirror of the machine's own sources, in whichever format they are.
find_mirror()
{
	MIRROR=${DEBIAN_MIRROR-}
	if [[ -z $MIRROR ]] && type -P apt-get >/dev/null; then
		# shellcheck disable=SC2016 # apt's own variables
		MIRROR=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
			awk -v names="$DEBIAN" '$3 == "main" && $2 ~ names { print $1; exit }')
	fi
	[[ -n $MIRROR ]] || die "the apt sources of this machine have no Debian: DEBIAN_MIRROR=URL names a mirror"
}

# How apt gets at its mirror here: proxies, certificates, name servers.
copy_settings()
{
	local root=$1 file

	if type -P apt-config >/dev/null; then
		apt-config dump | grep -E '^Acquire::(https?|Retries|ForceIPv[46])[: ]' >"$root/etc/apt/apt.conf.d/90machine" || :
	fi
	# What only costs time here: syncs, and lists of what no test reads.
	echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
	for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt \
		$(sed -n 's/^Acquire::https.*::CaInfo "\(.*\)";$/\1/p' "$root/etc/apt/apt.conf.d/90machine" 2>/dev/null); do
		if [[ -r $file ]]; then
			mkdir -p "$root${file%/*}"
			cp -L -- "$file" "$root$file"
		fi
	done
}

make_root()
{
	local root=$WORK/$1/root

	mkdir -p "$root"
	debootstrap --variant=minbase "$1" "$root" "$MIRROR"
	copy_settings "$root"
}

# step RELEASE NAME FUNCTION...: one check, in a process that ends with the first failure, and with a log of its own.
step()
{
	local release=$1 name=$2 log=$WORK/$1/$2.log status=0
	shift 2

	printf '%s\n' "$name" >"$WORK/$release/now"
	"$SELF" --in "$@" >"$log" 2>&1 </dev/null || status=$?
	printf '%s %s %s\n' "$release" "$name" "$status" >>"$WORK/done"
	return "$status"
}

# --- what came of them -----------------------------------------------------

# count RELEASE NAME STATUS: adds one check to the sums, and shows what failed.
count()
{
	local log=$WORK/$1/$2.log last

	if [[ $2 == tests ]]; then
		last=$(tail -n 1 "$log")
		if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
			passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
			(($3 == 0 || BASH_REMATCH[2] > 0)) || failed=$((failed + 1))
		else
			failed=$((failed + 1))
		fi
	elif (($3 != 0)); then
		failed=$((failed + 1))
	elif [[ $2 != root ]]; then
		passed=$((passed + 1))
	fi
	if (($3 == 0)); then
		printf '  ok      %s: %s, %s s\n' "$1" "$2" "$SECONDS"
	else
		printf '  FAILED  %s: %s, %s s\n' "$1" "$2" "$SECONDS"
		grep -v '^  ok ' "$log" | tail -n 60 | sed 's/^/          /'
	fi
}

# Prints what is over, and each half minute where the others stand.
watch_over()
{
	local pid=$1 release line shown=0 next=$((SECONDS + 30)) alive=1

	while ((alive)); do
		sleep 1
		kill -0 "$pid" 2>/dev/null || alive=0
		while read -r -a line <&3; do
			count "${line[@]}"
		done
		((SECONDS >= next)) || continue
		next=$((SECONDS + 30))
		for release in "${RELEASES[@]}"; do
			[[ -r $WORK/$release/now ]] || continue
			read -r shown <"$WORK/$release/now"
			[[ $shown != over ]] || continue
			printf '  ...     %s: %s, %s s: %s\n' "$release" "$shown" "$SECONDS" \
				"$(tail -n 1 "$WORK/$release/$shown.log" 2>/dev/null | LC_ALL=C tr -cd '[:print:]' | cut -c 1-80)"
		done
		if ((SECONDS > CHECK_SECONDS)); then
			printf '  FAILED  not over after %s s\n' "$SECONDS"
			failed=$((failed + 1))
			return
		fi
	done 3<"$WORK/done"
}

# In the namespaces: all releases at a time. The first process: its end ends all others.
inside()
{
	local release

	mount --make-rprivate /
	mount -t proc proc /proc
	for release in "${RELEASES[@]}"; do
		{
			check_release "$release"
			echo over >"$WORK/$release/now"
		} &
	done
	wait
}

clean()
{
	local release

	[[ -z $NAMESPACE ]] || kill -KILL "$NAMESPACE" 2>/dev/null || :
	{ wait; } 2>/dev/null
	for release in "${RELEASES[@]}"; do
		# The last processes of the namespace may still be about to end.
		rm -rf -- "$WORK/$release/root" 2>/dev/null || { sleep 1 && rm -rf -- "$WORK/$release/root"; }
	done
	# With sudo, what is left is the caller's, as all else that make makes.
	[[ ! -d $WORK ]] || chown -R --reference=. -- "$WORK"
}

main()
{
	local tool passed=0 failed=0

	[[ $(id -u) == 0 ]] || die "root is needed, for debootstrap and mounts: sudo make $NAME"
	for tool in debootstrap git unshare pivot_root; do
		type -P "$tool" >/dev/null || die "$tool is missing; ./install.sh --deps --$NAME installs debootstrap"
	done
	unshare --mount --pid --fork true || die "no mount and pid namespaces are to be had here"
	find_mirror
	WORK=$BUILD/${NAME#check-} NAMESPACE=''
	trap clean EXIT
	trap 'exit 130' INT TERM HUP
	clean
	mkdir -p "$WORK"
	: >"$WORK/done"
	export BUILD WORK MIRROR SELF
	prepare
	# No process of it gets a signal of the terminal: this one ends them.
	set -m
	unshare --mount --pid --fork --kill-child "$SELF" --in inside </dev/null >"$WORK/log" 2>&1 &
	NAMESPACE=$!
	set +m
	watch_over "$NAMESPACE"
	((passed + failed > 0)) || { cat "$WORK/log"; failed=1; }
	printf '%s passed, %s failed\n' "$passed" "$failed"
	((failed == 0 && passed > 0))
}


# roots BUILD: runs the checks. A process of them is this script again, with --in FUNCTION ARGUMENT...
roots()
{
	SELF=$(cd -- "$(dirname -- "$0")" && pwd)/${0##*/}
	case ${1-} in
	--in)
		shift
		"$@"
		;;
	'' | -*)
		echo "usage: tests/$NAME BUILD" >&2
		exit 100
		;;
	*)
		cd -- "${SELF%/*}/.."
		BUILD=$1
		[[ $BUILD == /* ]] || BUILD=$PWD/$BUILD
		main
		;;
	esac
}
