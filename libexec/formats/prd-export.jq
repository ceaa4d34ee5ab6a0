# prd-export: the steps are the description, a line each; see prd.jq.
{userStories: [.[] | {
    id, title: .description, description: ((.steps // []) | join("\n")), acceptanceCriteria: (.acceptance // []),
    priority, passes, notes: (.notes // "")
  } + (if (.depends_on // []) == [] then {} else {dependsOn: .depends_on} end) | with_entries(select(.value != null))]}
