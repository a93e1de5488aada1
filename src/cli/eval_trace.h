// What `wmap eval --trace` tells of an evaluation.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/context.h"
#include "expr/evaluate.h"

namespace wmap::cli {

// Writes a line for each value as it comes, and at the end which parts gave null or nothing:
//
//     .spec.jobs[]                 {"name":"a","n":1}        .spec.jobs[0]
//     .n > 1                       false
//     = "b"                        from .spec.jobs[1].name
//     nothing came of select(.n > 1), 1 of 2 times
class EvalTrace final : public expr::Tracer {
 public:
  // `source` must live as long.
  EvalTrace(std::string_view source, const Context& context) : source_(source), context_(context) {}

  void Enter(SourceRange part) override;
  void Leave(SourceRange part, const json::Value& value, const json::Value* path) override;
  void Yield(const json::Value& value, const json::Value* path) override;

  // After the run; of one that failed, the parts that were at work did not come to an end.
  void Summarize(bool failed);

 private:
  struct Part {
    std::size_t entered = 0;
    std::size_t nulls = 0;
    std::size_t nothing = 0;  // times that it was entered and gave nothing
    bool has_given = true;    // since it was entered
  };

  void Tell(std::string_view part, std::string_view value, const json::Value* path);
  std::string TextOf(SourceRange part) const;

  std::string_view source_;
  const Context& context_;
  std::size_t lines_ = 0;
  // By where they stand: outer parts before inner ones.
  std::map<std::pair<std::size_t, std::size_t>, Part> parts_;
};

}  // namespace wmap::cli
