# fish completion for wisp: it asks wisp itself what may stand there.

function __wisp_words
	set -l words (commandline -opc)
	set -l name (string replace -r '^.*/' '' -- $words[1])
	set -e words[1]
	if string match -q 'wisp-*' -- $name
		set words (string replace wisp- '' -- $name) $words
	end
	set -l current (commandline -ct)
	for found in (wisp --complete $words "$current" 2>/dev/null)
		if test $found = :files
			__fish_complete_path $current
		else
			echo $found
		end
	end
end

for name in wisp wisp-gate wisp-state wisp-stuck wisp-tasks
	complete -c $name -f -a '(__wisp_words)'
end
