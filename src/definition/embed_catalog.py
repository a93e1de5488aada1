#!/usr/bin/python3
"""Writes the files of the catalog into a C++ source, with an index by kind.

    embed_catalog.py OUTPUT FILE...

Fails when a file is no definition, when two are about one kind, and when two have one name."""

import pathlib
import re
import sys

import yaml

HEAD = """// Made by src/definition/embed_catalog.py from the files in catalog/.
#include "definition/catalog_data.h"

namespace wmap::definition {

const CatalogEntry kCatalog[] = {
"""


def read(path):
    text = path.read_text(encoding="utf-8")
    document = yaml.safe_load(text)
    try:
        kind = document["spec"]["structureDefinition"]["rootComponent"]["kind"]
        entry = {key: kind[key] for key in ("kind", "group", "version")}
        entry["name"] = document["metadata"]["name"]
    except (TypeError, KeyError) as error:
        sys.exit(f"{path}: no definition: {error} is missing")
    entry["file"] = f"catalog/{path.name}"
    entry["text"] = text
    return entry


def literal(text):
    """A C++ string literal; long texts in pieces, since compilers bound the length of one."""
    escaped = re.sub(r'[\\"]', lambda match: "\\" + match[0], text)
    lines = escaped.split("\n")
    if len(lines) == 1:
        return f'"{escaped}"'
    pieces = [f'"{line}\\n"' for line in lines[:-1]]
    if lines[-1]:
        pieces.append(f'"{lines[-1]}"')
    return "\n     ".join(pieces)


def refuse_repeated(entries, what, key):
    seen = {}
    for entry in entries:
        other = seen.setdefault(key(entry), entry)
        if other is not entry:
            sys.exit(f"{entry['file']} and {other['file']} have one {what}: {key(entry)}")


def main():
    output, *files = map(pathlib.Path, sys.argv[1:])
    entries = [read(path) for path in sorted(files)]
    refuse_repeated(entries, "kind", lambda e: (e["group"], e["version"], e["kind"]))
    refuse_repeated(entries, "name", lambda e: e["name"])
    entries.sort(key=lambda e: (e["kind"], e["group"], e["version"]))
    text = HEAD
    for entry in entries:
        fields = (literal(entry[key]) for key in ("name", "group", "version", "kind", "file",
                                                  "text"))
        text += "    {" + ",\n     ".join(fields) + "},\n"
    text += "};\n"
    text += "const std::size_t kCatalogSize = sizeof(kCatalog) / sizeof(kCatalog[0]);\n"
    text += "\n}  // namespace wmap::definition\n"
    output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
