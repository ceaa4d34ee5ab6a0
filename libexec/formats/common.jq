# common: what the filters of all formats are made of. A path in the source is called `$at`.
# (A parameter $type would hide the builtin `type`.)

# The source does not hold: `imported` makes the answer of it.
def fault($at; $text): error({at: $at, text: $text});

def imported(f): try f catch (if type == "object" then {fault: .} else error(.) end);

def kind: {null: "null", boolean: "a boolean", number: "a number", string: "a string", array: "an array", object: "an object"}[type];

def is_name: explode | length > 0 and all(. == 95 or (. >= 65 and . <= 90) or (. >= 97 and . <= 122));
def path_to($at; $key):
  if ($key | type) == "string" and ($key | is_name) then (if $at == "." then "" else $at end) + "." + $key
  else $at + "[\($key | tojson)]" end;

# `at` is no value, so that a path is made for a fault alone.
def expect(at; $wanted): if type == $wanted then . else
    fault(at; "expected \({array: "an array", object: "an object", string: "a string", boolean: "a boolean"}[$wanted]), not \(kind)") end;

# A member; null where it is missing or null.
def member($at; $key; $wanted): .[$key] | if . == null then . else expect(path_to($at; $key); $wanted) end;
def string($at; $key): member($at; $key; "string");
def flag($at; $key): member($at; $key; "boolean");
def array($at; $key): member($at; $key; "array") // [];
def strings($at; $key): [array($at; $key) | to_entries[] | .key as $i | .value | expect(path_to(path_to($at; $key); $i); "string")];

# A number that a double holds with every digit of it.
def is_whole: type == "number" and . == floor and fabs < 9007199254740992;

# An id, as members of a rough task: a string, or a number. Of one that is not whole the digits are left to be found
# in the source, at `id_at`, and to be put behind `id`.
def id($at; $key; $before): .[$key] | if . == null then {} elif type == "string" then {id: ($before + .)}
  elif is_whole then {id: ($before + tostring)}
  elif type == "number" then {id: $before, id_at: path_to($at; $key)}
  else fault(path_to($at; $key); "expected a string, not \(kind)") end;

# The ids of others.
def ids($at; $key): [array($at; $key) | to_entries[] | .key as $i | .value | if is_whole then tostring
  elif type == "number" then fault(path_to(path_to($at; $key); $i); "a number that cannot be kept digit by digit: write it as a string")
  else expect(path_to(path_to($at; $key); $i); "string") end];

# Objects with their paths: {at, it}.
def objects($at): to_entries | map(path_to($at; .key) as $p | {at: $p, it: (.value | expect($p; "object"))});

# Members that are not among those that are known, and say something.
def others($at; $known; $of): [to_entries[] | .key as $k
  | select((.value | . != null and . != "" and . != [] and . != {} and . != false) and ($known | index([$k])) == null)
  | {what: "\($of)'\($k)'", at: path_to($at; $k), text: (.value | if type == "string" then . else tojson end)}];

# A state that says that nobody will do it, in any spelling.
def dropped: strings | ascii_downcase | gsub("[-_ \u2019']"; "")
  | . == "canceled" or . == "cancelled" or . == "duplicate" or . == "wontdo" or . == "wontfix" or . == "notplanned";

def lines: if . == null then [] else split("\n") end;
