# tree.bash: agents that remove, move, link or empty what they should not, in the first, a middle or
# the last step, once, after their work was done.
#
# Whatever they did: the branch is never emptied, nothing outside is touched, the loop goes on or
# ends with a documented code, and `resume` brings the session to its end.

# effects: lines NAME TAB SCRIPT; $w is the world, $t the work tree, $s the session's folder, $r
# its registration in .git.
effects()
{
	# shellcheck disable=SC2016 # it is the agent that expands
	cat <<-'END'
		tree-removed	cd "$w"; rm -rf "$t"
		tree-moved	mv "$t" "$w/moved"
		tree-linked	mv "$t" "$w/moved"; ln -s "$w/victim" "$t"
		tree-link-back	mv "$t" "$w/moved"; ln -s "$w/moved" "$t"
		tree-emptied	find "$t" -mindepth 1 -maxdepth 1 ! -name .git ! -name .wisp -exec rm -rf {} +
		tree-all-emptied	find "$t" -mindepth 1 -maxdepth 1 ! -name .wisp -exec rm -rf {} +
		tree-half	rm "$t"/src/f1* "$t"/src/f2*
		tree-committed	cd "$t"; git rm -rq src; git commit -qm 'remove all'
		git-removed	rm -rf "$t/.git"
		git-moved	mv "$t/.git" "$w/moved"
		git-linked	rm -rf "$t/.git"; ln -s "$w/victim" "$t/.git"
		git-empty	: >"$t/.git"
		git-folder	rm "$t/.git"; mkdir "$t/.git"
		git-new	rm "$t/.git"; git -C "$t" init -q
		git-pipe	rm -rf "$t/.git"; mkfifo "$t/.git"
		registration-removed	rm -rf "$r"
		registration-emptied	rm -rf "$r"/*
		registration-linked	mv "$r" "$w/moved"; ln -s "$w/victim" "$r"
		head-removed	rm "$r/HEAD"
		head-pipe	rm "$r/HEAD"; mkfifo "$r/HEAD"
		head-unborn	git -C "$t" symbolic-ref HEAD refs/heads/none
		index-removed	rm "$r/index"
		index-empty	: >"$r/index"
		index-pipe	rm -f "$r/index"; mkfifo "$r/index"
		index-lock	: >"$r/index.lock"
		branch-removed	git -C "$t" update-ref -d "refs/heads/$WISP_BRANCH"
		branch-empty	: >"$(git -C "$t" rev-parse --git-common-dir)/refs/heads/$WISP_BRANCH"
		refs-removed	rm -rf "$(git -C "$t" rev-parse --git-common-dir)/refs/wisp"
		session-removed	rm -rf "$s"
		session-moved	mv "$s" "$w/moved"
		session-linked	mv "$s" "$w/moved"; ln -s "$w/victim" "$s"
		session-emptied	rm -rf "$s"/*
		steps-removed	rm -rf "$s/steps"
		steps-linked	mv "$s/steps" "$s/old"; ln -s "$w/victim" "$s/steps"
		steps-file	rm -rf "$s/steps"; : >"$s/steps"
		step-removed	rm -rf "$s/steps/"????
		step-linked	d=$(echo "$s/steps/"????); rm -rf $d; ln -s "$w/victim" "${d##* }"
		next-linked	ln -s "$w/victim" "$s/steps/$(printf %04d $((WISP_ITERATION + 1)))"
		state-linked	rm -f "$WISP_STATE_FILE"; ln -s "$w/victim/0001" "$WISP_STATE_FILE"
		tasks-linked	mv "$WISP_TASKS_FILE" "$w/moved"; ln -s "$w/moved" "$WISP_TASKS_FILE"
		tasks-pipe	rm "$WISP_TASKS_FILE"; mkfifo "$WISP_TASKS_FILE"
		state-pipe	rm -f "$WISP_STATE_FILE"; mkfifo "$WISP_STATE_FILE"
		session-json-linked	rm "$s/session.json"; ln -s "$w/victim/0001" "$s/session.json"
		history-pipe	rm "$s/history.json"; mkfifo "$s/history.json"
		wisp-removed	rm -rf "$w/repo/.wisp"
		wisp-sessions-linked	cd "$w/repo/.wisp"; mv sessions "$w/moved"; ln -s "$w/victim" sessions
		wisp-worktrees-removed	rm -rf "$w/repo/.wisp/worktrees"
	END
}

# These are no faults that a work tree of the person's own can be put right from.
NOT_IN_PLACE='tree-removed|tree-moved|tree-link*|tree-all-emptied|git-*|registration-*'
NOT_IN_PLACE+='|head-*|index-*'

part_tree()
{
	local name script round=0 step where verify

	TASKS=3
	world_make
	: >"$SAVED/looks"
	mkdir "$SAVED/victim" "$SAVED/victim/0001" "$SAVED/victim/0002"
	for name in HEAD index README session.json tasks.json 0001/file 0002/file; do
		printf 'of the person\n' >"$SAVED/victim/$name"
	done
	while IFS=$'\t' read -r -u 6 name script; do
		for where in linked in-place; do
			[[ $where == linked || $name != @($NOT_IN_PLACE) ]] || continue
			for verify in verify none; do
				for step in 1 2 3; do
					round=$((round + 1))
					wanted "$name" || continue
					[[ -z $STRIDE ]] || (((round + SEED) % STRIDE == 0)) || continue
					[[ $FROM == 1 || $FROM == "$round" ]] || continue
					round_begin "tree" "$round" "$name" "$where, $verify, in step $step"
					tree_round "$name" "$script" "$where" "$verify" "$step"
					round_end
				done
			done
		done
	done 6< <(effects)
}

tree_round() # <name> <script> <where> <verify> <step>
{
	local first what=(work) starts=0

	# shellcheck disable=SC2016 # it is the agent that expands
	{
		printf '%s\n' 's=$WISP_SESSION_DIR t=$PWD r=$(git rev-parse --absolute-git-dir)' 'cd "$w"'
		printf '(%s) >/dev/null 2>&1 || :\n' "$2"
	} >"$WORLD/effect.$5"
	[[ $4 == verify ]] || in_world git config --file .wisp/config --unset verify.command
	if [[ $3 == in-place ]]; then
		in_world git reset -q --hard
		rm note
		in_world git switch -q -c work
		what=(--in-place)
	fi
	note_person
	wisp_says first wisp -c retry.delay=0 run "${what[@]}" --agent "$WORLD/agent" \
		--tasks ../tasks.json --trust --foreground
	first=$CODE
	until [[ $CODE == 0 ]]; do
		starts=$((starts + 1))
		case $CODE in
		11 | 12 | 13 | 16 | 102 | 111) ;;
		*) lost "it ended with $CODE: $(tail -n 2 "$WORLD"/log.*)" ;;
		esac
		if ((starts > 3)); then
			lost "first $first, and still $CODE after $starts resumes: $(tail -n 4 "$WORLD/log.again")"
			break
		fi
		wisp_says again wisp -c retry.delay=0 resume work --foreground
	done
	tree_judge "$1" "$3" "$first"
}

tree_judge() # <name> <where> <first code>
{
	local found

	found=$(diff -r "$SAVED/victim" "$WORLD/victim" 2>&1) ||
		lost "outside of the project: $found"
	if [[ $1 == tree-committed ]]; then
		check_fsck # it is the agent's own commit, and stays one
	else
		tree_session
	fi
	if [[ $2 == linked ]]; then
		check_person
		check_left work
	fi
}

# Commits may be more than tasks here, since steps fail; their work is not.
tree_session()
{
	local found i

	found=$(in_world wisp-state -C .wisp/sessions/work get -f session .status 2>&1) || :
	[[ $found == completed ]] || lost "the session is not completed: $found"
	found=$(in_world git diff --no-renames --name-status main work -- 2>&1) || :
	[[ $found == $'A\twork' ]] ||
		lost "the branch differs from main by more than the work: ${found:0:300}"
	for ((i = 1; i <= TASKS; i++)); do
		printf 'task %d\n' "$i"
	done >"$WORK/expected"
	found=$(in_world git show work:work 2>&1 | diff "$WORK/expected" -) || lost "the work: $found"
	check_fsck
}
