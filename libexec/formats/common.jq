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

def expect($at; $wanted): if type == $wanted then . else
    fault($at; "expected \({array: "an array", object: "an object", string: "a string", boolean: "a boolean"}[$wanted]), not \(kind)") end;

# A member; null where it is missing or null.
def member($at; $key; $wanted): .[$key] | if . == null then . else expect(path_to($at; $key); $wanted) end;
def string($at; $key): member($at; $key; "string");
def flag($at; $key): member($at; $key; "boolean");
def array($at; $key): member($at; $key; "array") // [];
def strings($at; $key): [array($at; $key) | to_entries[] | .key as $i | .value | expect(path_to(path_to($at; $key); $i); "string")];

# An id: a string, or a number as one, as long as a double holds every digit of it.
def id($at; $key): .[$key] | if . == null or type == "string" then .
  elif type == "number" and fabs >= 9007199254740992 then
    fault(path_to($at; $key); "a number of so many digits cannot be kept: write it as a string")
  elif type == "number" then tostring else fault(path_to($at; $key); "expected a string, not \(kind)") end;

# Objects with their paths: {at, it}.
def objects($at): to_entries | map(path_to($at; .key) as $p | {at: $p, it: (.value | expect($p; "object"))});

# Members that are not among those that are known, and say something.
def others($at; $known; $of): [to_entries[] | .key as $k
  | select(($known | any(. == $k) | not) and (.value | . != null and . != "" and . != [] and . != {} and . != false))
  | {what: "\($of)'\($k)'", at: path_to($at; $k), text: (.value | if type == "string" then . else tojson end)}];

def lines: if . == null then [] else split("\n") end;
