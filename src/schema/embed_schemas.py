#!/usr/bin/python3
"""Writes the schemas of the kinds of Kubernetes into a C++ source.

    embed_schemas.py OUTPUT FILE"""

import json
import pathlib
import sys

# Compilers bound the length of one literal.
PIECE = 8000


def main():
    output, source = map(pathlib.Path, sys.argv[1:])
    text = json.dumps(json.loads(source.read_text(encoding="utf-8")), separators=(",", ":"))
    pieces = [text[at:at + PIECE] for at in range(0, len(text), PIECE)]
    literals = "\n    ".join(f'R"json({piece})json"' for piece in pieces)
    output.write_text(f"""// Made by src/schema/embed_schemas.py from catalog/schemas/kubernetes.json.
#include "schema/built_ins_data.h"

namespace wmap::schema {{

const std::string_view kBuiltInSchemas =
    {literals};

}}  // namespace wmap::schema
""", encoding="utf-8")


if __name__ == "__main__":
    main()
