#include "schema/renamed.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace wmap::schema {
namespace {

using expr::DocumentPath;
using expr::Kinds;
using expr::PathStep;

constexpr std::size_t kMostPlaces = 3;

class Search {
 public:
  Search(const DocumentPath& path, Documents& had, Documents& lacks)
      : path_(path), had_(had), lacks_(lacks), kinds_(had.KindsAt(path).Without(Kinds::kNull)) {}

  std::vector<std::string> Run() {
    if (had_.Resolve(path_).answer != Resolution::Answer::kResolved) return {};
    Resolution resolution = lacks_.Resolve(path_);
    if (resolution.answer != Resolution::Answer::kMissing) return {};
    auto at = path_.begin() + static_cast<std::ptrdiff_t>(resolution.steps);
    above_.assign(path_.begin(), at - 1);
    gone_ = *(at - 1);
    rest_.assign(at, path_.end());
    // A list that has become a map or a single object, or the reverse: the name is the same.
    if (gone_.kind != PathStep::Kind::kKey) return {};
    LookBeside();
    LookElsewhere(gone_.key, rest_);
    if (!rest_.empty() && rest_.back().kind == PathStep::Kind::kKey) {
      LookElsewhere(rest_.back().key, {});
    }
    if (found_.size() > kMostPlaces) found_.resize(kMostPlaces);
    return std::move(found_);
  }

 private:
  bool Fits(const DocumentPath& candidate) {
    return lacks_.Resolve(candidate).answer == Resolution::Answer::kResolved &&
           lacks_.KindsAt(candidate).Has(kinds_);
  }

  void Add(const DocumentPath& candidate) {
    std::string text = expr::PathText(candidate);
    if (std::ranges::find(found_, text) == found_.end()) found_.push_back(std::move(text));
  }

  static DocumentPath Join(DocumentPath path, const PathStep* step, const DocumentPath& rest) {
    if (step != nullptr) path.push_back(*step);
    path.insert(path.end(), rest.begin(), rest.end());
    return path;
  }

  // What stands above the gone field in documents of `in`, and not in those of `other`.
  std::vector<std::string> NamesOnlyIn(Documents& in, Documents& other) const {
    std::vector<std::string> others = other.NamesAt(above_);
    std::vector<std::string> names = in.NamesAt(above_);
    std::erase_if(
        names, [&](const std::string& name) { return std::ranges::binary_search(others, name); });
    return names;
  }

  void LookBeside() {
    std::vector<std::string> names = NamesOnlyIn(lacks_, had_);
    // The one that is spelt like it before others.
    std::vector<std::string_view> views(names.begin(), names.end());
    std::string nearest(Nearest(gone_.key, views));
    std::ranges::stable_partition(names, [&](const std::string& n) { return n == nearest; });
    std::vector<DocumentPath> unlike;
    for (const std::string& name : names) {
      PathStep step = PathStep::Key(name);
      DocumentPath same = Join(above_, &step, rest_);
      if (Fits(same)) {
        // What has the same below it is the same.
        bool is_alike = name == nearest || !rest_.empty() || Contains(name, gone_.key);
        if (is_alike) Add(same);
        if (!is_alike) unlike.push_back(std::move(same));
      }
      // One level further down, with its own name.
      DocumentPath below = Join(Join(above_, &step, {}), &gone_, rest_);
      if (Fits(below)) Add(below);
    }
    // The only one that came, where it is the only one that went.
    if (unlike.size() == 1 && found_.empty() && CountAlike() == 1) Add(unlike[0]);
  }

  static bool Contains(const std::string& a, const std::string& b) {
    std::string low = ToLower(a);
    std::string other = ToLower(b);
    return low.contains(other) || other.contains(low);
  }

  // How many fields of the same kinds stood above it that are gone.
  std::size_t CountAlike() {
    std::size_t count = 0;
    for (const std::string& name : NamesOnlyIn(had_, lacks_)) {
      PathStep step = PathStep::Key(name);
      count += had_.KindsAt(Join(above_, &step, {})).Has(kinds_) ? 1 : 0;
    }
    return count;
  }

  // Where a name stands that did not stand there.
  void LookElsewhere(const std::string& name, const DocumentPath& rest) {
    std::vector<DocumentPath> old = had_.PathsOf(name);
    for (const DocumentPath& place : lacks_.PathsOf(name)) {
      if (std::ranges::find(old, place) != old.end()) continue;
      DocumentPath candidate = Join(place, nullptr, rest);
      if (Fits(candidate)) Add(candidate);
    }
  }

  const DocumentPath& path_;
  Documents& had_;
  Documents& lacks_;
  Kinds kinds_;
  DocumentPath above_;
  PathStep gone_;
  DocumentPath rest_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> PlacesLike(const DocumentPath& path, Documents& had, Documents& lacks) {
  return Search(path, had, lacks).Run();
}

}  // namespace wmap::schema
