# issues: what `gh issue list --json number,title,body,labels,state` prints. Boxes in a body are steps, the rest of it notes.
def box: ltrimstr(" ") | ltrimstr(" ") | startswith("- [ ] ") or startswith("- [x] ") or startswith("- [X] ")
  or startswith("* [ ] ") or startswith("* [x] ") or startswith("* [X] ");
imported(
  (if type == "object" then [.] else expect("."; "array") end)
  | objects(".") as $all
  | ($all | map(select(.it | .state == "CLOSED" and .stateReason == "NOT_PLANNED" | not))) as $issues
  | {
    tasks: [$issues[] | .at as $at | .it
      | (string($at; "body") // "" | split("\r\n") | join("\n") | split("\n")) as $body
      | (if .number == null then fault($at; "number is missing (gh issue list --json number,title,body,labels,state)") else . end)
      | id($at; "number"; "gh-") + {
        at: $at,
        description: string($at; "title"),
        steps: [$body[] | select(box) | ltrimstr(" ") | ltrimstr(" ") | .[6:]],
        passes: (string($at; "state") // "" | ascii_upcase == "CLOSED"),
        notes: ([$body[] | select(box | not)] | join("\n")),
        words: [array($at; "labels")[] | if type == "object" then .name else . end | strings]
      }],
    lost: (
      [$all[] | select(.it | .state == "CLOSED" and .stateReason == "NOT_PLANNED")
        | {what: "issues that were closed as not planned", at, text: (.it.title // "" | tostring)}]
      + [$issues[] | select(.it.state != "CLOSED") | .at as $at | .it.body // "" | split("\n")[] | select(box and (startswith("- [ ]") or startswith("* [ ]") | not))
        | {what: "ticks of single boxes", at: $at, text: .[0:60]}]
      + [$issues[] | .at as $at | .it | others($at; ["number", "title", "body", "labels", "state", "stateReason"];
        "of issues ")[]])
  })
