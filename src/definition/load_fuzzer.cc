// Definitions from arbitrary bytes: loading never fails as a whole, in either mode; what it returns
// is a tree with a root, and findings can be shown.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/utf8.h"
#include "definition/load.h"

namespace {

using wmap::definition::Component;
using wmap::definition::Finding;
using wmap::definition::Karta;
using wmap::definition::Loaded;
using wmap::definition::Mode;

void CheckTree(const Karta& karta) {
  WMAP_CHECK(!karta.components.empty() && karta.root().is_root());
  std::size_t reached = 0;
  std::vector<std::size_t> open = {0};
  while (!open.empty()) {
    std::size_t at = open.back();
    open.pop_back();
    WMAP_CHECK(++reached <= karta.components.size());
    for (std::size_t child : karta.components[at].children) {
      WMAP_CHECK(karta.components[child].parent == at);
      open.push_back(child);
    }
  }
  WMAP_CHECK(reached == karta.components.size());
}

bool HasErrors(const std::vector<Finding>& findings) {
  return wmap::definition::HasErrors(findings);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<Loaded> strict = wmap::definition::LoadText(text, {.mode = Mode::kStrict});
  std::vector<Loaded> lenient = wmap::definition::LoadText(text, {.mode = Mode::kLenient});
  WMAP_CHECK(strict.size() == lenient.size());
  for (std::size_t i = 0; i < strict.size(); ++i) {
    for (const Loaded* loaded : {&strict[i], &lenient[i]}) {
      WMAP_CHECK(loaded->karta != nullptr || HasErrors(loaded->findings));
      if (loaded->karta != nullptr) {
        WMAP_CHECK(loaded->karta->is_valid == !HasErrors(loaded->findings));
        CheckTree(*loaded->karta);
      }
      for (const Finding& finding : loaded->findings) {
        WMAP_CHECK(!finding.place.known() || finding.width > 0);
        WMAP_CHECK(wmap::IsUtf8(wmap::definition::Render(finding, text)));
      }
    }
    // What is right to authors is right to everybody.
    if (!HasErrors(strict[i].findings)) WMAP_CHECK(!HasErrors(lenient[i].findings));
  }
  return 0;
}
