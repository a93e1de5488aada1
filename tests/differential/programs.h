// Random programs that mostly fit their inputs, of the shapes in forms.txt. What only random shapes
// find is left to referee::Programs, whose programs are mixed in.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace wmap::differential {

// A line of forms.txt, which says what the letters mean.
struct Form {
  char type;
  char dot;
  std::string text;
};

// The forms by type. Empty when a line is none.
using Forms = std::map<char, std::vector<Form>>;
Forms ReadForms(std::string_view text);

class Programs {
 public:
  // `forms` must outlive it.
  Programs(const Forms& forms, std::uint32_t seed)
      : forms_(forms), random_(seed), is_odd_(Below(12) == 0) {}

  // The type of an input, mostly an object `o`.
  char InputType();
  // JSON text of that type.
  std::string Input(char type) { return Json(type, 2); }
  // A program for inputs of that type.
  std::string Program(char type);

 private:
  struct Variable {
    char type;
    std::string name;
  };

  int Below(int count) { return static_cast<int>(random_() % static_cast<std::uint32_t>(count)); }
  char PickType(std::string_view types) {
    return types[static_cast<std::size_t>(Below(static_cast<int>(types.size())))];
  }
  std::string Json(char type, int depth);
  std::string Number();
  std::string Text();
  std::string Expression(char type, char dot, int depth);
  std::string Fill(std::string_view text, char dot, int depth);

  const Forms& forms_;
  std::mt19937 random_;
  bool is_odd_;  // has numbers whose spelling, size or fraction matters
  std::vector<Variable> variables_;
  int names_ = 0;
};

}  // namespace wmap::differential
