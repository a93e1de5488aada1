#!/bin/sh
# Checks the definitions of a repository: kinds/ with cases beside them, crds/ by operator and release.
#     definitions.sh [BRANCH]    also shows what changes against that branch
kinds=${KINDS:-kinds} crds=${CRDS:-crds} format=${FORMAT:-github} failed=0

wmap validate "$kinds" -o "$format" || failed=1
if [ -d "$crds" ]; then
  wmap check "$kinds" --crd "$crds" -o "$format" || failed=1
fi
wmap test "$kinds" || failed=1

if [ -n "$1" ]; then
  old=$(mktemp -d)
  trap 'rm -rf "$old"' EXIT
  git archive "$1" "$kinds" | tar -x -C "$old"
  # What a change does is shown; whether it is meant is for the reviewer to say.
  wmap diff "$old/$kinds" "$kinds"
  [ $? -le 1 ] || failed=1
fi
exit $failed
