# sandbox.bash: what a start costs that is confined. Sourced by run; calls row, ms, say.

# least COMMAND...: of 50 starts of it, in microseconds.
least()
{
	local i

	for ((i = 0; i < 50; i++)); do
		"$BUILD/bench/measure" 1 "$@"
	done | awk 'NR == 1 || $1 < least { least = $1 } END { print least }'
}

bench_sandbox()
{
	local kind target bare confined

	say 'starts that are confined'
	export WISP_LIBEXEC=$ROOT/libexec
	mkdir -p "$TMP/own" "$TMP/caches"
	bare=$(least /bin/true)
	while read -r kind target; do
		if wisp-sandbox driver --driver "$kind" >/dev/null 2>&1; then
			confined=$(cd "$TMP/r100" && least wisp-sandbox run --known --driver "$kind" --keep-env --tmp "$TMP/own" \
				--caches "$TMP/caches" -- /bin/true)
			row "a start confined by $kind, over a bare one, least of 50" "$(ms $((confined - bare)))" "$target"
		fi
	done <<-'END'
		bwrap 8 ms
		landlock 1 ms
	END
}
