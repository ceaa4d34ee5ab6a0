# criteria-export: a loop that wisp hook can go on with; see criteria.jq.
(map(.description) | unique | length) as $distinct
| if $distinct < length then error("two criteria of the same text") else . end
| (.[0].steps // []) as $steps
| {
  spec: "", criteria: map(.description),
  criteriaStatus: (map({key: .description, value: .passes}) | from_entries),
  steps: $steps, completedSteps: [], remainingSteps: $steps, iteration: 0, status: "in_progress"
} + (map(select(.verify) | {key: .description, value: .verify}) | from_entries | if . == {} then {} else {verify: .} end)
