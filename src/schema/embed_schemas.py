#!/usr/bin/python3
"""Writes schemas into a C++ source: those of the kinds of Kubernetes, and that of definitions; and the
words that operators write.

    embed_schemas.py OUTPUT KUBERNETES DEFINITION WORDS"""

import json
import pathlib
import sys

# Compilers bound the length of one literal.
PIECE = 8000


def literals(text):
    pieces = [text[at:at + PIECE] for at in range(0, len(text), PIECE)]
    return "\n    ".join(f'R"json({piece})json"' for piece in pieces)


def main():
    output, kubernetes, definition, words = map(pathlib.Path, sys.argv[1:])

    def compact(path):
        return json.dumps(json.loads(path.read_text(encoding="utf-8")), separators=(",", ":"))

    output.write_text(f"""// Made by src/schema/embed_schemas.py from {kubernetes.name}, {definition.name} and {words.name}.
#include "schema/embedded_data.h"

namespace wmap::schema {{

const std::string_view kBuiltInSchemas =
    {literals(compact(kubernetes))};

const std::string_view kDefinitionSchema =
    {literals(definition.read_text(encoding="utf-8"))};

const std::string_view kRecordedWords =
    {literals(compact(words))};

}}  // namespace wmap::schema
""", encoding="utf-8")


if __name__ == "__main__":
    main()
