# counts.awk: what `strace -f -y` saw of a run, by iteration. Iteration 0 is the start, up to the first agent; iteration N
# is what lies between the Nth agent and the next. What the agent and the check do themselves does not count: all that
# happens until they are gone.
#
#	-v agent=PATH	the agent's program; the check is what has bench-verify among its arguments
#	-v events=N	prints what happens in iteration N instead, a line each; -v top=FOLDER leaves that out of paths
#	-v table=1	... as a table: each program, what it reads of the session, and what it replaces, synced or not. GIT/ is the
#			repository's git folder, SESSION/ the session's, RECORD/ that of its record, PROJECT/ that of all
#			records of a project, HOME/ that of all projects, SCRATCH/ the loop's own
#
# Prints NAME ITERATION COUNT: programs (processes that have executed one, git behind wisp-exec being one), forks (of bash,
# that execute none), reads (record.json opened), writes (renamed to), syncs (of it or a file that becomes it).

# The string that TEXT has as its Nth between quotes.
function quoted(text, n,	parts)
{
	split(text, parts, "\"")
	return parts[2 * n]
}

function base(path)
{
	sub(".*/", "", path)
	return path
}

# Of git the command, of wisp's own programs the verb.
function label(text,	name, i, word, n, words)
{
	name = base(quoted(text, 1))
	sub(/^[^[]*\[/, "", text)
	sub(/\], 0x[0-9a-f]+ \/\*.*/, "", text)
	n = split(text, words, "\"")
	for (i = 4; i <= n; i += 2) {
		word = words[i]
		if (word == "-C" || word == "-c" || word == "--limit")
			i += 2
		else if (word !~ /^-/)
			break
	}
	return name (i <= n && word !~ /\// && (name == "git" || name ~ /^wisp-/) ? " " word : "")
}

function note(text)
{
	if (iteration != events || events == "")
		return
	if (table)
		tabulate(text)
	else
		print text
}

function short(path)
{
	sub(/^counts\/\.wisp\/sessions\/count\/[a-z]+\//, "SESSION/", path)
	sub(/^home\.[a-z]+\/[^\/]*\/count\/[a-z]+\//, "RECORD/", path)
	sub(/^home\.[a-z]+\/counts-[^\/]*\//, "PROJECT/", path)
	sub(/^home\.[a-z]+\//, "HOME/", path)
	sub(/^counts\/\.git\//, "GIT/", path)
	sub(/^\/.*\/wisp\.[0-9]+\.[A-Za-z0-9]+\//, "SCRATCH/", path)
	sub(/^GIT\/objects\/.*/, "GIT/objects", path)
	sub(/good\/\.?[0-9a-f]+$/, "good/SHA", path)
	if (path ~ /^GIT\//) {
		sub(/\/count\/[a-z]+/, "/BRANCH", path)
		sub(/worktrees\/[a-z]+/, "worktrees/NAME", path)
	}
	return path
}

# Each stands once.
function add(cell, row, text)
{
	if ((cell, row, text) in has)
		return
	has[cell, row, text] = 1
	cells[cell, row] = cells[cell, row] (cells[cell, row] != "" ? ", " : "") text
}

# A file is synced under its temporary name, .NAME or NAME.lock; the sync of its folder belongs to the rename.
function tabulate(text,	row, what, name)
{
	what = name = text
	sub(/ .*/, "", what)
	sub(/^[a-z]+ /, "", name)
	row = rows[owner[pid]]
	if (row == "") {
		row = rows[owner[pid]] = ++last
		names[row] = what == "the" ? text : "`" (what == "program" ? name : label_of[owner[pid]]) "`"
	}
	name = short(name)
	if (what == "read") {
		add("reads", row, "`" name "`")
	} else if (name ~ /^the file system/) {
		add("writes", row, "the file system (synced)")
	} else if (name == "GIT/objects") {
		add("writes", row, "`GIT/objects` (synced)")
	} else if (what == "sync") {
		sub(/\.lock$/, "", name)
		if (match(name, /\/\.[^\/]*$/))
			name = substr(name, 1, RSTART) substr(name, RSTART + 2)
		synced[name] = 1
	} else if (what == "write") {
		add("writes", row, "`" name "`" (name in synced ? " (synced)" : ""))
		delete synced[name]
	}
}

function count(name)
{
	counts[name, iteration]++
}

# Temporary names of a file say nothing, nor does where the benchmark runs.
function plain(path)
{
	if (index(path, top "/") == 1)
		path = substr(path, length(top) + 2)
	sub(/\.wisp-[0-9]+-[0-9a-f]+$/, "", path)
	return path
}

BEGIN {
	iteration = 0
}

{
	pid = $1
	line = $0
	sub(/^[0-9]+ +/, "", line)
	if (line ~ /<unfinished \.\.\.>$/) {
		sub(/ *<unfinished \.\.\.>$/, "", line)
		unfinished[pid] = line
		next
	}
	if (line ~ /^<\.\.\. [a-z0-9]+ resumed>/) {
		sub(/^<\.\.\. [a-z0-9]+ resumed>/, "", line)
		line = unfinished[pid] line
	}
	if (line ~ /^\+\+\+ /) {
		if (pid == outside)
			outside = ""
		next
	}
	if (line ~ / = -1 /)
		next
	call = line
	sub(/\(.*/, "", call)
}

call == "execve" {
	kind[pid] = base(quoted(line, 1))
	owner[pid] = pid
	label_of[pid] = label(line)
	if (outside == "" && quoted(line, 1) == agent) {
		iteration++
		executed[pid] = 1
		outside = pid
		note("the agent")
		next
	}
	if (outside == "" && line ~ /bench-verify/ && kind[pid] ~ /^(sh|dash|bash)$/ && line ~ /\["sh", "-c"/) {
		executed[pid] = 1
		outside = pid
		note("the check")
		next
	}
	if (outside != "")
		next
	if (kind[pid] != "wisp-exec")
		note("program " label(line))
	if (!executed[pid]++)
		count("programs")
}

outside != "" { next }

call ~ /^(clone|clone3|fork|vfork)$/ && line !~ /CLONE_THREAD/ {
	child = line
	sub(/.* = /, "", child)
	sub(/[^0-9].*/, "", child)
	# The child may have been seen before: its parent is told of it when it comes to run.
	if (!(child in kind))
		kind[child] = kind[pid]
	if (!(child in owner))
		owner[child] = owner[pid]
	if (kind[pid] == "bash")
		forked[child] = iteration
}

call ~ /^open/ && line ~ /\/record\.json"/ && line ~ /O_RDONLY/ {
	count("reads")
}

# What is read of the session: its folder, and the one beside its record. git's own reads are git's.
call ~ /^open/ && line ~ /O_RDONLY/ && line !~ /O_DIRECTORY/ && kind[pid] != "git" {
	path = plain(quoted(line, 1))
	if (path ~ /^[^\/].*\/\.wisp\/sessions\// || path ~ /^home\./)
		note("read " path)
}

call == "syncfs" {
	path = line
	sub(/^[^<]*</, "", path)
	sub(/>\).*/, "", path)
	note("sync the file system of " plain(path))
}

call ~ /^rename/ {
	to = line
	sub(/.*, "/, "", to)
	sub(/".*/, "", to)
	note("write " plain(to))
	if (to ~ /\/record\.json$/)
		count("writes")
}

call ~ /^(fsync|fdatasync)$/ {
	path = line
	sub(/^[^<]*</, "", path)
	sub(/>\).*/, "", path)
	note("sync " plain(path))
	if (path ~ /\/\.?record\.json[^\/]*$/)
		count("syncs")
}

END {
	for (row = 1; row <= last; row++)
		print "| " names[row] " | " cells["reads", row] " | " cells["writes", row] " |"
	for (child in forked)
		if (!executed[child])
			counts["forks", forked[child]]++
	if (events == "") {
		for (i = 0; i < iteration; i++)
			for (n = split("programs forks reads writes syncs", names, " "); n > 0; n--)
				print names[n], i, counts[names[n], i] + 0
	}
}
