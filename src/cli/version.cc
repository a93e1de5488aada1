// `wmap version`.
#include "base/text.h"
#include "cli/commands.h"

namespace wmap::cli {

int RunVersion(const VersionOptions& options, const Context& context) {
  constexpr std::string_view kVersion = WMAP_VERSION;
  if (options.format == Format::kJson) {
    context.out->Write(Cat("{\"output\":\"wmap/v1\",\"version\":", Quote(kVersion), "}\n"));
  } else {
    context.out->Write(Cat("wmap ", kVersion, '\n'));
  }
  return kOk;
}

}  // namespace wmap::cli
