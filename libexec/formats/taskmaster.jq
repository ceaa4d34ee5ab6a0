# taskmaster: .taskmaster/tasks/tasks.json, with tags or without. A task is one here, and each of its subtasks is, `3.1`,
# which waits for what the task waits for, and for which that waits. Of several tags, ids begin with `TAG:`.
def state($at): string($at; "status") // "pending";
def said: ["id", "title", "description", "status", "dependencies", "priority", "details", "testStrategy", "acceptanceCriteria", "subtasks"];
# What taskmaster keeps for itself.
def own: with_entries(select(.key | . == "createdAt" or . == "updatedAt" or . == "previousStatus" or . == "parentId" or . == "parentTaskId"));
def number($at): id($at; "id"; "").id // "" | if . == "" then fault($at; "id is missing, or no whole number") else . end;
# Those with their place, number and id, `out` where they were cancelled.
def numbered($at; $before): objects($at)[] | .at as $at | .it | number($at) as $n
  | {at: $at, it: ., n: $n, id: ($before + $n), out: (state($at) | any(dropped; .))};
def criteria($at): .acceptanceCriteria
  | if type == "array" then map(tostring) else . as $text | {a: $text} | string($at; "a") | lines end | map(ltrimstr("- "));
def task($t; $priority; $waits): $t.at as $at | $t.it | {
  at: $at, id: $t.id, set: [{at: path_to($at; "status"), value: "done"}],
  description: string($at; "title"),
  steps: string($at; "description"),
  acceptance: (criteria($at) + (string($at; "testStrategy") | lines)),
  passes: (state($at) | . == "done" or . == "completed"),
  priority: (.priority // $priority),
  depends_on: $waits,
  notes: string($at; "details")
};
def once: reduce .[] as $x ([]; if index([$x]) then . else . + [$x] end);
imported(
  expect("."; "object")
  | (if has("tasks") then [{at: ".", it: .}]
    else [to_entries[] | select(.value | type == "object" and has("tasks")) | {tag: .key, at: path_to("."; .key), it: .value}] end) as $tags
  | (if $tags == [] then fault("."; "neither tasks nor a tag with tasks is there") else . end
    | if has("tasks") then [] else others("."; [$tags[].tag]; "") end) as $beside
  | ([$tags[] | .tag as $tag | .at as $at | .it | array($at; "tasks") | select(. != []) | $tag] | length > 1) as $many
  | [$tags[] | (if $many then .tag + ":" else "" end) as $before | .at as $at | .it | array($at; "tasks")
      | numbered(path_to($at; "tasks"); $before) | .before = $before | .id as $id | .at as $at
      | .subs = [.it | array($at; "subtasks") | numbered(path_to($at; "subtasks"); $id + ".")]] as $all
  | [$all[] | select(.out | not)] as $live
  | ([$all[] | select(.out)] + [$live[].subs[] | select(.out)]) as $dropped
  | [$live[] | ., (.subs[] | select(.out | not))] as $kept
  | {
    tasks: [$live[] | . as $t | .at as $at | .before as $before
      | (.it | ids($at; "dependencies") | map($before + .)) as $waits
      | [.subs[] | .n] as $siblings
      | (.subs[] | select(.out | not) | . as $s | .at as $at | .it
          | [ids($at; "dependencies")[] | . as $d | if $siblings | index([$d]) then $t.id + "." + $d else $before + $d end | select(. != $t.id)]
          | task($s; $t.it.priority; $waits + . | once)),
        task($t; null; $waits + [.subs[] | select(.out | not) | .id])],
    lost: (
      [$dropped[] | {what: "tasks that were canceled", at, text: (.it.title // "" | tostring)}]
      + [$kept[] | .at as $at | .it | state($at) | select(. != "pending" and . != "done" and . != "completed")
        | {what: "a status between pending and done (taken as open)", at: $at, text: .}]
      + [$kept[] | .at as $at | .it | others($at; said + (own | keys_unsorted); "of tasks ")[]]
      + [$kept[] | select(.it | own != {}) | {what: "times and earlier states", at, text: (.it | own | keys_unsorted | join(", "))}]
      + [$tags[] | .at as $at | .it | others($at; ["tasks", "metadata"]; if $at == "." then "" else "of tags " end)[]]
      + $beside)
  })
