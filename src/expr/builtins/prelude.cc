// Builtins that are written in the language itself.
#include <algorithm>

#include "expr/builtins/builtins.h"

namespace wmap::expr::builtins {
namespace {

constexpr PreludeRow kPrelude[] = {
    {"IN", 1, "def IN(s): any(s == .; .);"},
    {"IN", 2, "def IN(src; s): any(src == s; .);"},
    {"INDEX", 1, "def INDEX(f): INDEX(.[]; f);"},
    {"INDEX", 2,
     "def INDEX(stream; f): [stream | {key: (f | tostring), value: .}] | from_entries;"},
    {"JOIN", 2, "def JOIN($index; key): [.[] | [., $index[key]]];"},
    {"JOIN", 3, "def JOIN($index; stream; key): stream | [., $index[key]];"},
    {"JOIN", 4, "def JOIN($index; stream; key; join): stream | [., $index[key]] | join;"},
    {"_capture", 0,
     "def _capture: reduce (.captures[] | select(.name != null)) as $c ({}; .[$c.name] = "
     "$c.string);"},
    {"add", 1, "def add(f): reduce f as $x (null; . + $x);"},
    {"arrays", 0, "def arrays: select(type == \"array\");"},
    {"booleans", 0, "def booleans: select(type == \"boolean\");"},
    {"capture", 1, "def capture($re): match($re) | _capture;"},
    {"capture", 2, "def capture($re; $flags): match($re; $flags) | _capture;"},
    {"combinations", 0,
     "def combinations: if length == 0 then [] else .[0][] as $x"
     " | (.[1:] | combinations) as $w | [$x] + $w end;"},
    {"combinations", 1, "def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;"},
    {"date", 0, "def date: todate;"},
    {"dateadd", 2, "def dateadd(unit; $n): . + $n;"},
    {"datesub", 2, "def datesub(unit; $n): . - $n;"},
    {"debug", 0, "def debug: .;"},
    {"debug", 1, "def debug(message): .;"},
    {"del", 1, "def del(f): delpaths([path(f)]);"},
    {"finites", 0, "def finites: select(isfinite);"},
    {"first", 0, "def first: .[0];"},
    {"fromdate", 0, "def fromdate: fromdateiso8601;"},
    {"fromdateiso8601", 0, "def fromdateiso8601: strptime(\"%Y-%m-%dT%H:%M:%S%z\") | mktime;"},
    {"fromstream", 1,
     "def fromstream(f): {x: null, e: false} as $init"
     " | foreach f as $i ($init; if .e then $init else . end"
     " | if $i | length == 2 then setpath([\"e\"]; $i[0] | length == 0)"
     " | setpath([\"x\"] + $i[0]; $i[1])"
     " else setpath([\"e\"]; $i[0] | length == 1) end;"
     " if .e then .x else empty end);"},
    {"group_by", 1, "def group_by(f): _group_by(map([f]));"},
    {"gsub", 2, "def gsub($re; replacement): sub($re; replacement; \"g\");"},
    {"gsub", 3, "def gsub($re; replacement; $flags): sub($re; replacement; $flags + \"g\");"},
    {"in", 1, "def in(xs): . as $x | xs | has($x);"},
    {"inside", 1, "def inside(xs): . as $x | xs | contains($x);"},
    {"isempty", 1, "def isempty(g): label $out | (g | false, break $out), true | ., break $out;"},
    {"isvalid", 1, "def isvalid(f): try (f | true) catch false;"},
    {"iterables", 0, "def iterables: select(type | . == \"array\" or . == \"object\");"},
    {"last", 0, "def last: .[-1];"},
    {"leaf_paths", 0, "def leaf_paths: paths(scalars);"},
    {"map_values", 1, "def map_values(f): .[] |= f;"},
    {"match", 1, "def match($re): _match($re)[];"},
    {"match", 2, "def match($re; $flags): _match($re; $flags)[];"},
    {"max_by", 1, "def max_by(f): _max_by(map([f]));"},
    {"min_by", 1, "def min_by(f): _min_by(map([f]));"},
    {"normals", 0, "def normals: select(isnormal);"},
    {"nth", 1, "def nth($n): .[$n];"},
    {"nth", 2,
     "def nth($n; f): if $n < 0 then error(\"nth doesn't support negative indices\")"
     " else first(skip($n; f)) end;"},
    {"nulls", 0, "def nulls: select(. == null);"},
    {"numbers", 0, "def numbers: select(type == \"number\");"},
    {"objects", 0, "def objects: select(type == \"object\");"},
    {"paths", 0, "def paths: path(..) | select(length > 0);"},
    {"paths", 1, "def paths(f): path(.. | select(f)) | select(length > 0);"},
    {"pick", 1,
     "def pick(f): . as $top | reduce path(f) as $p (null; setpath($p; $top | getpath($p)));"},
    {"range", 3,
     "def range($from; $upto; $by): if $by > 0 then $from | while(. < $upto; . + $by)"
     " elif $by < 0 then $from | while(. > $upto; . + $by) else empty end;"},
    {"recurse", 2, "def recurse(f; cond): def r: ., (f | select(cond) | r); r;"},
    {"recurse_down", 0, "def recurse_down: recurse;"},
    {"repeat", 1, "def repeat(f): def r: f, r; r;"},
    {"scalars", 0, "def scalars: select(type | . != \"array\" and . != \"object\");"},
    {"scan", 1, "def scan($re): scan($re; null);"},
    {"scan", 2,
     "def scan($re; $flags): _match($re; \"g\" + $flags)[]"
     " | if .captures == [] then .string else [.captures[].string] end;"},
    {"sort_by", 1, "def sort_by(f): _sort_by(map([f]));"},
    {"splits", 1, "def splits($re): split($re; null)[];"},
    {"splits", 2, "def splits($re; $flags): split($re; $flags)[];"},
    {"strings", 0, "def strings: select(type == \"string\");"},
    {"sub", 2, "def sub($re; replacement): sub($re; replacement; null);"},
    // Of several replacements the first ones make the first result, and so on; without any the
    // input is left as it is.
    {"sub", 3,
     "def sub($re; replacement; $flags): . as $text | _edits($re; $flags)"
     " | .[-1][0] as $rest | [.[:-1][] | [.[0], [.[1] | replacement]]] | _splice($rest)"
     " | if . == [] then $text else .[] end;"},
    {"todate", 0, "def todate: todateiso8601;"},
    {"todateiso8601", 0, "def todateiso8601: strftime(\"%Y-%m-%dT%H:%M:%SZ\");"},
    {"tostream", 0,
     "def tostream: path(def r: (.[]? | r), .; r) as $p | getpath($p)"
     " | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);"},
    {"truncate_stream", 1,
     "def truncate_stream(stream): . as $n | null | stream | . as $input"
     " | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;"},
    {"unique_by", 1, "def unique_by(f): _unique_by(map([f]));"},
    {"until", 2, "def until(cond; update): def u: if cond then . else (update | u) end; u;"},
    {"values", 0, "def values: select(. != null);"},
    {"walk", 1,
     "def walk(f): def w: if type == \"object\" then map_values(w)"
     " elif type == \"array\" then map(w) else . end | f; w;"},
    {"while", 2, "def while(cond; update): def w: if cond then ., (update | w) else empty end; w;"},
    {"with_entries", 1, "def with_entries(f): to_entries | map(f) | from_entries;"},
};

}  // namespace

std::span<const PreludeRow> Prelude() { return kPrelude; }

const PreludeRow* FindPrelude(std::string_view name, std::size_t arity) {
  auto row = std::ranges::find_if(
      kPrelude, [&](const PreludeRow& r) { return r.name == name && r.arity == arity; });
  return row == std::end(kPrelude) ? nullptr : row;
}

}  // namespace wmap::expr::builtins
