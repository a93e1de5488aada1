// Reading and writing JSON: a 50 MB list of pods, and the same pods one by one as a watch sends
// them. The rival is simdjson, alone and followed by a copy into our tree, which is what using it
// would mean. bytes_per_second counts JSON text; run with --benchmark_min_time=2 and read the best
// of several repetitions (CPU time).
#include <benchmark/benchmark.h>
#include <cstddef>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/check.h"
#include "json/reader.h"
#include "json/value.h"
#include "json/writer.h"
#include "micro/json_pods.h"

namespace wmap::json {
namespace {

const std::string& ListText() {
  static const std::string text = bench::PodText::List(50'000'000);
  return text;
}

const std::vector<std::string>& PodTexts() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> pods(1000);
    bench::PodText generator(2);
    for (std::string& pod : pods) generator.Append(pod);
    return pods;
  }();
  return texts;
}

void CountBytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

// A new arena each time: what a program that reads one file once pays.
void ReadListFresh(benchmark::State& state) {
  const std::string& text = ListText();
  for (auto _ : state) {
    Arena arena;
    auto value = Read(text, arena);
    WMAP_CHECK(value.has_value());
    benchmark::DoNotOptimize(value);
    state.counters["tree_MB"] = static_cast<double>(arena.bytes_reserved()) / 1e6;
  }
  CountBytes(state, text.size() * state.iterations());
}
BENCHMARK(ReadListFresh)->Unit(benchmark::kMillisecond);

void ReadList(benchmark::State& state, const ReadOptions& options) {
  const std::string& text = ListText();
  Arena arena;
  Reader reader(options);
  for (auto _ : state) {
    arena.Reset();
    auto value = reader.Read(text, arena);
    WMAP_CHECK(value.has_value());
    benchmark::DoNotOptimize(value);
  }
  CountBytes(state, text.size() * state.iterations());
}
BENCHMARK_CAPTURE(ReadList, copied, {})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ReadList, borrowed, {.borrow_text = true})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ReadList, without_managed_fields, {.drop_managed_fields = true})
    ->Unit(benchmark::kMillisecond);

void ReadPods(benchmark::State& state, const ReadOptions& options) {
  Arena arena;
  Reader reader(options);
  std::size_t bytes = 0;
  for (auto _ : state) {
    for (const std::string& text : PodTexts()) {
      arena.Reset();
      auto value = reader.Read(text, arena);
      WMAP_CHECK(value.has_value());
      benchmark::DoNotOptimize(value);
      bytes += text.size();
    }
  }
  CountBytes(state, bytes);
}
BENCHMARK_CAPTURE(ReadPods, copied, {});
BENCHMARK_CAPTURE(ReadPods, borrowed, {.borrow_text = true});
BENCHMARK_CAPTURE(ReadPods, without_managed_fields, {.drop_managed_fields = true});

void SkipPods(benchmark::State& state) {
  Reader reader;
  std::size_t bytes = 0;
  for (auto _ : state) {
    for (const std::string& text : PodTexts()) {
      std::size_t position = 0;
      auto found = reader.SkipNext(text, &position);
      WMAP_CHECK(found.has_value() && *found);
      bytes += text.size();
    }
  }
  CountBytes(state, bytes);
}
BENCHMARK(SkipPods);

// simdjson's tree as ours. Recursive: benchmark data is shallow.
Value CopyTree(Arena& arena, simdjson::dom::element element, std::vector<Value>& items,
               std::vector<Member>& members) {
  using simdjson::dom::element_type;
  switch (element.type()) {
    case element_type::OBJECT: {
      std::size_t base = members.size();
      for (auto field : simdjson::dom::object(element)) {
        Value value = CopyTree(arena, field.value, items, members);
        members.push_back({arena.Copy(field.key), value});
      }
      Value object = MakeObject(arena, {members.data() + base, members.size() - base});
      members.resize(base);
      return object;
    }
    case element_type::ARRAY: {
      std::size_t base = items.size();
      for (auto item : simdjson::dom::array(element)) {
        Value value = CopyTree(arena, item, items, members);
        items.push_back(value);
      }
      Value array = MakeArray(arena, {items.data() + base, items.size() - base});
      items.resize(base);
      return array;
    }
    case element_type::STRING:
      return MakeString(arena, std::string_view(element));
    case element_type::INT64:
      return Value::Int(std::int64_t(element));
    case element_type::BOOL:
      return Value::Bool(bool(element));
    case element_type::NULL_VALUE:
      return Value::Null();
    default:
      return Value::Double(double(element));
  }
}

void SimdjsonListFresh(benchmark::State& state) {
  simdjson::padded_string text(ListText());
  for (auto _ : state) {
    simdjson::dom::parser parser;
    Arena arena;
    std::vector<Value> items;
    std::vector<Member> members;
    Value value = CopyTree(arena, parser.parse(text).value(), items, members);
    benchmark::DoNotOptimize(value);
  }
  CountBytes(state, text.size() * state.iterations());
}
BENCHMARK(SimdjsonListFresh)->Unit(benchmark::kMillisecond);

void SimdjsonListAlone(benchmark::State& state) {
  simdjson::padded_string text(ListText());
  simdjson::dom::parser parser;
  for (auto _ : state) {
    auto element = parser.parse(text).value();
    benchmark::DoNotOptimize(element);
  }
  CountBytes(state, text.size() * state.iterations());
}
BENCHMARK(SimdjsonListAlone)->Unit(benchmark::kMillisecond);

void SimdjsonPods(benchmark::State& state) {
  std::vector<simdjson::padded_string> texts;
  for (const std::string& text : PodTexts()) texts.emplace_back(text);
  simdjson::dom::parser parser;
  Arena arena;
  std::vector<Value> items;
  std::vector<Member> members;
  std::size_t bytes = 0;
  for (auto _ : state) {
    for (const simdjson::padded_string& text : texts) {
      arena.Reset();
      Value value = CopyTree(arena, parser.parse(text).value(), items, members);
      benchmark::DoNotOptimize(value);
      bytes += text.size();
    }
  }
  CountBytes(state, bytes);
}
BENCHMARK(SimdjsonPods);

void WriteList(benchmark::State& state, const WriteOptions& options) {
  Arena arena;
  Value value = Read(ListText(), arena).value();
  std::string text;
  for (auto _ : state) {
    text.clear();
    Write(value, text, options);
    benchmark::DoNotOptimize(text.data());
  }
  CountBytes(state, text.size() * state.iterations());
}
BENCHMARK_CAPTURE(WriteList, sorted, {})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteList, source_order, {.order = WriteOptions::Order::kSource})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteList, indented, {.indent = 2})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wmap::json
