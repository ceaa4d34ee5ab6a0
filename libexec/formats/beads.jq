# beads: the JSON lines of beads, or the array of `bd list --json`. An issue is a task.
def gone: .status == "tombstone" or .status == "deleted";
# What beads keeps for itself.
def own: with_entries(select(.key | . == "created_at" or . == "updated_at" or . == "closed_at" or . == "content_hash"
  or . == "dependency_count" or . == "dependent_count" or . == "comment_count"));
# By id, the issue that was changed last: a merge may have left two lines of one.
def newest: reduce .[] as $i ({}; ($i.it.id | tojson) as $id
  | if ($i.it | .id != null and (.updated_at | type == "string"))
      and (.[$id].it.updated_at // "") <= $i.it.updated_at then .[$id] = $i else . end);
imported(
  (now | todate) as $now
  | expect("."; "array")
  | objects(".") as $all
  | ($all | map(select(.it | gone | not))) as $live
  | ($live | newest) as $newest
  | ($live | map(select($newest[.it.id | tojson].at as $at | $at == null or $at == .at))) as $issues
  | {
    tasks: [$issues[] | .at as $at | .it
      | (array($at; "dependencies") | objects(path_to($at; "dependencies"))) as $needs
      | id($at; "id"; "") + {
        at: $at,
        # beads takes no closed issue without the time, and of two versions the newer.
        set: ([{at: path_to($at; "status"), value: "closed"}, {at: path_to($at; "closed_at"), value: $now}]
          + if .updated_at == null then [] else [{at: path_to($at; "updated_at"), value: $now}] end),
        description: string($at; "title"),
        steps: string($at; "description"),
        acceptance: (string($at; "acceptance_criteria") | lines | map(ltrimstr("- "))),
        passes: (string($at; "status") == "closed"),
        priority,
        depends_on: [$needs[] | select(.it.type // "blocks" | . == "blocks") | .at as $p | .it | string($p; "depends_on_id") // empty],
        notes: string($at; "notes"),
        words: ([string($at; "issue_type") | select(. != null and . != "task" and . != "epic")] + strings($at; "labels"))
      }],
    lost: (
      [$all[] | select(.it | gone) | {what: "issues that were deleted", at, text: (.it.title // "" | tostring)}]
      + [$live[] | select($newest[.it.id | tojson].at as $at | $at != null and $at != .at)
        | {what: "older versions of issues that stand there twice", at, text: (.it.id | tostring)}]
      + [$issues[] | select(.it.status // "open" | . != "open" and . != "closed")
        | {what: "a status between open and closed (taken as open)", at, text: (.it.status | tostring)}]
      + [$issues[] | select(.it.issue_type == "epic") | {what: "that an issue is an epic", at, text: (.it.title // "" | tostring)}]
      + [$issues[] | .at as $at | .it | array($at; "dependencies")[] | select(.type // "blocks" | . != "blocks")
        | {what: "dependencies of type '\(.type)'", at: $at, text: (.depends_on_id // "" | tostring)}]
      + [$issues[] | .at as $at | .it | others($at; ["id", "title", "description", "acceptance_criteria", "status", "priority",
        "dependencies", "notes", "issue_type", "labels", (own | keys_unsorted[])]; "of issues ")[]]
      + [$issues[] | select(.it | own != {}) | {what: "times, counts and hashes", at, text: (.it | own | keys_unsorted | join(", "))}])
  })
