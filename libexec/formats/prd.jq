# prd: prd.json of snarktank's ralph. A story is a task; the lines of its description are steps.
imported(
  expect("."; "object")
  | if .userStories == null then fault("."; "userStories is missing") else . end
  | (member("."; "userStories"; "array") | objects(".userStories")) as $stories
  | {
    tasks: [$stories[] | .at as $at | .it
      | string($at; "title") as $title
      | string($at; "description") as $description
      | flag($at; "passes") as $passes
      | id($at; "id"; "") + {
        at: $at, set: [{at: path_to($at; "passes"), value: true}],
        description: (if ($title // "") != "" then $title else $description end),
        steps: (if ($title // "") != "" then $description else null end),
        acceptance: strings($at; "acceptanceCriteria"),
        passes: ($passes == true),
        priority,
        depends_on: ids($at; "dependsOn"),
        notes: string($at; "notes"),
        words: ([string($at; "category"), string($at; "type") | select(. != null)] + strings($at; "labels"))
      }],
    lost: (others("."; ["userStories"]; "")
      + [$stories[] | .at as $at | .it | others($at; ["id", "title", "description", "acceptanceCriteria", "passes", "priority",
        "dependsOn", "notes", "category", "type", "labels"]; "of stories ")[]])
  })
