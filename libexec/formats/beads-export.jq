# beads-export: a line for each task; beads needs an id, a priority (2 is its middle), and when it was closed. See beads.jq.
(now | todate) as $now
| to_entries[] | .key as $i | .value
| (.id // "wisp-\($i + 1)") as $id
| {
  id: $id, title: .description, description: ((.steps // []) | join("\n")),
  acceptance_criteria: ((.acceptance // []) | join("\n")), notes: (.notes // ""),
  status: (if .passes then "closed" else "open" end), priority: (.priority // 2),
  issue_type: ({bugfix: "bug", feature: "feature"}[.category] // "task"),
  labels: (.category | if . == "bugfix" or . == "feature" then [] else [.] end),
  closed_at: (if .passes then $now else "" end),
  dependencies: [(.depends_on // [])[] | {issue_id: $id, depends_on_id: ., type: "blocks"}]
} | with_entries(select(.value | . != "" and . != []))
