#include "cli/choice.h"

#include "base/text.h"

namespace wmap::cli {

std::string UnknownChoice(std::string_view what, std::string_view given,
                          std::span<const std::string_view> choices) {
  std::string text = Cat("unknown ", what, ' ', Quote(given));
  std::string_view near = Nearest(given, {choices.begin(), choices.end()});
  if (!near.empty()) CatTo(text, " (did you mean ", Quote(near), "?)");
  text += "; there are: ";
  for (std::size_t i = 0; i < choices.size(); ++i) CatTo(text, i == 0 ? "" : ", ", choices[i]);
  return text;
}

std::string DidYouMean(std::string_view given, const std::vector<std::string>& names) {
  // An option of one letter is near to every other.
  if (given.size() < 3) return {};
  std::string_view near = Nearest(given, {names.begin(), names.end()});
  return near.empty() ? std::string() : Cat("; did you mean ", Quote(near), "?");
}

}  // namespace wmap::cli
