// One pass over the syntax tree that emits code; one idea, kept in one file: what each form of the
// language becomes.
#include "expr/program/compiler.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <utility>

#include "base/text.h"
#include "expr/builtins/builtins.h"
#include "expr/program/apart.h"
#include "expr/syntax/parser.h"
#include "json/reader.h"

namespace wmap::expr::program {
namespace {

using json::Value;

constexpr std::size_t kMostInstructions = std::size_t{1} << 20;
constexpr std::size_t kMostSlots = 60000;
constexpr std::size_t kMostLevels = 250;
constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

// What the machine does itself; everything else is a native or stands in the prelude.
enum class Special : std::uint8_t {
  kEmpty,
  kError,
  kErrorOf,
  kNot,
  kPath,
  kSelect,
  kRangeTo,
  kRangeFromTo,
  kGetPath,
  kFirst,
  kLast,
  kLimit,
  kSkip,
  kMap,
  kEnv,
  kAny,
  kAnyOf,
  kAnyIn,
  kAll,
  kAllOf,
  kAllIn,
};

struct SpecialRow {
  std::string_view name;
  std::size_t arity;
  Special special;
};

constexpr SpecialRow kSpecials[] = {
    {"empty", 0, Special::kEmpty},     {"error", 0, Special::kError},
    {"error", 1, Special::kErrorOf},   {"not", 0, Special::kNot},
    {"path", 1, Special::kPath},       {"select", 1, Special::kSelect},
    {"range", 1, Special::kRangeTo},   {"range", 2, Special::kRangeFromTo},
    {"getpath", 1, Special::kGetPath}, {"first", 1, Special::kFirst},
    {"last", 1, Special::kLast},       {"limit", 2, Special::kLimit},
    {"skip", 2, Special::kSkip},       {"map", 1, Special::kMap},
    {"env", 0, Special::kEnv},         {"any", 0, Special::kAny},
    {"any", 1, Special::kAnyOf},       {"any", 2, Special::kAnyIn},
    {"all", 0, Special::kAll},         {"all", 1, Special::kAllOf},
    {"all", 2, Special::kAllIn}};

constexpr builtins::PreludeRow kOwnPrelude[] = {
    {"recurse", 0, "def recurse: def r: ., (.[]? | r); r;"},
    {"recurse", 1, "def recurse(f): def r: ., (f | r); r;"}};

const builtins::PreludeRow* FindDefinition(std::string_view name, std::size_t arity) {
  for (const builtins::PreludeRow& row : kOwnPrelude) {
    if (row.name == name && row.arity == arity) return &row;
  }
  return builtins::FindPrelude(name, arity);
}

bool IsJump(Op op) {
  return op == Op::kJump || op == Op::kJumpIfFalse || op == Op::kJumpIfTrue || op == Op::kFork ||
         op == Op::kTry || op == Op::kTryAgain || op == Op::kCollect;
}

// The function that is being compiled, inside the ones around it.
struct Level {
  Level() {
    // Of most functions; growing to it would cost more than compiling them.
    code.reserve(24);
    ranges.reserve(24);
  }

  Level* parent = nullptr;
  std::size_t depth = 0;
  std::size_t function = 0;
  std::size_t slots = 0;
  std::vector<Instruction> code;
  std::vector<SourceRange> ranges;
  std::vector<std::uint32_t> labels;
  // Instructions before this one must not be merged with later ones: something jumps there.
  std::size_t barrier = 0;
};

struct Binding {
  enum class Kind : std::uint8_t { kVariable, kClosure, kFunction, kLabel };
  Kind kind;
  std::string_view name;
  std::size_t arity = 0;
  Level* level = nullptr;  // where the slot is; for a function, where it is defined
  std::size_t index = 0;   // slot or function
  std::size_t outer = kNowhere;
};

struct Argument {
  Instruction instruction;
};

class Compiler {
 public:
  Compiler(const Syntax& syntax, const CompileOptions& options, Yield yield, bool tracks)
      : syntax_(&syntax),
        tracks_(tracks),
        traces_(yield == Yield::kTrace),
        optimize_(options.optimize && !traces_) {
    root_.function = NewFunction("main");
    level_ = &root_;
    for (std::string_view name : options.variables) {
      Bind(Binding::Kind::kVariable, name, 0, NewSlot());
    }
  }

  Result<void> Run(Yield yield) {
    if (yield != Yield::kValues) {
      std::size_t state = NewSlot();
      Emit(Op::kPathBegin, 0, state);
      WMAP_TRY_VOID(CompileNode(syntax_->root()));
      // Of what is computed a trace has no path, which is no error.
      if (yield == Yield::kPaths) Emit(Op::kPathEnd, 0, state);
      uses_paths_ = true;
    } else {
      WMAP_TRY_VOID(CompileNode(syntax_->root()));
    }
    Emit(Op::kYield);
    return Finish(root_);
  }

  bool uses_paths() const { return uses_paths_; }

  Result<Code> Link() {
    std::size_t size = 0;
    for (const Finished& function : finished_) size += function.code.size();
    if (size > kMostInstructions) return TooLarge();
    code_.instructions.reserve(size);
    code_.ranges.reserve(size);
    for (std::size_t i = 0; i < finished_.size(); ++i) {
      auto base = static_cast<std::uint32_t>(code_.instructions.size());
      code_.functions[i].entry = base;
      for (Instruction instruction : finished_[i].code) {
        if (IsJump(instruction.op)) instruction.c += base;
        code_.instructions.push_back(instruction);
      }
      code_.ranges.insert(code_.ranges.end(), finished_[i].ranges.begin(),
                          finished_[i].ranges.end());
    }
    code_.tracks_paths = tracks_;
    const auto& all = code_.instructions;
    code_.is_plain_path = !tracks_ && all.size() == 2 && all[1].op == Op::kYield && all[0].a == 0 &&
                          (all[0].op == Op::kField || all[0].op == Op::kFields);
    return std::move(code_);
  }

 private:
  struct Finished {
    std::vector<Instruction> code;
    std::vector<SourceRange> ranges;
  };

  // --- Emitting -------------------------------------------------------------------------------

  void Emit(Op op, std::size_t a = 0, std::size_t b = 0, std::size_t c = 0) {
    level_->code.push_back({op, static_cast<std::uint8_t>(a), static_cast<std::uint16_t>(b),
                            static_cast<std::uint32_t>(c)});
    level_->ranges.push_back(range_);
    ++emitted_;
  }

  std::size_t NewFunction(std::string_view name) {
    code_.functions.push_back({0, 0, std::string(name)});
    finished_.emplace_back();
    return code_.functions.size() - 1;
  }

  std::size_t NewSlot() { return level_->slots++; }
  std::size_t NewSlots(std::size_t count) {
    std::size_t first = level_->slots;
    level_->slots += count;
    return first;
  }

  std::size_t NewLabel() {
    level_->labels.push_back(0);
    return level_->labels.size() - 1;
  }
  void Place(std::size_t label) {
    level_->labels[label] = static_cast<std::uint32_t>(level_->code.size());
    level_->barrier = level_->code.size();
  }

  std::size_t Constant(const Value& value) {
    code_.constants.push_back(value);
    return code_.constants.size() - 1;
  }
  std::size_t TextConstant(std::string_view text) {
    return Constant(json::MakeString(code_.arena, text));
  }

  std::size_t Store() {
    std::size_t slot = NewSlot();
    Emit(Op::kStore, 0, slot);
    return slot;
  }
  void Load(std::size_t slot) { Emit(Op::kLoad, 0, slot); }

  void EmitField(std::string_view key, bool optional) {
    // Fields in a row become one instruction; their keys are then constants in a row.
    if (optimize_ && level_->code.size() > level_->barrier) {
      Instruction& last = level_->code.back();
      bool fusible = (last.op == Op::kField || last.op == Op::kFields) &&
                     (last.a != 0) == optional && last.b < 200;
      std::size_t count = last.op == Op::kFields ? last.b : 1;
      if (fusible && last.c + count == code_.constants.size()) {
        TextConstant(key);
        last.op = Op::kFields;
        last.b = static_cast<std::uint16_t>(count + 1);
        level_->ranges.back().end = range_.end;
        return;
      }
    }
    Emit(Op::kField, optional ? 1 : 0, 0, TextConstant(key));
  }

  // Around a subexpression: what it reaches is no path of the whole.
  std::size_t SubBegin() {
    if (!tracks_) return 0;
    std::size_t slot = NewSlot();
    Emit(Op::kSubBegin, 0, slot);
    return slot;
  }
  void SubEnd(std::size_t slot) {
    if (tracks_) Emit(Op::kSubEnd, 0, slot);
  }
  Result<void> CompileSub(NodeId id) {
    std::size_t state = SubBegin();
    WMAP_TRY_VOID(CompileNode(id));
    SubEnd(state);
    return {};
  }

  // --- Names ----------------------------------------------------------------------------------

  void Bind(Binding::Kind kind, std::string_view name, std::size_t arity, std::size_t index) {
    bindings_.push_back({kind, name, arity, level_, index, scope_});
    scope_ = bindings_.size() - 1;
  }

  const Binding* FindBinding(Binding::Kind kind, std::string_view name) const {
    for (std::size_t at = scope_; at != kNowhere; at = bindings_[at].outer) {
      if (bindings_[at].kind == kind && bindings_[at].name == name) return &bindings_[at];
    }
    return nullptr;
  }

  const Binding* FindFunction(std::string_view name, std::size_t arity) const {
    for (std::size_t at = scope_; at != kNowhere; at = bindings_[at].outer) {
      const Binding& binding = bindings_[at];
      if (binding.name != name) continue;
      if (binding.kind == Binding::Kind::kFunction && binding.arity == arity) return &binding;
      if (binding.kind == Binding::Kind::kClosure && arity == 0) return &binding;
    }
    return nullptr;
  }

  std::size_t Outward(const Level* level) const { return level_->depth - level->depth; }

  void LoadVariable(const Binding& binding) {
    if (binding.level == level_) {
      Load(binding.index);
    } else {
      Emit(Op::kLoadOuter, Outward(binding.level), binding.index);
    }
  }

  // --- Errors ---------------------------------------------------------------------------------

  std::unexpected<Error> TooLarge() const {
    return Fail(Error(Code_::kLimit, "the expression is too large"));
  }

  std::unexpected<Error> Unknown(const Node& node, std::string message) const {
    Error error(wmap::Code::kCompile, std::move(message));
    if (in_prelude_ == 0) error.At(node.range());
    return Fail(std::move(error));
  }

  Result<void> CheckSize() const {
    if (emitted_ > kMostInstructions || level_->slots > kMostSlots || level_->depth > kMostLevels) {
      return TooLarge();
    }
    return {};
  }

  // --- Functions ------------------------------------------------------------------------------

  Result<void> Finish(Level& level) {
    WMAP_TRY_VOID(CheckSize());
    auto& code = level.code;
    for (Instruction& instruction : code) {
      if (IsJump(instruction.op)) instruction.c = level.labels[instruction.c];
    }
    if (optimize_) MarkTailCalls(code);
    code_.functions[level.function].slots = static_cast<std::uint16_t>(level.slots);
    finished_[level.function] = {std::move(code), std::move(level.ranges)};
    return {};
  }

  // A call whose result is returned as it is may take the place of the current frame, unless the
  // callee or an argument was defined in that frame and needs it.
  static void MarkTailCalls(std::vector<Instruction>& code) {
    for (std::size_t i = 0; i < code.size(); ++i) {
      Instruction& call = code[i];
      if (call.op != Op::kCall && call.op != Op::kCallClosure) continue;
      bool captures = call.op == Op::kCall && call.a == 0;
      std::size_t count = call.op == Op::kCall ? call.b : 0;
      for (std::size_t j = 1; j <= count; ++j) captures |= code[i + j].op == Op::kArgument;
      std::size_t next = i + 1 + count;
      while (next < code.size() && code[next].op == Op::kJump) next = code[next].c;
      if (captures || next >= code.size() || code[next].op != Op::kReturn) continue;
      call.op = call.op == Op::kCall ? Op::kTailCall : Op::kTailClosure;
    }
  }

  // Compiles `body` as a function of its own, below `parent`.
  template <typename F>
  Result<std::size_t> CompileFunction(std::string_view name, std::size_t id, Level* parent,
                                      F&& body) {
    Level level;
    level.parent = parent;
    level.depth = parent->depth + 1;
    level.function = id;
    Level* saved_level = std::exchange(level_, &level);
    std::size_t saved_scope = scope_;
    Result<void> done = CheckSize();
    if (done) done = body();
    if (done) {
      Emit(Op::kReturn);
      done = Finish(level);
    }
    level_ = saved_level;
    scope_ = saved_scope;
    if (!done) return std::unexpected(std::move(done).error());
    code_.functions[id].name = name;
    return id;
  }

  Result<void> CompileParametersAndBody(const Node& function) {
    auto parameters = syntax_->list(function);
    std::size_t first = NewSlots(parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      Bind(Binding::Kind::kClosure, syntax_->node(parameters[i]).text, 0, first + i);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Node& parameter = syntax_->node(parameters[i]);
      if (!parameter.is_value) continue;
      std::size_t input = Store();
      std::size_t state = SubBegin();
      Emit(Op::kCallClosure, 0, first + i);
      SubEnd(state);
      std::size_t value = Store();
      Load(input);
      Bind(Binding::Kind::kVariable, parameter.text, 0, value);
    }
    return CompileNode(function.a);
  }

  // A function of the syntax tree; it sees itself.
  Result<void> DefineFunction(const Node& node) {
    std::size_t id = NewFunction(node.text);
    Bind(Binding::Kind::kFunction, node.text, node.list_size, id);
    WMAP_TRY(auto done, CompileFunction(node.text, id, level_,
                                        [&] { return CompileParametersAndBody(node); }));
    static_cast<void>(done);
    return {};
  }

  Result<std::size_t> PreludeFunction(const builtins::PreludeRow& row) {
    std::string key = Cat(row.name, '/', row.arity);
    if (auto at = prelude_.find(key); at != prelude_.end()) return at->second;
    WMAP_TRY(Syntax parsed, ParseDefinitions(row.source));
    auto owned = std::make_unique<Syntax>(std::move(parsed));
    std::size_t id = NewFunction(row.name);
    prelude_.emplace(std::move(key), id);
    const Syntax* saved_syntax = std::exchange(syntax_, owned.get());
    std::size_t saved_scope = std::exchange(scope_, kNowhere);
    SourceRange saved_range = std::exchange(range_, {kNowhere, kNowhere});
    ++in_prelude_;
    const Node& define = syntax_->node(syntax_->root());
    const Node& function = syntax_->node(syntax_->list(define).front());
    auto done =
        CompileFunction(row.name, id, &root_, [&] { return CompileParametersAndBody(function); });
    --in_prelude_;
    range_ = saved_range;
    scope_ = saved_scope;
    syntax_ = saved_syntax;
    prelude_syntaxes_.push_back(std::move(owned));
    return done;
  }

  Result<Argument> CompileArgument(NodeId id) {
    const Node& node = syntax_->node(id);
    if (node.kind == NodeKind::kCall && node.list_size == 0) {
      const Binding* binding = FindFunction(node.text, 0);
      if (binding != nullptr && binding->kind == Binding::Kind::kClosure) {
        return Argument{{Op::kForward, static_cast<std::uint8_t>(Outward(binding->level)),
                         static_cast<std::uint16_t>(binding->index), 0}};
      }
    }
    std::size_t function = NewFunction("(argument)");
    WMAP_TRY(std::size_t done,
             CompileFunction("(argument)", function, level_, [&] { return CompileNode(id); }));
    return Argument{{Op::kArgument, 0, 0, static_cast<std::uint32_t>(done)}};
  }

  void EmitCall(std::size_t function, const Level* defined_in,
                const std::vector<Argument>& arguments) {
    Emit(Op::kCall, Outward(defined_in), arguments.size(), function);
    for (const Argument& argument : arguments) {
      const Instruction& i = argument.instruction;
      Emit(i.op, i.a, i.b, i.c);
    }
  }

  Result<void> CallPrelude(std::string_view name, std::size_t arity,
                           const std::vector<Argument>& arguments) {
    const builtins::PreludeRow* row = FindDefinition(name, arity);
    if (row == nullptr) {
      return Fail(wmap::Code::kCompile, Cat(name, '/', arity, " is missing from the prelude"));
    }
    WMAP_TRY(std::size_t function, PreludeFunction(*row));
    EmitCall(function, &root_, arguments);
    return {};
  }

  Result<void> CompileCall(const Node& node) {
    auto arguments = syntax_->list(node);
    if (const Binding* binding = FindFunction(node.text, arguments.size())) {
      if (binding->kind == Binding::Kind::kClosure) {
        Emit(Op::kCallClosure, Outward(binding->level), binding->index);
        return {};
      }
      std::size_t function = binding->index;
      const Level* defined_in = binding->level;
      WMAP_TRY(auto compiled, CompileArguments(arguments));
      EmitCall(function, defined_in, compiled);
      return {};
    }
    for (const SpecialRow& row : kSpecials) {
      if (row.name == node.text && row.arity == arguments.size()) {
        return CompileSpecial(row.special, arguments);
      }
    }
    // Names that the prelude has for itself.
    if (in_prelude_ == 0 && node.text.starts_with('_')) {
      return Unknown(node, UnknownFunction(node.text, arguments.size()));
    }
    if (const builtins::NativeRow* native = builtins::FindNative(node.text, arguments.size())) {
      return CompileNative(*native, arguments);
    }
    if (const builtins::PreludeRow* row = FindDefinition(node.text, arguments.size())) {
      WMAP_TRY(std::size_t function, PreludeFunction(*row));
      WMAP_TRY(auto compiled, CompileArguments(arguments));
      EmitCall(function, &root_, compiled);
      return {};
    }
    return Unknown(node, UnknownFunction(node.text, arguments.size()));
  }

  Result<std::vector<Argument>> CompileArguments(std::span<const NodeId> ids) {
    std::vector<Argument> arguments;
    for (NodeId id : ids) {
      WMAP_TRY(Argument argument, CompileArgument(id));
      arguments.push_back(argument);
    }
    return arguments;
  }

  std::string UnknownFunction(std::string_view name, std::size_t arity) const {
    if (name == "input" || name == "inputs" || name == "input_filename" ||
        name == "input_line_number" || name == "halt" || name == "halt_error") {
      return Cat(name, " is not available: an expression sees one value and nothing outside of it");
    }
    std::vector<std::string_view> names;
    std::vector<std::string> same_name;
    auto consider = [&](std::string_view known, std::size_t known_arity) {
      if (known.starts_with('_')) return;
      names.push_back(known);
      if (known == name) same_name.push_back(Cat(known_arity));
    };
    for (std::size_t at = scope_; at != kNowhere; at = bindings_[at].outer) {
      if (bindings_[at].kind == Binding::Kind::kFunction) {
        consider(bindings_[at].name, bindings_[at].arity);
      }
    }
    for (const SpecialRow& row : kSpecials) consider(row.name, row.arity);
    for (const builtins::PreludeRow& row : kOwnPrelude) consider(row.name, row.arity);
    for (const builtins::NativeRow& row : builtins::Natives()) consider(row.name, row.arity);
    for (const builtins::PreludeRow& row : builtins::Prelude()) consider(row.name, row.arity);
    std::string message = Cat("unknown function ", name, '/', arity);
    if (!same_name.empty()) {
      std::ranges::sort(same_name);
      return Cat(message, "; ", name, " takes ", Join(same_name, " or "),
                 same_name.back() == "1" ? " argument" : " arguments");
    }
    std::string_view nearest = Nearest(name, names);
    if (!nearest.empty()) CatTo(message, "; did you mean ", nearest, '?');
    return message;
  }

  Result<void> CompileNative(const builtins::NativeRow& native, std::span<const NodeId> arguments) {
    auto index = static_cast<std::size_t>(&native - builtins::Natives().data());
    if (arguments.empty()) {
      Emit(Op::kNative, 0, 0, index);
      return {};
    }
    std::size_t input = Store();
    std::size_t first = NewSlots(arguments.size());
    for (std::size_t i = arguments.size(); i-- > 0;) {
      Load(input);
      WMAP_TRY_VOID(CompileSub(arguments[i]));
      Emit(Op::kStore, 0, first + i);
    }
    Load(input);
    Emit(Op::kNative, 0, first, index);
    return {};
  }

  Result<void> CompileSpecial(Special special, std::span<const NodeId> arguments) {
    switch (special) {
      case Special::kEmpty:
        Emit(Op::kBacktrack);
        return {};
      case Special::kError:
        Emit(Op::kRaise);
        return {};
      case Special::kErrorOf:
        WMAP_TRY_VOID(CompileSub(arguments[0]));
        Emit(Op::kRaise);
        return {};
      case Special::kNot:
        Emit(Op::kNot);
        return {};
      case Special::kEnv:
        EmitConstant(Value::Object({}));
        return {};
      case Special::kPath:
        return CompilePath(arguments[0]);
      case Special::kSelect: {
        std::size_t input = Store();
        WMAP_TRY_VOID(CompileSub(arguments[0]));
        Emit(Op::kRequire);
        Load(input);
        return {};
      }
      case Special::kRangeTo:
      case Special::kRangeFromTo:
        return CompileRange(arguments);
      case Special::kGetPath: {
        std::size_t input = Store();
        WMAP_TRY_VOID(CompileSub(arguments[0]));
        std::size_t path = Store();
        Load(input);
        Emit(Op::kGetPath, 0, path);
        return {};
      }
      case Special::kFirst: {
        std::size_t mark = NewSlot();
        Emit(Op::kMark, 0, mark);
        WMAP_TRY_VOID(CompileNode(arguments[0]));
        Emit(Op::kCut, 0, mark);
        return {};
      }
      case Special::kLast: {
        // Not a path, as in jq.
        std::size_t state = SubBegin();
        std::size_t done = NewLabel();
        std::size_t found = NewSlot();
        std::size_t latest = NewSlot();
        Emit(Op::kSetFalse, 0, found);
        Emit(Op::kFork, 0, 0, done);
        WMAP_TRY_VOID(CompileNode(arguments[0]));
        Emit(Op::kStore, 0, latest);
        EmitConstant(Value::Bool(true));
        Emit(Op::kStore, 0, found);
        Emit(Op::kBacktrack);
        Place(done);
        Load(found);
        Emit(Op::kRequire);
        Load(latest);
        SubEnd(state);
        return {};
      }
      case Special::kLimit:
        return CompileCount(arguments, false);
      case Special::kSkip:
        return CompileCount(arguments, true);
      case Special::kMap: {
        std::size_t state = SubBegin();
        std::size_t done = NewLabel();
        Emit(Op::kCollect, 0, 0, done);
        Emit(Op::kEach);
        WMAP_TRY_VOID(CompileNode(arguments[0]));
        Emit(Op::kAppend);
        Place(done);
        SubEnd(state);
        return {};
      }
      case Special::kAny:
        return CompileQuantifier(kNoNode, kNoNode, true);
      case Special::kAnyOf:
        return CompileQuantifier(kNoNode, arguments[0], true);
      case Special::kAnyIn:
        return CompileQuantifier(arguments[0], arguments[1], true);
      case Special::kAll:
        return CompileQuantifier(kNoNode, kNoNode, false);
      case Special::kAllOf:
        return CompileQuantifier(kNoNode, arguments[0], false);
      case Special::kAllIn:
        return CompileQuantifier(arguments[0], arguments[1], false);
    }
    return {};
  }

  // any(generator; condition) and all(...), which stop at the first that decides.
  Result<void> CompileQuantifier(NodeId generator, NodeId condition, bool any) {
    std::size_t state = SubBegin();
    std::size_t mark = NewSlot();
    std::size_t none = NewLabel();
    std::size_t end = NewLabel();
    Emit(Op::kMark, 0, mark);
    Emit(Op::kFork, 0, 0, none);
    if (generator == kNoNode) {
      Emit(Op::kEach);
    } else {
      WMAP_TRY_VOID(CompileNode(generator));
    }
    if (condition != kNoNode) WMAP_TRY_VOID(CompileNode(condition));
    Emit(any ? Op::kRequire : Op::kRefuse);
    Emit(Op::kCut, 0, mark);
    EmitConstant(Value::Bool(any));
    Emit(Op::kJump, 0, 0, end);
    Place(none);
    EmitConstant(Value::Bool(!any));
    Place(end);
    SubEnd(state);
    return {};
  }

  // limit(count; generator) and skip(count; generator).
  Result<void> CompileCount(std::span<const NodeId> arguments, bool skips) {
    std::size_t input = Store();
    WMAP_TRY_VOID(CompileSub(arguments[0]));
    std::size_t counter = NewSlots(2);
    Emit(Op::kStore, 0, counter);
    Emit(Op::kCountBegin, skips ? 1 : 0, counter);
    Load(input);
    Emit(Op::kMark, 0, counter + 1);
    WMAP_TRY_VOID(CompileNode(arguments[1]));
    Emit(Op::kCountDown, skips ? 1 : 0, counter);
    return {};
  }

  Result<void> CompilePath(NodeId id) {
    uses_paths_ = true;
    std::size_t state = NewSlot();
    Emit(Op::kPathBegin, 0, state);
    WMAP_TRY_VOID(CompileNode(id));
    Emit(Op::kPathEnd, 0, state);
    return {};
  }

  Result<void> CompileRange(std::span<const NodeId> arguments) {
    std::size_t input = Store();
    std::size_t from = NewSlot();
    if (arguments.size() == 2) {
      WMAP_TRY_VOID(CompileSub(arguments[0]));
    } else {
      EmitConstant(Value::Int(0));
    }
    Emit(Op::kStore, 0, from);
    Load(input);
    WMAP_TRY_VOID(CompileSub(arguments.back()));
    Emit(Op::kRange, 0, from);
    return {};
  }

  // --- Expressions ----------------------------------------------------------------------------

  void EmitConstant(const Value& value) { Emit(Op::kConst, 0, 0, Constant(value)); }

  Value NumberOf(std::string_view text) {
    Result<Value> number = json::Read(text, code_.arena);
    return number ? *number : Value::Int(0);
  }

  Result<void> CompileNode(NodeId id) {
    const Node& node = syntax_->node(id);
    WMAP_TRY_VOID(CheckSize());
    SourceRange saved = range_;
    if (in_prelude_ == 0) range_ = {node.begin, node.end};
    bool is_step = traces_ && in_prelude_ == 0 && IsStep(node.kind);
    if (is_step) Emit(Op::kStepBegin);
    Result<void> done = CompileKind(node);
    if (is_step) Emit(Op::kStepEnd);
    range_ = saved;
    return done;
  }

  // The parts that a trace tells of: not what only passes values on, and not constants.
  static bool IsStep(NodeKind kind) {
    switch (kind) {
      case NodeKind::kIdentity:
      case NodeKind::kNull:
      case NodeKind::kFalse:
      case NodeKind::kTrue:
      case NodeKind::kNumber:
      case NodeKind::kString:
      case NodeKind::kText:
      case NodeKind::kPipe:
      case NodeKind::kBind:
      case NodeKind::kDefine:
      case NodeKind::kFunction:
      case NodeKind::kLabel:
      case NodeKind::kBreak:
        return false;
      default:
        return true;
    }
  }

  Result<void> CompileKind(const Node& node) {
    switch (node.kind) {
      case NodeKind::kIdentity:
        return {};
      case NodeKind::kDescend:
        return CallPrelude("recurse", 0, {});
      case NodeKind::kNull:
        EmitConstant(Value());
        return {};
      case NodeKind::kFalse:
        EmitConstant(Value::Bool(false));
        return {};
      case NodeKind::kTrue:
        EmitConstant(Value::Bool(true));
        return {};
      case NodeKind::kNumber:
        EmitConstant(NumberOf(node.text));
        return {};
      case NodeKind::kString:
        EmitConstant(json::MakeString(code_.arena, node.text));
        return {};
      case NodeKind::kFormat:
        return CompileFormat(node);
      case NodeKind::kVariable:
        return CompileVariable(node);
      case NodeKind::kLocation:
        return CompileLocation(node);
      case NodeKind::kBreak:
        return CompileBreak(node);
      case NodeKind::kInterpolation:
        return CompileInterpolation(node);
      case NodeKind::kField:
      case NodeKind::kIndex:
      case NodeKind::kSlice:
      case NodeKind::kIterate:
        return CompilePart(node, false);
      case NodeKind::kTry:
        return CompileTry(node);
      case NodeKind::kArray:
        return CompileArray(node);
      case NodeKind::kObject:
        return CompileObject(node);
      case NodeKind::kNegate:
        return CompileNegate(node);
      case NodeKind::kBinary:
        return CompileBinary(node);
      case NodeKind::kPipe:
        for (NodeId part : syntax_->list(node)) WMAP_TRY_VOID(CompileNode(part));
        return {};
      case NodeKind::kComma:
        return CompileComma(node);
      case NodeKind::kIf:
        return CompileIf(node, [&](NodeId branch) { return CompileNode(branch); });
      case NodeKind::kReduce:
        return CompileReduce(node);
      case NodeKind::kForeach:
        return CompileForeach(node);
      case NodeKind::kBind:
        return CompileBind(node);
      case NodeKind::kLabel:
        return CompileLabel(node);
      case NodeKind::kDefine: {
        std::size_t scope = scope_;
        for (NodeId function : syntax_->list(node)) {
          WMAP_TRY_VOID(DefineFunction(syntax_->node(function)));
        }
        WMAP_TRY_VOID(CompileNode(node.a));
        scope_ = scope;
        return {};
      }
      case NodeKind::kCall:
        return CompileCall(node);
      default:
        return Unknown(node, "unexpected syntax");
    }
  }

  Result<void> CompileFormat(const Node& node) {
    if (!builtins::IsFormat(node.text)) {
      return Unknown(node, Cat("unknown format @", node.text));
    }
    Emit(Op::kFormat, 0, 0, TextConstant(node.text));
    return {};
  }

  Result<void> CompileVariable(const Node& node) {
    if (const Binding* binding = FindBinding(Binding::Kind::kVariable, node.text)) {
      LoadVariable(*binding);
      return {};
    }
    if (node.text == "ENV") {
      EmitConstant(Value::Object({}));
      return {};
    }
    std::vector<std::string_view> names;
    for (std::size_t at = scope_; at != kNowhere; at = bindings_[at].outer) {
      if (bindings_[at].kind == Binding::Kind::kVariable) names.push_back(bindings_[at].name);
    }
    std::string_view nearest = Nearest(node.text, names);
    return Unknown(node,
                   Cat("unknown variable $", node.text,
                       nearest.empty() ? std::string() : Cat("; did you mean $", nearest, '?')));
  }

  Result<void> CompileLocation(const Node& node) {
    json::ObjectBuilder object;
    object.Add("file", Value::String("<top-level>"));
    object.Add("line", Value::Int(syntax_->line(node.begin)));
    EmitConstant(object.Finish(code_.arena));
    return {};
  }

  Result<void> CompileBreak(const Node& node) {
    const Binding* label = FindBinding(Binding::Kind::kLabel, node.text);
    if (label == nullptr)
      return Unknown(node, Cat("there is no label $", node.text, " around this"));
    Emit(Op::kBreak, Outward(label->level), label->index);
    return {};
  }

  Result<void> CompileInterpolation(const Node& node) {
    bool has_format = !node.text.empty();
    if (has_format && !builtins::IsFormat(node.text)) {
      return Unknown(node, Cat("unknown format @", node.text));
    }
    auto parts = syntax_->list(node);
    std::size_t state = SubBegin();
    std::size_t input = Store();
    std::size_t first = NewSlots(parts.size());
    // From the last to the first: the first varies fastest.
    for (std::size_t i = parts.size(); i-- > 0;) {
      const Node& part = syntax_->node(parts[i]);
      if (part.kind == NodeKind::kText) {
        EmitConstant(json::MakeString(code_.arena, part.text));
      } else {
        Load(input);
        WMAP_TRY_VOID(CompileNode(parts[i]));
        if (has_format) {
          Emit(Op::kFormat, 0, 0, TextConstant(node.text));
        } else {
          Emit(Op::kToString);
        }
      }
      Emit(Op::kStore, 0, first + i);
    }
    Emit(Op::kConcat, 0, first, parts.size());
    SubEnd(state);
    return {};
  }

  // `a.b`, `a[b]`, `a[b:c]` and `a[]`; `optional` when a `?` follows, which is for this step alone.
  Result<void> CompilePart(const Node& node, bool optional) {
    switch (node.kind) {
      case NodeKind::kField:
        WMAP_TRY_VOID(CompileNode(node.a));
        EmitField(node.text, optional);
        return {};
      case NodeKind::kIndex:
        return CompileIndex(node, optional);
      case NodeKind::kSlice:
        return CompileSlice(node, optional);
      default:
        WMAP_TRY_VOID(CompileNode(node.a));
        Emit(Op::kEach, optional ? 1 : 0);
        return {};
    }
  }

  Result<void> CompileIndex(const Node& node, bool optional) {
    const Node& key = syntax_->node(node.b);
    if (optimize_ && (key.kind == NodeKind::kString || key.kind == NodeKind::kNumber)) {
      WMAP_TRY_VOID(CompileNode(node.a));
      if (key.kind == NodeKind::kString) {
        EmitField(key.text, optional);
      } else {
        Emit(Op::kItem, optional ? 1 : 0, 0, Constant(NumberOf(key.text)));
      }
      return {};
    }
    std::size_t input = Store();
    WMAP_TRY_VOID(CompileSub(node.b));
    std::size_t index = Store();
    Load(input);
    WMAP_TRY_VOID(CompileNode(node.a));
    Emit(Op::kIndex, optional ? 1 : 0, index);
    return {};
  }

  Result<void> CompileSlice(const Node& node, bool optional) {
    std::size_t input = Store();
    std::size_t bounds = NewSlots(2);
    for (std::size_t i = 0; i < 2; ++i) {
      NodeId bound = i == 0 ? node.b : node.c;
      if (bound == kNoNode) {
        EmitConstant(Value());
      } else {
        Load(input);
        WMAP_TRY_VOID(CompileSub(bound));
      }
      Emit(Op::kStore, 0, bounds + i);
    }
    Load(input);
    WMAP_TRY_VOID(CompileNode(node.a));
    Emit(Op::kSlice, optional ? 1 : 0, bounds);
    return {};
  }

  Result<void> CompileTry(const Node& node) {
    const Node& body = syntax_->node(node.a);
    if (node.is_step) return CompilePart(body, true);
    std::size_t handler = NewLabel();
    std::size_t end = NewLabel();
    std::size_t record = NewSlot();
    Emit(Op::kTry, 0, record, handler);
    WMAP_TRY_VOID(CompileNode(node.a));
    Emit(Op::kTryEnd, 0, record);
    Emit(Op::kJump, 0, 0, end);
    Place(handler);
    if (node.b == kNoNode) {
      Emit(Op::kBacktrack);
    } else {
      WMAP_TRY_VOID(CompileNode(node.b));
    }
    Place(end);
    return {};
  }

  Result<void> CompileArray(const Node& node) {
    if (node.a == kNoNode) {
      EmitConstant(Value::Array({}));
      return {};
    }
    std::size_t state = SubBegin();
    std::size_t done = NewLabel();
    Emit(Op::kCollect, 0, 0, done);
    WMAP_TRY_VOID(CompileNode(node.a));
    Emit(Op::kAppend);
    Place(done);
    SubEnd(state);
    return {};
  }

  // A key that can never be one is a mistake that needs no input to be seen.
  Result<void> CheckConstantKey(NodeId id) {
    std::optional<Value> key = ConstantOf(id);
    if (!key || key->is_string()) return {};
    std::string message = "Cannot use ";
    builtins::AppendDescription(*key, message);
    return Unknown(syntax_->node(id), message + " as object key");
  }

  Result<void> CompileObject(const Node& node) {
    auto entries = syntax_->list(node);
    if (entries.empty()) {
      EmitConstant(Value::Object({}));
      return {};
    }
    std::size_t state = SubBegin();
    std::size_t input = Store();
    std::size_t first = NewSlots(2 * entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Node& entry = syntax_->node(entries[i]);
      std::size_t key = first + 2 * i;
      WMAP_TRY_VOID(CheckConstantKey(entry.a));
      Load(input);
      WMAP_TRY_VOID(CompileNode(entry.a));
      Emit(Op::kStore, 0, key);
      Load(input);
      if (entry.b == kNoNode) {
        Emit(Op::kIndex, 0, key);
      } else {
        WMAP_TRY_VOID(CompileNode(entry.b));
      }
      Emit(Op::kStore, 0, key + 1);
      if (syntax_->node(entry.a).kind != NodeKind::kString) Emit(Op::kCheckKey, 0, key);
    }
    Emit(Op::kObject, 0, first, entries.size());
    SubEnd(state);
    return {};
  }

  Result<void> CompileNegate(const Node& node) {
    WMAP_TRY_VOID(CompileSub(node.a));
    Emit(Op::kNegate);
    return {};
  }

  static std::optional<BinaryOp> ArithmeticOf(Operator op) {
    switch (op) {
      case Operator::kAdd:
        return BinaryOp::kAdd;
      case Operator::kSubtract:
        return BinaryOp::kSubtract;
      case Operator::kMultiply:
        return BinaryOp::kMultiply;
      case Operator::kDivide:
        return BinaryOp::kDivide;
      case Operator::kModulo:
        return BinaryOp::kModulo;
      case Operator::kEqual:
        return BinaryOp::kEqual;
      case Operator::kNotEqual:
        return BinaryOp::kNotEqual;
      case Operator::kLess:
        return BinaryOp::kLess;
      case Operator::kLessEqual:
        return BinaryOp::kLessEqual;
      case Operator::kGreater:
        return BinaryOp::kGreater;
      case Operator::kGreaterEqual:
        return BinaryOp::kGreaterEqual;
      default:
        return std::nullopt;
    }
  }

  std::optional<Value> ConstantOf(NodeId id) {
    const Node& node = syntax_->node(id);
    switch (node.kind) {
      case NodeKind::kNull:
        return Value();
      case NodeKind::kFalse:
        return Value::Bool(false);
      case NodeKind::kTrue:
        return Value::Bool(true);
      case NodeKind::kNumber:
        return NumberOf(node.text);
      case NodeKind::kString:
        return json::MakeString(code_.arena, node.text);
      default:
        return std::nullopt;
    }
  }

  Result<void> CompileBinary(const Node& node) {
    if (std::optional<BinaryOp> op = ArithmeticOf(node.op)) return CompileArithmetic(node, *op);
    switch (node.op) {
      case Operator::kAnd:
      case Operator::kOr:
        return CompileLogic(node);
      case Operator::kAlternative:
        return CompileAlternative(node);
      default:
        return CompileUpdate(node, kNowhere);
    }
  }

  Result<void> CompileArithmetic(const Node& node, BinaryOp op) {
    auto code = static_cast<std::size_t>(op);
    if (optimize_) {
      if (std::optional<Value> right = ConstantOf(node.b)) {
        WMAP_TRY_VOID(CompileSub(node.a));
        Emit(Op::kBinaryConst, code, 0, Constant(*right));
        return {};
      }
    }
    std::size_t input = Store();
    WMAP_TRY_VOID(CompileSub(node.b));
    std::size_t right = Store();
    Load(input);
    WMAP_TRY_VOID(CompileSub(node.a));
    Emit(Op::kBinary, code, right);
    return {};
  }

  Result<void> CompileLogic(const Node& node) {
    bool is_and = node.op == Operator::kAnd;
    std::size_t state = SubBegin();
    std::size_t input = Store();
    std::size_t decided = NewLabel();
    std::size_t end = NewLabel();
    WMAP_TRY_VOID(CompileNode(node.a));
    Emit(is_and ? Op::kJumpIfFalse : Op::kJumpIfTrue, 0, 0, decided);
    Load(input);
    WMAP_TRY_VOID(CompileNode(node.b));
    Emit(Op::kToBool);
    Emit(Op::kJump, 0, 0, end);
    Place(decided);
    EmitConstant(Value::Bool(!is_and));
    Place(end);
    SubEnd(state);
    return {};
  }

  Result<void> CompileAlternative(const Node& node) {
    std::size_t input = Store();
    std::size_t found = NewSlot();
    std::size_t other = NewLabel();
    std::size_t end = NewLabel();
    Emit(Op::kSetFalse, 0, found);
    Emit(Op::kFork, 0, 0, other);
    WMAP_TRY_VOID(CompileNode(node.a));
    Emit(Op::kSkipFalse, 0, found);
    Emit(Op::kJump, 0, 0, end);
    Place(other);
    Emit(Op::kSkipIfSet, 0, found);
    Load(input);
    WMAP_TRY_VOID(CompileNode(node.b));
    Place(end);
    return {};
  }

  // --- Updates --------------------------------------------------------------------------------

  // `a = b`, `a |= b`, `a += b` and so on. `loop`: the slots of the loop whose state acc is, or
  // kNowhere.
  Result<void> CompileUpdate(const Node& node, std::size_t loop) {
    uses_paths_ = true;
    std::size_t loop_slots = loop == kNowhere ? kNoLoop : loop;
    Operator op = node.op;
    std::size_t state = SubBegin();
    std::size_t value = 0;
    if (op != Operator::kUpdate) {
      std::size_t input = Store();
      WMAP_TRY_VOID(CompileNode(node.b));
      value = Store();
      Load(input);
    }
    std::size_t update = NewSlots(5);
    std::size_t done = NewLabel();
    Emit(Op::kFork, 0, 0, done);
    Emit(Op::kUpdateBegin, 0, update, loop_slots);
    WMAP_TRY_VOID(CompilePath(node.a));
    std::size_t path = Store();
    if (op == Operator::kUpdate) {
      std::size_t mark = NewSlot();
      std::size_t none = NewLabel();
      Emit(Op::kUpdateGet, 0, update, path);
      Emit(Op::kMark, 0, mark);
      Emit(Op::kFork, 0, 0, none);
      WMAP_TRY_VOID(CompileNode(node.b));
      Emit(Op::kCut, 0, mark);
      Emit(Op::kUpdateSet, 1, update, path);
      Emit(Op::kBacktrack);
      Place(none);
      Emit(Op::kUpdateDrop, 0, update, path);
    } else {
      if (op != Operator::kAssign) Emit(Op::kUpdateGet, 0, update, path);
      if (op == Operator::kAssign) {
        Load(value);
      } else if (op == Operator::kUpdateAlternative) {
        std::size_t kept = NewLabel();
        Emit(Op::kJumpIfTrue, 0, 0, kept);
        Load(value);
        Place(kept);
      } else {
        Emit(Op::kBinary, static_cast<std::size_t>(*ArithmeticOf(UpdateOperator(op))), value);
      }
      Emit(Op::kUpdateSet, IsApart(*syntax_, node.b) ? 1 : 0, update, path);
    }
    Emit(Op::kBacktrack);
    Place(done);
    Emit(Op::kUpdateEnd, 0, update, loop_slots);
    SubEnd(state);
    return {};
  }

  // Whether CompileOwned() makes anything of the expression that CompileNode() does not.
  bool IsUpdating(NodeId id) const {
    const Node& node = syntax_->node(id);
    switch (node.kind) {
      case NodeKind::kPipe:
      case NodeKind::kIf:
        return std::ranges::any_of(syntax_->list(node),
                                   [&](NodeId part) { return IsUpdating(part); }) ||
               (node.a != kNoNode && IsUpdating(node.a));
      case NodeKind::kBind:
        return IsUpdating(node.b);
      case NodeKind::kBinary:
        return IsAssignment(node.op) ||
               (node.op == Operator::kAdd && syntax_->node(node.a).kind == NodeKind::kIdentity);
      default:
        return false;
    }
  }

  // Compiles `id` for acc being the state of the loop at `loop`, which nobody else sees: updates of
  // it may happen in place.
  Result<void> CompileOwned(NodeId id, std::size_t loop) {
    const Node& node = syntax_->node(id);
    SourceRange saved = range_;
    if (in_prelude_ == 0) range_ = {node.begin, node.end};
    Result<void> done;
    if (node.kind == NodeKind::kPipe && IsUpdating(id)) {
      for (NodeId part : syntax_->list(node)) WMAP_TRY_VOID(CompileOwned(part, loop));
    } else if (node.kind == NodeKind::kIf && IsUpdating(id)) {
      done = CompileIf(node, [&](NodeId branch) { return CompileOwned(branch, loop); });
    } else if (node.kind == NodeKind::kBind && IsUpdating(id)) {
      std::size_t input = Store();
      WMAP_TRY_VOID(CompileSub(node.a));
      if (!IsApart(*syntax_, node.a)) Emit(Op::kLoopGuard, 0, 0, loop);
      done = CompileAlternatives(syntax_->list(node), input,
                                 [&] { return CompileOwned(node.b, loop); });
    } else if (node.kind == NodeKind::kBinary && IsAssignment(node.op)) {
      done = CompileUpdate(node, loop);
    } else if (node.kind == NodeKind::kBinary && IsUpdating(id)) {
      std::size_t input = Store();
      WMAP_TRY_VOID(CompileSub(node.b));
      std::size_t right = Store();
      Load(input);
      Emit(Op::kLoopAdd, IsApart(*syntax_, node.b) ? 1 : 0, right, loop);
    } else if (node.kind != NodeKind::kIdentity) {
      done = CompileNode(id);
      Emit(Op::kLoopRenew, 0, 0, loop);
    }
    range_ = saved;
    return done;
  }

  Result<void> CompileComma(const Node& node) {
    auto parts = syntax_->list(node);
    std::size_t end = NewLabel();
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      std::size_t next = NewLabel();
      Emit(Op::kFork, 0, 0, next);
      WMAP_TRY_VOID(CompileNode(parts[i]));
      Emit(Op::kJump, 0, 0, end);
      Place(next);
    }
    WMAP_TRY_VOID(CompileNode(parts.back()));
    Place(end);
    return {};
  }

  template <typename F>
  Result<void> CompileIf(const Node& node, F&& branch) {
    auto parts = syntax_->list(node);
    std::size_t end = NewLabel();
    std::size_t input = Store();
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
      std::size_t otherwise = NewLabel();
      if (i > 0) Load(input);
      WMAP_TRY_VOID(CompileSub(parts[i]));
      Emit(Op::kJumpIfFalse, 0, 0, otherwise);
      Load(input);
      WMAP_TRY_VOID(branch(parts[i + 1]));
      Emit(Op::kJump, 0, 0, end);
      Place(otherwise);
    }
    Load(input);
    if (node.a != kNoNode) WMAP_TRY_VOID(branch(node.a));
    Place(end);
    return {};
  }

  Result<void> CompileLabel(const Node& node) {
    std::size_t scope = scope_;
    std::size_t mark = NewSlot();
    Emit(Op::kMark, 0, mark);
    Bind(Binding::Kind::kLabel, node.text, 0, mark);
    WMAP_TRY_VOID(CompileNode(node.a));
    scope_ = scope;
    return {};
  }

  // --- Patterns -------------------------------------------------------------------------------

  void CollectVariables(NodeId pattern, std::vector<std::string_view>& names) const {
    const Node& node = syntax_->node(pattern);
    auto add = [&](std::string_view name) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    switch (node.kind) {
      case NodeKind::kPatternVariable:
        add(node.text);
        return;
      case NodeKind::kPatternEntry:
        if (!node.text.empty()) add(node.text);
        if (node.b != kNoNode) CollectVariables(node.b, names);
        return;
      default:
        for (NodeId part : syntax_->list(node)) CollectVariables(part, names);
    }
  }

  void AssignVariable(std::string_view name) {
    Emit(Op::kStore, 0, FindBinding(Binding::Kind::kVariable, name)->index);
  }

  // Takes the value in `source` apart; keys see `input`.
  Result<void> CompilePattern(NodeId pattern, std::size_t source, std::size_t input) {
    const Node& node = syntax_->node(pattern);
    if (node.kind == NodeKind::kPatternVariable) {
      Load(source);
      AssignVariable(node.text);
      return {};
    }
    auto parts = syntax_->list(node);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Node& part = syntax_->node(parts[i]);
      if (node.kind == NodeKind::kPatternArray) {
        Load(source);
        Emit(Op::kItem, 0, 0, Constant(Value::Int(static_cast<std::int64_t>(i))));
        WMAP_TRY_VOID(CompilePattern(parts[i], Store(), input));
        continue;
      }
      WMAP_TRY_VOID(CheckConstantKey(part.a));
      Load(input);
      WMAP_TRY_VOID(CompileNode(part.a));
      std::size_t key = Store();
      Load(source);
      Emit(Op::kIndex, 0, key);
      std::size_t value = Store();
      if (!part.text.empty()) AssignVariable(part.text);
      if (part.b != kNoNode) WMAP_TRY_VOID(CompilePattern(part.b, value, input));
    }
    return {};
  }

  // `source as patterns | body`, the source's value being in acc and `input` the input of it all.
  template <typename F>
  Result<void> CompileAlternatives(std::span<const NodeId> patterns, std::size_t input, F&& body) {
    std::size_t scope = scope_;
    std::size_t source = Store();
    std::vector<std::string_view> names;
    for (NodeId pattern : patterns) CollectVariables(pattern, names);
    for (std::string_view name : names) Bind(Binding::Kind::kVariable, name, 0, NewSlot());
    std::size_t end = NewLabel();
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      bool last = i + 1 == patterns.size();
      std::size_t next = NewLabel();
      std::size_t record = NewSlot();
      if (patterns.size() > 1) {
        for (std::string_view name : names) {
          EmitConstant(Value());
          AssignVariable(name);
        }
      }
      if (!last) Emit(Op::kTryAgain, 0, record, next);
      std::size_t state = SubBegin();
      WMAP_TRY_VOID(CompilePattern(patterns[i], source, input));
      SubEnd(state);
      Load(input);
      WMAP_TRY_VOID(body());
      if (!last) {
        Emit(Op::kTryEnd, 0, record);
        Emit(Op::kJump, 0, 0, end);
      }
      Place(next);
    }
    Place(end);
    scope_ = scope;
    return {};
  }

  Result<void> CompileBind(const Node& node) {
    std::size_t input = Store();
    WMAP_TRY_VOID(CompileSub(node.a));
    return CompileAlternatives(syntax_->list(node), input, [&] { return CompileNode(node.b); });
  }

  // --- Objects built key by key ---------------------------------------------------------------

  // Whether a part gives one result whatever comes in, or an error.
  bool IsSingle(NodeId id) const {
    const Node& node = syntax_->node(id);
    auto single = [&](NodeId part) { return part == kNoNode || IsSingle(part); };
    auto all_single = [&] { return std::ranges::all_of(syntax_->list(node), single); };
    switch (node.kind) {
      case NodeKind::kIdentity:
      case NodeKind::kNull:
      case NodeKind::kFalse:
      case NodeKind::kTrue:
      case NodeKind::kNumber:
      case NodeKind::kString:
      case NodeKind::kText:
      case NodeKind::kFormat:
      case NodeKind::kVariable:
      case NodeKind::kArray:
        return true;
      case NodeKind::kInterpolation:
      case NodeKind::kObject:
      case NodeKind::kPipe:
        return all_single();
      case NodeKind::kEntry:
      case NodeKind::kField:
      case NodeKind::kIndex:
      case NodeKind::kNegate:
        return single(node.a) && single(node.b);
      case NodeKind::kBinary:
        return ArithmeticOf(node.op).has_value() && single(node.a) && single(node.b);
      case NodeKind::kIf:
        return all_single() && single(node.a);
      case NodeKind::kCall:
        return FindFunction(node.text, syntax_->list(node).size()) == nullptr &&
               builtins::FindNative(node.text, syntax_->list(node).size()) != nullptr &&
               all_single();
      default:
        return false;
    }
  }

  // Whether a part does not look at what comes in.
  bool IsBlind(NodeId id) const {
    const Node& node = syntax_->node(id);
    auto blind = [&](NodeId part) { return part == kNoNode || IsBlind(part); };
    switch (node.kind) {
      case NodeKind::kNull:
      case NodeKind::kFalse:
      case NodeKind::kTrue:
      case NodeKind::kNumber:
      case NodeKind::kString:
      case NodeKind::kText:
      case NodeKind::kVariable:
        return true;
      case NodeKind::kArray:
      case NodeKind::kField:
      case NodeKind::kIndex:
      case NodeKind::kNegate:
      case NodeKind::kBinary:
        return blind(node.a) && blind(node.b);
      case NodeKind::kEntry:
        return node.b != kNoNode && blind(node.a) && blind(node.b);
      case NodeKind::kInterpolation:
      case NodeKind::kObject:
      case NodeKind::kComma:
        return std::ranges::all_of(syntax_->list(node), blind);
      case NodeKind::kIf:
        return node.a != kNoNode && std::ranges::all_of(syntax_->list(node), blind) &&
               blind(node.a);
      case NodeKind::kPipe:
        return IsBlind(syntax_->list(node)[0]);
      default:
        return false;
    }
  }

  // An update that puts one value at one key, and looks at nothing else of the state.
  struct KeyedUpdate {
    NodeId key = kNoNode;  // kNoNode: `name`
    std::string_view name;
    std::optional<BinaryOp> op;  // value = old op value
    bool sees_old = false;       // the value is computed with the old one as input
    bool is_sum = false;         // `. + {...}`: of another key the object complains
    NodeId value = kNoNode;
  };

  // `.[K] = V`, `.[K] += V` and the like, `.[K] |= F`, `. + {(K): V}`.
  std::optional<KeyedUpdate> FindKeyedUpdate(NodeId id) const {
    const Node& node = syntax_->node(id);
    if (node.kind != NodeKind::kBinary) return std::nullopt;
    const Node& target = syntax_->node(node.a);
    KeyedUpdate update;
    update.value = node.b;
    if (node.op == Operator::kAdd && target.kind == NodeKind::kIdentity) {
      const Node& object = syntax_->node(node.b);
      if (object.kind != NodeKind::kObject || syntax_->list(object).size() != 1)
        return std::nullopt;
      const Node& entry = syntax_->node(syntax_->list(object)[0]);
      if (entry.b == kNoNode) return std::nullopt;
      update.key = entry.a;
      update.value = entry.b;
      update.is_sum = true;
    } else {
      if (!IsAssignment(node.op)) return std::nullopt;
      bool is_key = target.kind == NodeKind::kIndex || target.kind == NodeKind::kField;
      if (!is_key || syntax_->node(target.a).kind != NodeKind::kIdentity) return std::nullopt;
      update.sees_old = node.op == Operator::kUpdate;
      if (node.op != Operator::kAssign && !update.sees_old) {
        update.op = ArithmeticOf(UpdateOperator(node.op));
        if (!update.op) return std::nullopt;
      }
      if (target.kind == NodeKind::kIndex) {
        update.key = target.b;
      } else {
        update.name = target.text;
      }
    }
    bool fits = IsSingle(update.value) && (update.sees_old || IsBlind(update.value)) &&
                (update.key == kNoNode || (IsSingle(update.key) && IsBlind(update.key)));
    return fits ? std::optional(update) : std::nullopt;
  }

  bool BeginsEmpty(NodeId id) const {
    const Node& node = syntax_->node(id);
    return node.kind == NodeKind::kObject && syntax_->list(node).empty();
  }

  Result<void> CompileGrowing(const Node& node, const KeyedUpdate& update) {
    std::size_t input = Store();
    std::size_t done = NewLabel();
    std::size_t object = NewSlot();
    Emit(Op::kGrowBegin, 0, object);
    Emit(Op::kFork, 0, 0, done);
    Load(input);
    WMAP_TRY_VOID(CompileNode(node.a));
    auto turn = [&]() -> Result<void> {
      std::size_t value = 0;
      if (!update.sees_old) {
        EmitConstant(Value());
        WMAP_TRY_VOID(CompileNode(update.value));
        value = Store();
      }
      if (update.key == kNoNode) {
        EmitConstant(json::MakeString(code_.arena, update.name));
      } else {
        EmitConstant(Value());
        WMAP_TRY_VOID(CompileNode(update.key));
      }
      std::size_t key = Store();
      if (update.is_sum) Emit(Op::kCheckKey, 0, key);
      Emit(Op::kGrowGet, 0, object, key);
      if (update.sees_old) {
        WMAP_TRY_VOID(CompileNode(update.value));
      } else if (update.op) {
        Emit(Op::kBinary, static_cast<std::size_t>(*update.op), value);
      } else {
        Load(value);
      }
      Emit(Op::kGrowSet, 0, object, key);
      Emit(Op::kBacktrack);
      return {};
    };
    WMAP_TRY_VOID(CompileAlternatives(syntax_->list(node), input, turn));
    Place(done);
    Emit(Op::kGrowEnd, 0, object);
    return {};
  }

  Result<void> CompileReduce(const Node& node) {
    if (optimize_ && !tracks_ && BeginsEmpty(node.b) && syntax_->list(node).size() == 1) {
      if (auto update = FindKeyedUpdate(node.c)) return CompileGrowing(node, *update);
    }
    std::size_t input = Store();
    std::size_t done = NewLabel();
    WMAP_TRY_VOID(CompileNode(node.b));
    std::size_t state = Store();
    bool owns = optimize_ && IsUpdating(node.c);
    std::size_t loop = owns ? NewSlots(2) : 0;
    if (owns) Emit(Op::kLoopBegin, 0, 0, loop);
    Emit(Op::kFork, 0, 0, done);
    Load(input);
    WMAP_TRY_VOID(CompileSub(node.a));
    auto update = [&]() -> Result<void> {
      if (owns) Emit(Op::kLoopTurn, 0, 0, loop);
      Emit(Op::kTake, 0, state);
      WMAP_TRY_VOID(owns ? CompileOwned(node.c, loop) : CompileNode(node.c));
      Emit(Op::kStore, 0, state);
      Emit(Op::kBacktrack);
      return {};
    };
    WMAP_TRY_VOID(CompileAlternatives(syntax_->list(node), input, update));
    Place(done);
    Load(state);
    return {};
  }

  Result<void> CompileForeach(const Node& node) {
    std::size_t input = Store();
    WMAP_TRY_VOID(CompileNode(node.b));
    std::size_t state = Store();
    Load(input);
    WMAP_TRY_VOID(CompileSub(node.a));
    return CompileAlternatives(syntax_->list(node), input, [&]() -> Result<void> {
      Emit(Op::kTake, 0, state);
      WMAP_TRY_VOID(CompileNode(node.c));
      Emit(Op::kStore, 0, state);
      if (node.d != kNoNode) WMAP_TRY_VOID(CompileNode(node.d));
      return {};
    });
  }

  using Code_ = wmap::Code;

  const Syntax* syntax_;
  Code code_;
  Level root_;
  Level* level_ = nullptr;
  bool tracks_;
  bool traces_;
  bool optimize_;
  bool uses_paths_ = false;
  int in_prelude_ = 0;
  std::size_t emitted_ = 0;
  SourceRange range_;
  std::vector<Binding> bindings_;
  std::size_t scope_ = kNowhere;
  std::vector<Finished> finished_;
  std::map<std::string, std::size_t> prelude_;
  std::vector<std::unique_ptr<Syntax>> prelude_syntaxes_;
};

}  // namespace

Result<Code> Compile(const Syntax& syntax, const CompileOptions& options, Yield yield) {
  {
    bool tracks = yield != Yield::kValues;
    Compiler compiler(syntax, options, yield, tracks);
    WMAP_TRY_VOID(compiler.Run(yield));
    if (tracks || !compiler.uses_paths()) return compiler.Link();
  }
  // Paths are needed somewhere: subexpressions must be fenced off everywhere.
  Compiler compiler(syntax, options, yield, true);
  WMAP_TRY_VOID(compiler.Run(yield));
  return compiler.Link();
}

}  // namespace wmap::expr::program
