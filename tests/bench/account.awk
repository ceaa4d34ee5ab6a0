# account.awk: of the samples of `perf script -F comm,ip,sym,dso`, a paragraph each, one every 100 us: `CPU PROGRAM CAUSE`, in
# microseconds. bench_account (run) says what the causes are.
BEGIN {
	RS = ""
	FS = "\n"
}
{
	program = $1
	gsub(/^[ \t]+|[ \t]+$/, "", program)
	if ($0 ~ /exc_page_fault/)
		cause = "pages"
	else if ($0 ~ /_sys_(execve|clone3?|v?fork|exit_group|wait4|unshare)|do_exit|ret_from_fork/ || $2 ~ /\(.*\/ld-linux[^)]*\)/)
		cause = "starts"
	else if ($0 ~ /_sys_(fsync|fdatasync|syncfs|sync_file_range)/)
		cause = "syncs"
	else if ($0 ~ /_sys_|do_syscall_64|entry_SYSCALL/)
		cause = "calls"
	else
		cause = "own"
	us[program, cause] += 100
}
END {
	for (key in us) {
		split(key, part, SUBSEP)
		print us[key], part[1], part[2]
	}
}
