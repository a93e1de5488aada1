// Sends patches and asks access reviews as the library does, for writes_test.py: no command does it
// for a user of the program.
//
//   kube_writes patch FORM TYPE NAMESPACE NAME [OPTION...] < BODY
//     FORM: json, merge, apply; TYPE as on the command line; NAMESPACE may be empty
//     OPTION: version=V, subresource=S, manager=M, force, dry-run
//     prints the object, or "CODE: MESSAGE" to standard error (exit code 1)
//   kube_writes access < LINES of "VERB GROUP RESOURCE NAMESPACE NAME" with "-" for nothing
//     prints a line for each: "yes", "no" or "unknown", and the reason behind a tab
//
// The cluster and the user are those of $KUBECONFIG.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "input/input.h"
#include "kube/access.h"
#include "kube/discovery.h"
#include "kube/locate.h"
#include "kube/patch.h"

namespace wmap::kube {
namespace {

std::string ReadStandardInput() {
  std::string text;
  char buffer[4096];
  while (std::size_t size = std::fread(buffer, 1, sizeof buffer, stdin)) text.append(buffer, size);
  return text;
}

Result<std::unique_ptr<Client>> Connect() {
  Environment environment = [](std::string_view name) {
    const char* value = std::getenv(std::string(name).c_str());
    return std::string(value == nullptr ? "" : value);
  };
  Surroundings surroundings;
  surroundings.files = &input::SystemFileSystem();
  surroundings.clock = &SystemClock();
  surroundings.tell = [](std::string_view text) {
    std::fprintf(stderr, "%.*s", static_cast<int>(text.size()), text.data());
  };
  WMAP_TRY(Target target, FindTarget("", {}, environment, *surroundings.files));
  return Client::Make(target, surroundings, {});
}

Result<void> SetForm(Patch& patch, std::string_view form) {
  if (form == "json") {
    patch.form = Patch::Form::kJson;
  } else if (form == "merge") {
    patch.form = Patch::Form::kMerge;
  } else if (form == "apply") {
    patch.form = Patch::Form::kApply;
  } else {
    return Fail(Code::kSyntax, Cat("no such form: ", form));
  }
  return {};
}

Result<void> SetOption(Patch& patch, std::string_view option) {
  std::size_t equals = std::min(option.find('='), option.size());
  std::string_view name = option.substr(0, equals);
  std::string_view value = option.substr(std::min(equals + 1, option.size()));
  if (name == "version") {
    patch.resource_version = value;
  } else if (name == "subresource") {
    patch.subresource = value;
  } else if (name == "manager") {
    patch.field_manager = value;
  } else if (name == "force") {
    patch.force = true;
  } else if (name == "dry-run") {
    patch.dry_run = true;
  } else {
    return Fail(Code::kSyntax, Cat("no such option: ", option));
  }
  return {};
}

Result<std::string> RunPatch(Client& client, std::span<char*> arguments) {
  if (arguments.size() < 4) return Fail(Code::kSyntax, "patch FORM TYPE NAMESPACE NAME");
  WMAP_TRY(Discovery discovery, Discovery::Load(client, ""));
  std::vector<const ApiType*> types = discovery.Named(arguments[1]);
  if (types.size() != 1) return Fail(Code::kNotDefined, Cat("no single type ", arguments[1]));
  Patch patch = {.type = *types[0],
                 .name_space = arguments[2],
                 .name = arguments[3],
                 .body = ReadStandardInput()};
  WMAP_TRY_VOID(SetForm(patch, arguments[0]));
  for (const char* option : arguments.subspan(4)) WMAP_TRY_VOID(SetOption(patch, option));
  return SendPatch(client, patch);
}

std::string RunAccess(Client& client) {
  std::vector<AccessQuestion> questions;
  std::string text = ReadStandardInput();
  std::string_view rest = text;
  auto word = [&](char end) {
    std::string_view found = rest.substr(0, rest.find(end));
    rest.remove_prefix(std::min(found.size() + 1, rest.size()));
    return std::string(found == "-" ? "" : found);
  };
  while (!rest.empty()) {
    AccessQuestion& question = questions.emplace_back();
    question.verb = word(' ');
    question.group = word(' ');
    question.resource = word(' ');
    question.name_space = word(' ');
    question.name = word('\n');
  }
  std::string answers;
  for (const AccessAnswer& answer : AskAccess(client, questions)) {
    constexpr std::array<std::string_view, 3> kWords = {"unknown", "yes", "no"};
    CatTo(answers, kWords[static_cast<std::size_t>(answer.access)], '\t', answer.reason, '\n');
  }
  return answers;
}

Result<std::string> Run(std::span<char*> arguments) {
  WMAP_TRY(std::unique_ptr<Client> client, Connect());
  std::string_view command = arguments.empty() ? "" : arguments[0];
  if (command == "patch") return RunPatch(*client, arguments.subspan(1));
  if (command == "access") return RunAccess(*client);
  return Fail(Code::kSyntax, "patch or access");
}

}  // namespace
}  // namespace wmap::kube

int main(int count, char** arguments) {
  auto all = std::span(arguments, static_cast<std::size_t>(count));
  wmap::Result<std::string> output = wmap::kube::Run(all.subspan(1));
  if (output) {
    std::fwrite(output->data(), 1, output->size(), stdout);
    return 0;
  }
  std::fprintf(stderr, "%s: %s\n", std::string(wmap::CodeName(output.error().code())).c_str(),
               output.error().Describe().c_str());
  return 1;
}
