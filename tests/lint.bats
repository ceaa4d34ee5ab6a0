#!/usr/bin/env bats
# What tests/lint-bash32 finds, rule by rule, and what it lets pass.

load helper

lint()
{
	printf '%s\n' "$1" >script
	run --separate-stderr env LC_ALL=C "$ROOT/tests/lint-bash32" script
}

# finds RULE CODE...: each of them is found by that rule, once, and by no other.
finds()
{
	local rule=$1 code
	shift

	for code; do
		bash -n -c "$code" || fail "no script: $code"
		lint "$code"
		[[ $status == 1 && ${#lines[@]} == 1 && $output == script:*": $rule: "* && -z $stderr ]] ||
			fail "not found by $rule: $code" "$output" "$stderr"
	done
}

passes()
{
	local code

	for code; do
		bash -n -c "$code" || fail "no script: $code"
		lint "$code"
		[[ $status == 0 && -z $output$stderr ]] || fail "found: $code" "$output" "$stderr"
	done
}

@test "errexit: what fails and does not end a script" {
	finds errexit $'(false)\nb' $'[[ a == b ]]\nb' $'((0))\nb' '[[ a ]]; b' \
		$'f()\n{\n\t(\n\t\tcd x\n\t\tfalse\n\t)\n\tb\n}' \
		$'a && [[ b ]]\nc' $'a || (b)\nc' $'(b) >f 2>&1 # why\nc' $'(b) <<EOF\nx\nEOF\nc' \
		$'f()\n{\n\tif a; then\n\t\t(b)\n\tfi\n\tc\n}' $'if a; then\n\tb\nelse\n\t[[ c ]]\nfi\nd' \
		$'case a in\n(a) ((b)) ;;\n*) c ;;\nesac\nd' $'{\n\t[[ b ]]\n}\nc' \
		$'for a in b; do\n\t(c)\ndone' $'while a; do\n\t[[ c ]]\ndone' \
		$'x=$(\n\t[[ a ]]\n\tb\n)' $'f() {\n\t(\n\t\t((a))\n\t\tb\n\t) || c\n}'
	finds errexit $'(false)\nb' # the line itself is printed
	assert_output 'script:1: errexit: (false)'
}

@test "errexit: conditions, negations, pipelines, and what is last in a function" {
	passes $'(a) || exit\nb' $'[[ a ]] || b\nc' $'((a)) && b\nc' $'! (a)\nb' $'if (a); then\n\tb\nfi\nc' \
		$'if [[ a ]]; then\n\tb\nelif ((c)); then\n\td\nfi\ne' $'while [[ a ]]; do\n\tb\ndone\nc' \
		$'until (a); do\n\tb\ndone\nc' $'(a) &\nb' $'a | (b)\nc' $'(a) | b\nc' \
		$'f()\n{\n\ta\n\t(b)\n}\nf\ng' $'f() {\n\tif a; then\n\t\t[[ b ]]\n\telse\n\t\t((c))\n\tfi\n}\ng' \
		$'f() {\n\tcase a in\n\ta) [[ b ]] ;;\n\tesac\n}\ng' $'f() {\n\tlocal a\n\n\ta=$(\n\t\tb\n\t\t[[ c ]]\n\t)\n\td\n}' \
		$'{\n\t[[ a ]]\n} || b\nc' $'if a; then\n\t(b)\nfi || c\nd' $'a=(b c)\nd' $'a+=("$(b)" d)\ne' \
		$'for ((i = 0; i < 3; i++)); do\n\ta\ndone\nb' $'a=$((b + 1))\nc' $'echo "(a)" \'(b)\'\nc' \
		$'# (a)\nb' $'cat <<EOF\n(a)\n[[ b ]]\nEOF\nc' $'cat <<-\'EOF\'\n\t(a)\n\tEOF\nb' \
		$'a "$(\n\t(b)\n)"\nc' $'[[ a =~ ^(b|c)$ ]] || d\ne' $'read -r a < <(b)\nc' $'(a)'
}

@test "array: an empty one that is used without a guard" {
	finds array $'f() {\n\tlocal a=()\n\n\tb "${a[@]}"\n}' $'f() {\n\ta=()\n\tb "${a[*]}"\n}' \
		$'f() {\n\tlocal a=() b\n\tfor b; do\n\t\ta+=("$b")\n\tdone\n\tc "${a[@]}"\n}' \
		$'f() {\n\tlocal a=()\n\tb "${c+"${a[@]}"}"\n}'
	passes $'f() {\n\tlocal a=()\n\n\tb ${a[@]+"${a[@]}"}\n}' $'f() {\n\tlocal a=(b)\n\tc "${a[@]}"\n}' \
		$'f() {\n\tlocal a=()\n\ta+=(b)\n\tc "${a[@]}"\n}' $'f() {\n\ta=()\n\t((${#a[@]})) || return 0\n\tb "${a[@]}"\n}' \
		$'f() {\n\ta=()\n}\ng() {\n\tb "${a[@]}"\n}' $'f() {\n\ta=()\n\ta[0]=b\n\tc "${a[@]}"\n}' 'a "$@"'
}

@test "case: the pattern of one in a substitution" {
	finds case $'a=$(\n\tcase b in\n\tc) d ;;\n\tesac\n)'
	passes $'a=$(\n\tcase b in\n\t(c) d ;;\n\tesac\n)' $'case b in\nc | d) e ;;\n"f g") h ;;\nesac'
}

@test "slash: a quoted pattern that may have one" {
	finds slash 'a=${b//"$c/"/d}' "a=\${b/'/x'/d}" 'a="${b//"$c"/d}"' 'a=${b//"/"}'
	passes 'a=${b//$c/d}' 'a=${b//\//d}' 'a=${b#"$c/"}' 'a=${b//"x"/d}' 'a=${b%%/*}' "a=\${b//\$'\\n'/ }"
}

@test "replacement: quotes and backslashes in one within quotes" {
	finds replacement 'a "${b//c/\"}"' 'a "${b//c/\\n}"' "a \"\${b//c/'d'}\"" 'a "${b/c/"$d"}"'
	passes 'a "${b//c/$d}"' 'a=${b//c/\"}' "a \"\${b//c/\$'\\n'}\"" 'a "${b//\"/$c}"'
}

@test "herestring: one without quotes" {
	finds herestring 'read -r a <<<$b' 'read -r a <<< $(b)'
	passes 'read -r a <<<"$b"' $'read -r a <<<$\'b c\'' 'read -r a <<<b'
}

@test "descriptor: what needs one to spare" {
	finds descriptor '{ : 63</dev/null; }' 'exec 10>a' 'exec {a}>b' 'a 12>&1'
	passes '(: 63</dev/null) || a' 'exec 9>a' 'a >&2' 'a 2>&1' 'a "$b 10>c"'
}

@test "later: what 3.2 does not have" {
	finds later 'declare -A a' 'local -n a=b' 'declare -g a' 'mapfile -t a <b' 'readarray a <b' 'coproc a' 'a=${b,,}' 'a=${b^}' \
		'a=${b@Q}' 'a=${b:0:-1}' 'a=${b[-1]}' 'a[-1]=b' 'a &>>b' 'a |& b' 'wait -n' 'wait -p a' \
		"printf -v 'a[0]' b" "printf '%(%s)T'" '[[ -v a ]] || b' 'test -v a' 'read -N 1 a' 'read -r -t 0.5 a' 'read -t 0 a' \
		'shopt -s globstar' 'shopt -s nullglob lastpipe' 'a $BASHPID' 'a ${EPOCHREALTIME}' "a \$'\\u00e4'" 'a {01..10}' \
		'a {1..9..2}' $'case a in\na) b ;;&\nesac' $'case a in\na) b ;&\n*) c ;;\nesac'
	passes 'declare -a a' 'local -r a=b' 'a=${b:1:2}' 'a=${b: -1}' 'a=${!b@}' 'a=${b[1]}' 'a >>b 2>&1' 'a || b' 'wait "$a"' \
		'printf -v a %s b' '[[ -n $a ]] || b' 'read -r -t 5 a' 'read -rd "" a' 'shopt -s nullglob' 'a {1..9}' 'a ${b:-1}' \
		'a ${b:+c}' '# mapfile' 'a # mapfile, ${b,,}' 'grep -v a'
}

@test "a line is exempt that says why" {
	passes $'(false) # bash 3.2: its status does not matter\nb' 'shopt -s globstar || : # bash 3.2: is not needed there'
	finds later 'shopt -s globstar || : # not needed'
	finds later 'shopt -s globstar || : # bash 3.2: '
}

@test "what is no script of a shell is said, and a file that is not there" {
	lint $'fi\nb'
	[[ $status == 1 && $output == 'script:1: this is not understood: fi' ]]
	run -111 --separate-stderr "$ROOT/tests/lint-bash32" nothing
	assert_stderr "tests/lint-bash32: cannot read 'nothing'"
}
