// Random programs and inputs for differential tests. Small on purpose: a short program on a small
// value meets more of the language's corners than a long one, and can be understood when it fails.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace wmap::referee {

class Programs {
 public:
  explicit Programs(std::uint32_t seed) : random_(seed) {}

  // A program that compiles: it names only what it defines.
  std::string Program();
  // JSON text.
  std::string Input();

 private:
  int Below(int count) { return static_cast<int>(random_() % static_cast<std::uint32_t>(count)); }
  std::string Pick(std::initializer_list<const char*> choices);
  std::string Json(int depth);
  std::string Query(int depth);
  std::string Leaf();
  std::string Path(int depth);
  std::string Call(int depth);
  std::string Pattern(int depth, std::vector<std::string>* names);

  std::mt19937 random_;
  std::vector<std::string> variables_;
  std::vector<std::string> functions_;  // without parameters
  std::vector<std::string> labels_;
  int names_ = 0;
};

}  // namespace wmap::referee
