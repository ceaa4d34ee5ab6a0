# issues: what `gh issue list --json number,title,body,labels,state` prints, or GitHub's REST API, which has pull requests
# among them. Boxes in a body are steps, the rest of it notes.
def box: ltrimstr(" ") | ltrimstr(" ") | startswith("- [ ] ") or startswith("- [x] ") or startswith("- [X] ")
  or startswith("* [ ] ") or startswith("* [x] ") or startswith("* [X] ");
def closed: .state // "" | tostring | ascii_upcase == "CLOSED";
def unplanned: closed and (.stateReason // .state_reason | any(dropped; .));
def is_pull: .pull_request != null;
imported(
  (if type == "object" then [.] else expect("."; "array") end)
  | objects(".") as $all
  | ($all | map(select(.it | unplanned or is_pull | not))) as $issues
  | {
    tasks: [$issues[] | .at as $at | .it
      | (string($at; "body") // "" | split("\r\n") | join("\n") | split("\n")) as $body
      | (if .number == null then fault($at; "number is missing (gh issue list --json number,title,body,labels,state)") else . end)
      | id($at; "number"; "gh-") + {
        at: $at,
        description: string($at; "title"),
        steps: [$body[] | select(box) | ltrimstr(" ") | ltrimstr(" ") | .[6:]],
        passes: (string($at; "state") as $state | closed),
        notes: ([$body[] | select(box | not)] | join("\n")),
        words: [array($at; "labels")[] | if type == "object" then .name else . end | strings]
      }],
    lost: (
      [$all[] | select(.it | unplanned and (is_pull | not))
        | {what: "issues that were closed as not planned or duplicate", at, text: (.it.title // "" | tostring)}]
      + [$all[] | select(.it | is_pull) | {what: "pull requests", at, text: (.it.title // "" | tostring)}]
      + [$issues[] | select(.it | closed | not) | .at as $at | .it.body // "" | split("\n")[] | select(box and (startswith("- [ ]") or startswith("* [ ]") | not))
        | {what: "ticks of single boxes", at: $at, text: .[0:60]}]
      + [$issues[] | .at as $at | .it
        | [others($at; ["number", "title", "body", "labels", "state", "stateReason", "state_reason"]; "of issues ")[]]
        # All of them is what the REST API gives.
        | if length > 8 then {what: "other members of issues", at: $at, text: (map(.what | split("\u0027")[1]) | join(", "))} else .[] end])
  })
