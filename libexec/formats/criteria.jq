# criteria: .loop/state.json of wisp hook. A criterion is a task, its command verifies it.
imported(
  expect("."; "object")
  | if .criteria == null and .criteriaStatus == null then fault("."; "neither criteria nor criteriaStatus is there") else . end
  | strings("."; "criteria") as $named
  | ((member("."; "criteriaStatus"; "object") // {})
    | with_entries(.key as $k | .value |= (if . == null then false else expect(path_to(".criteriaStatus"; $k); "boolean") end))) as $status
  | ((member("."; "verify"; "object") // {}) | with_entries(.key as $k | .value |= expect(path_to(".verify"; $k); "string"))) as $verify
  | strings("."; "remainingSteps") as $steps
  | ($named + [$status | keys_unsorted[] | . as $k | select($named | any(. == $k) | not)]) as $all
  | {
    tasks: [$all | to_entries[] | .key as $i | .value as $c | {
        at: (if $i < ($named | length) then path_to(".criteria"; $i) else path_to(".criteriaStatus"; $c) end),
        # A command alone may set it.
        set: (if $verify[$c] then null else [{at: path_to(".criteriaStatus"; $c), value: true}] end),
        description: $c,
        steps: (if $i == 0 then $steps else [] end),
        passes: ($status[$c] == true),
        verify: $verify[$c]
      }],
    lost: others("."; ["criteria", "criteriaStatus", "verify", "remainingSteps", "steps"]; "")
  })
