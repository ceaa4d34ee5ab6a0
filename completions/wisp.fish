# fish completion for wisp: it asks wisp itself what there is.

function __wisp_words
	set -l words (commandline -opc)
	set -l name (string replace -r '^.*/' '' -- $words[1])
	set -e words[1]
	while string match -q -- '-*' $words[1]
		if test $words[1] = -c
			set -e words[1]
		end
		set -e words[1]
	end
	if string match -q 'wisp-*' -- $name
		set words (string replace wisp- '' -- $name)
	end
	if set -q words[1]
		wisp $words[1] --complete 2>/dev/null
	else
		wisp --complete 2>/dev/null
	end
end

for name in wisp wisp-gate wisp-state wisp-stuck wisp-tasks
	complete -c $name -a '(__wisp_words)'
end
