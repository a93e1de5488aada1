"""The cases of the workload `expr`: what bench/run gives bench/macro/expr_cases.cc and its peers.

Each function returns {"inputs": {NAME: value}, "cases": [{"name", "program", "input"}, ...]}.
"""
import json
import os
import pathlib

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get("WMAP_SHARED") or ROOT.parent / "shared")
EXTENSIONS = "wmap.dev/extensions"
# The members of extensions that are expressions: on the object, and on others.
ON_OBJECT = {"exists", "wanted", "active", "described", "startsAfter", "startsByIndex",
             "ownerInstance", "minimum", "name", "reason", "message", "holdsOnReadyPods", "createdLater",
             "wraps"}
ON_CHILD = {"instance", "copy", "replicas"}


# --- the catalog ---------------------------------------------------------------------------------


def texts(value, trail=()):
    """(names of the members that lead to it, text) of every string below a value."""
    if isinstance(value, str):
        yield trail, value
    for key, below in value.items() if isinstance(value, dict) else ():
        yield from texts(below, (*trail, key))
    for below in value if isinstance(value, list) else ():
        yield from texts(below, trail)


def expressions(karta):
    """(whether it is evaluated on the object to read it, text) of every expression of a definition.
    Those of pod selectors are evaluated on pods, those of suspendDefinition when something is to
    be suspended."""
    for trail, text in texts(karta["spec"]):
        if trail[-1] in ("path", "expression") or trail[-1].endswith("Path"):
            yield not {"podSelector", "suspendDefinition"} & set(trail), text
    extensions = karta["metadata"].get("annotations", {}).get(EXTENSIONS, "{}")
    for trail, text in texts(json.loads(extensions)):
        # The reasons of silenced findings are for people.
        if trail[-1] in ON_OBJECT | ON_CHILD and "silenced" not in trail:
            yield trail[-1] in ON_OBJECT, text


def definitions():
    for file in sorted((ROOT / "catalog").glob("*.yaml")):
        if file.name.endswith(".cases.yaml"):
            continue
        karta = yaml.load(file.read_text(), yaml.CSafeLoader)
        kind = karta["spec"]["structureDefinition"]["rootComponent"]["kind"]
        version = f"{kind['group']}/{kind['version']}".lstrip("/")
        # Equal expressions of one definition are compiled and evaluated once.
        yield (version, kind["kind"]), list(dict.fromkeys(expressions(karta)))


def recorded_objects():
    """One object of each kind in the recorded lifecycles: the first of a file that says `running`,
    else the first. Nothing where they are absent."""
    found = {}
    files = sorted((SHARED / "data" / "lifecycles").glob("*/*/*/[0-9]*.json"),
                   key=lambda file: (not file.stem.endswith("-running"), file))
    example = ROOT / "examples" / "jobset-train" / "running.json"
    for file in [example, *files]:
        for item in json.loads(file.read_text())["items"]:
            found.setdefault((item["apiVersion"], item["kind"]), item)
    return found


def on_objects():
    """The expressions of the catalog's definitions, each on an object of its kind; and the kinds of
    which there is no object here."""
    objects, inputs, cases, absent = recorded_objects(), {}, [], []
    for kind, programs in definitions():
        if kind not in objects:
            absent.append(kind[1])
            continue
        inputs[kind[1]] = objects[kind]
        cases += [{"name": f"{kind[1]}: {text}", "program": text, "input": kind[1]}
                  for is_on_object, text in programs if is_on_object]
    return {"inputs": inputs, "cases": cases}, absent


def all_expressions():
    cases = [{"name": text, "program": text, "input": None}
             for _, programs in definitions() for _, text in programs]
    return {"inputs": {}, "cases": cases}


# --- classic programs ----------------------------------------------------------------------------


def tree(depth):
    """A deep tree with a few kinds of leaves."""
    if depth == 0:
        return {"name": "leaf", "value": 1, "tags": ["a", "b"], "on": True}
    return {"name": f"node {depth}", "left": tree(depth - 1), "right": [tree(depth - 1), depth]}


def rows(count):
    return [{"id": i, "name": f"name {i * 7919 % count}", "team": f"team {i * 31 % 97}",
             "score": i * 7919 % 10007, "ratio": i % 1000 / 8, "labels": {"app": f"app-{i % 50}",
             "tier": "gpu" if i % 3 == 0 else "cpu"}} for i in range(count)]


def inputs():
    few = rows(20_000)
    return {
        "many numbers": [i * 7919 % 400_009 for i in range(400_000)],
        "numbers": [i * 7919 % 100_003 for i in range(100_000)],
        "words": [f"word-{i * 7919 % 10007}" for i in range(100_000)],
        "text": ", ".join(f"word-{i * 7919 % 10007}" for i in range(1_000_000)),
        "rows": few,
        "objects": {row["name"]: row["score"] for row in few},
        "trees": [tree(10) for _ in range(4)],
        "nested": [[i, [i + 1, [i + 2, [i + 3]]]] for i in range(20_000)],
        "teams": [{"team": f"team {i}", "lead": f"lead {i}"} for i in range(97)],
    }


# Name, program, input. Most take jaq 20 to 300 ms; each ends in something small that depends on all
# of its work.
PROGRAMS = (
    ("group_by", "group_by(.team) | map({team: .[0].team, n: length, sum: (map(.score) | add)})",
     "rows"),
    ("sort", "sort | [.[0], .[200000], .[-1], length]", "many numbers"),
    ("unique", "unique | [.[0], .[-1], length]", "words"),
    ("reduce a million", "reduce range(1000000) as $x (0; . + $x)", None),
    ("string building", 'reduce range(100000) as $x (""; . + "\\($x),") | length', None),
    ("join", 'join("/") | length', "words"),
    ("split", 'split(", ") | [length, .[0], .[-1]]', "text"),
    ("update each", "[.[] |= . * 2 + 1 | .[] |= . - 1] | .[0] | add", "numbers"),
    ("update paths", '(.[] | select(.score > 5000) | .labels.tier) |= "big"'
     ' | map(select(.labels.tier == "big")) | length', "rows"),
    ("recurse", "[.. | numbers] | [length, add]", "trees"),
    ("fib", "def fib: if . < 2 then . else (. - 1 | fib) + (. - 2 | fib) end; 23 | fib", None),
    ("ackermann", "def ack($m; $n): if $m == 0 then $n + 1 elif $n == 0 then ack($m - 1; 1)"
     " else ack($m - 1; ack($m; $n - 1)) end; ack(2; 150)", None),
    ("entries", 'to_entries | map(select(.value > 100) | .key |= "k" + .) | from_entries'
     " | [length, (map(.) | add)]", "objects"),
    ("paths", "[paths] | [length, (map(length) | add)]", "trees"),
    ("tojson, fromjson", "tojson | fromjson | length", "rows"),
    ("range, limit", "[limit(300000; range(1; 1000000; 2) | select(. % 3 == 0)), 1] | add", None),
    ("walk", 'walk(if type == "number" then . + 1 else . end) | [.. | numbers] | add', "trees"),
    ("map, select", 'map(select(.score % 2 == 0 and .labels.tier == "gpu") | {id, r: (.ratio * 2)})'
     " | [length, (map(.r) | add)]", "rows"),
    ("regex", '[.[] | select(test("^word-[0-9]*7$")) | gsub("(?<d>[0-9])0"; "<\\(.d)>")]'
     " | [length, (map(length) | add), .[7]]", "words"),
    ("@base64", "[.[] | @base64] | [length, (map(length) | add), .[0]]", "words"),
    ("min_by, max_by", "[min_by(.score), max_by(.ratio), min_by(.name), max_by(.labels.app)]"
     " | map(.id)", "rows"),
    ("foreach", "[foreach .[] as $x (0; . + $x; . % 1000)] | [length, add]", "numbers"),
    ("object of 100,000", "reduce range(100000) as $x ({}; .[\"key \\($x)\"] = $x)"
     " | [length, .[\"key 77777\"]]", None),
    ("flatten", "flatten | [length, add]", "nested"),
    # INDEX, which jaq does not have, as jq defines it.
    ("index, join", "def index_by(s; f): reduce s as $row ({}; .[$row | f | tostring] |= $row);"
     " . as $all | index_by($all[]; .name) as $by"
     " | [$all[] | $by[\"name \\(.id)\"] | .score] | add", "rows"),
)

# Why a peer does not finish a program, or answers it differently.
EXPLAINED = {
    ("gojq", "string building"): "its values are immutable: every step copies the text",
    ("gojq", "object of 100,000"): "its values are immutable: every step copies the object",
    ("gojq", "index, join"): "its values are immutable: every step copies the object",
    ("jq", "update each"): "1.6 copies the array at every update",
    ("jq", "index, join"): "1.6 copies the object at every update",
}


def programs():
    return {"inputs": inputs(),
            "cases": [{"name": name, "program": program, "input": given}
                      for name, program, given in PROGRAMS]}
