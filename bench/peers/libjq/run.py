"""Runs cases.c with a libjq: run.py LIBRARY CASES.SO FILE compile|run SECONDS

LIBRARY is a libjq.so, or the extension of the Python package `jq`, which holds one and exports it,
and which only loads into a Python."""
import ctypes
import sys

library, cases, file, mode, seconds = sys.argv[1:]
ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
run = ctypes.CDLL(cases).run_cases
run.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_double]
sys.exit(run(file.encode(), mode.encode(), float(seconds)))
