#!/usr/bin/python3
"""docs/definition.schema.json, by a validator that others use: it takes every definition of ours and
refuses what people get wrong, as `wmap validate` does.

    definition_schema_test.py WMAP"""

import copy
import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCHEMA = json.loads((ROOT / "docs/definition.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
# Maps whose keys are anybody's.
FREE = {"matchLabels", "labels", "annotations"}


@functools.cache
def definitions():
    found = {}
    for folder in ("catalog", "tests/foreign"):
        for file in sorted((ROOT / folder).iterdir()):
            if not file.is_file() or ".cases." in file.name or file.suffix not in (".yaml", ".json"):
                continue
            documents = yaml.load_all(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
            items = [item for document in documents if document
                     for item in document.get("items", [document])]
            found.update({f"{file.name}, {number}": item for number, item in enumerate(items, 1)})
    return found


def resolve(schema):
    while "$ref" in schema or "allOf" in schema:
        name = (schema if "$ref" in schema else schema["allOf"][0])["$ref"].rsplit("/", 1)[1]
        schema = SCHEMA["definitions"][name]
    return schema


def walk(value, schema, trail=()):
    """Every value of a document with its place and its schema."""
    schema = resolve(schema)
    yield trail, value, schema
    if isinstance(value, dict):
        for key, below in value.items():
            if key in schema.get("properties", {}):
                yield from walk(below, schema["properties"][key], (*trail, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from walk(below, schema["items"], (*trail, index))


def at(document, trail):
    for step in trail:
        document = document[step]
    return document


def changed(document, trail, change):
    """A copy with another value at a place."""
    document = copy.deepcopy(document)
    above = at(document, trail[:-1])
    above[trail[-1]] = change(above[trail[-1]])
    return document


def without(key):
    return lambda value: {name: below for name, below in value.items() if name != key}


def renamed(key, name):
    return lambda value: {name if known == key else known: below for known, below in value.items()}


def mutants(document):
    """(what was done, the document) of what people get wrong in the structure."""
    spec = SCHEMA["properties"]["spec"]
    for trail, value, schema in walk(document["spec"], spec, ("spec",)):
        place = ".".join(map(str, trail))
        if isinstance(value, dict) and trail[-1] not in FREE:
            yield f"{place}: unknown field", changed(document, trail, lambda v: {**v, "extra": "1"})
            for key in value:
                # A letter is missing, or the first one is in another case.
                yield f"{place}.{key}: misspelt", changed(
                    document, trail, renamed(key, key[:2] + key[3:]))
                yield f"{place}.{key}: capital", changed(
                    document, trail, renamed(key, key[0].swapcase() + key[1:]))
                if key in schema.get("required", ()):
                    yield f"{place}.{key}: missing", changed(document, trail, without(key))
            yield f"{place}: a text", changed(document, trail, lambda v: "text")
            yield f"{place}: a list", changed(document, trail, lambda v: [v])
        elif isinstance(value, list):
            if value:
                yield f"{place}: the item alone", changed(document, trail, lambda v: v[0])
        elif isinstance(value, str):
            # What YAML makes of a word or a number without quotes.
            yield f"{place}: a boolean", changed(document, trail, lambda v: True)
            yield f"{place}: a number", changed(document, trail, lambda v: 1)
            yield f"{place}: an object", changed(document, trail, lambda v: {"path": v})
    yield from special(document)


def special(document):
    structure = ("spec", "structureDefinition")
    root = (*structure, "rootComponent")
    yield "root with ownerRef", changed(document, root, lambda v: {**v, "ownerRef": "x"})
    for index, child in enumerate(document["spec"]["structureDefinition"].get("childComponents", [])):
        place = (*structure, "childComponents", index)
        yield f"child {index} without ownerRef", changed(document, place, without("ownerRef"))
        spec = child.get("specDefinition", {})
        if "podTemplateSpecPath" in spec:
            yield f"child {index} with two pod descriptions", changed(
                document, (*place, "specDefinition"), lambda v: {**v, "podSpecPath": ".spec"})
        if "podSelector" in child:
            selector = (*place, "podSelector")
            yield f"child {index}: empty type selector", changed(
                document, selector, lambda v: {**v, "componentTypeSelector": {}})
            yield f"child {index}: value without key", changed(
                document, selector, lambda v: {**v, "componentTypeSelector": {"value": "a"}})
    mappings = (*root, "statusDefinition", "statusMappings")
    yield "empty matcher", changed(document, mappings, lambda v: {**v, "running": [{}]})
    yield "phase without a letter", changed(document, mappings, lambda v: {**v, "runing": []})
    if "suspendDefinition" in at(document, root):
        yield "nothing to suspend", changed(
            document, (*root, "suspendDefinition"), lambda v: {**v, "suspendActions": []})


class DefinitionSchema(unittest.TestCase):
    wmap = ""

    def test_it_is_a_schema(self):
        jsonschema.Draft7Validator.check_schema(SCHEMA)

    def test_it_takes_every_definition(self):
        self.assertGreater(len(definitions()), 40)
        for file, document in definitions().items():
            with self.subTest(file):
                self.assertEqual([(list(error.path), error.message) for error in VALIDATOR.iter_errors(document)], [])

    def test_every_field_is_used_and_described(self):
        # What a root may have and what a child may have is nearly the same.
        child = SCHEMA["definitions"]["childComponent"]
        alike = {id(SCHEMA["definitions"]["rootComponent"]): id(child)}
        used = set()
        for document in definitions().values():
            for _, value, schema in walk(document["spec"], SCHEMA["properties"]["spec"]):
                if isinstance(value, dict):
                    used |= {(alike.get(id(schema), id(schema)), key) for key in value}

        def fields(schema):
            for key, below in schema.get("properties", {}).items():
                yield schema, key, below
                yield from fields(below)
            if "items" in schema:
                yield from fields(schema["items"])

        for name, part in SCHEMA["definitions"].items():
            for schema, key, below in fields(part):
                with self.subTest(f"{name}: {key}"):
                    self.assertTrue((alike.get(id(schema), id(schema)), key) in used)
                    self.assertTrue(below.get("description") or resolve(below).get("description"))

    def test_it_refuses_what_wmap_refuses(self):
        count = 0
        with tempfile.TemporaryDirectory() as folder:
            names = {}
            for file, document in definitions().items():
                for what, mutant in mutants(document):
                    count += 1
                    if VALIDATOR.is_valid(mutant):
                        self.fail(f"{file}: {what}: taken")
                    # One of each kind of mistake is enough for the other validator.
                    kind = re.sub(r"\d+", "N", what)
                    if kind not in names.values():
                        name = f"{len(names)}.json"
                        names[name] = kind
                        (pathlib.Path(folder) / name).write_text(json.dumps(mutant), encoding="utf-8")
            result = subprocess.run([self.wmap, "validate", folder], capture_output=True, text=True,
                                    check=False)
            self.assertEqual(result.returncode, 1, result.stderr)
            for name, kind in names.items():
                with self.subTest(kind):
                    self.assertRegex(result.stdout + result.stderr, rf"/{name}:\d+:\d+: (error|warning)")
        self.assertGreater(count, 10_000)

    def test_the_program_prints_it(self):
        result = subprocess.run([self.wmap, "definitions", "--schema"], capture_output=True, text=True,
                                check=True)
        self.assertEqual(json.loads(result.stdout), SCHEMA)


if __name__ == "__main__":
    DefinitionSchema.wmap = sys.argv.pop(1)
    unittest.main()
