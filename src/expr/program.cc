#include "expr/program.h"

#include <atomic>
#include <utility>

#include "base/check.h"
#include "expr/program/compiler.h"
#include "expr/program/find_nature.h"
#include "expr/program/input_paths.h"
#include "expr/program_impl.h"
#include "expr/syntax/parser.h"

namespace wmap::expr {

Program::Impl::~Impl() { delete with_paths.load(std::memory_order_acquire); }

Syntax Program::Impl::Reread() const {
  Result<Syntax> syntax = Parse(source);
  WMAP_CHECK(syntax.has_value());
  return *std::move(syntax);
}

Result<Program> Program::Compile(std::string_view source, const CompileOptions& options) {
  WMAP_TRY(Syntax syntax, Parse(source));
  auto impl = std::make_unique<Impl>();
  WMAP_TRY(impl->code, program::Compile(syntax, options, program::Yield::kValues));
  impl->source = std::string(source);
  for (std::string_view name : options.variables) impl->variables.emplace_back(name);
  impl->optimize = options.optimize;
  return Program(std::move(impl));
}

Program::Program(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

std::string_view Program::source() const { return impl_->source; }
std::size_t Program::variable_count() const { return impl_->variables.size(); }

std::optional<InputPath> Program::plain_path() const {
  if (!impl_->code.is_plain_path) return std::nullopt;
  InputPath path;
  for (const json::Value& key : impl_->code.constants) path.emplace_back(key.as_string());
  return path;
}

std::optional<std::vector<InputPath>> Program::FindInputPaths() const {
  return program::FindInputPaths(impl_->Reread());
}

Nature Program::FindNature() const { return program::FindNature(impl_->Reread()); }

std::string Program::Listing() const { return impl_->code.Listing(); }

namespace {

Result<program::Code> CompileAgain(std::string_view source,
                                   const std::vector<std::string>& variables, bool optimize,
                                   program::Yield yield) {
  WMAP_TRY(Syntax syntax, Parse(source));
  std::vector<std::string_view> names(variables.begin(), variables.end());
  return program::Compile(syntax, {names, optimize}, yield);
}

}  // namespace

Result<program::Code> Program::Traced() const {
  return CompileAgain(impl_->source, impl_->variables, false, program::Yield::kTrace);
}

Result<const program::Code*> Program::WithPaths() const {
  if (const program::Code* known = impl_->with_paths.load(std::memory_order_acquire)) return known;
  WMAP_TRY(program::Code code,
           CompileAgain(impl_->source, impl_->variables, impl_->optimize, program::Yield::kPaths));
  auto* mine = new program::Code(std::move(code));
  const program::Code* other = nullptr;
  // Another thread may have been faster; then its code stays.
  if (impl_->with_paths.compare_exchange_strong(other, mine, std::memory_order_acq_rel)) {
    return mine;
  }
  delete mine;
  return other;
}

}  // namespace wmap::expr
