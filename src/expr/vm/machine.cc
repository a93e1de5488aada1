// The loop over instructions and the stacks it works on; one state machine, kept in one file.
#include "expr/vm/machine.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "expr/builtins/builtins.h"
#include "expr/builtins/comparing.h"
#include "json/compare.h"
#include "json/writer.h"

namespace wmap::expr::vm {
namespace {

using json::Value;
using program::BinaryOp;
using program::Code;
using program::Instruction;
using program::Op;

constexpr PathStep kPathStart;
// Where a path begins that a traced run takes from a computed value.
constexpr PathStep kComputed;

// The instructions for which a = 1 means "no result instead of an error".
bool IsPart(Op op) { return op >= Op::kField && op <= Op::kEach; }

std::string Shortened(const Value& value) {
  std::string text;
  builtins::AppendBrief(value, text);
  return text;
}

Value Successor(const Value& number) {
  std::int64_t sum = 0;
  return number.is_int() && !__builtin_add_overflow(number.as_int(), 1, &sum)
             ? Value::Int(sum)
             : Value::Double(number.as_double() + 1);
}

Value PackClosure(std::uint32_t function, std::uint32_t frame) {
  return Value::Int(static_cast<std::int64_t>((std::uint64_t{function} << 32) | frame));
}

bool Compares(builtins::Comparing& comparing, BinaryOp op, const Value& left, const Value& right) {
  switch (op) {
    case BinaryOp::kEqual:
      return comparing.Equal(left, right);
    case BinaryOp::kNotEqual:
      return !comparing.Equal(left, right);
    case BinaryOp::kLess:
      return comparing.Compare(left, right) < 0;
    case BinaryOp::kLessEqual:
      return comparing.Compare(left, right) <= 0;
    case BinaryOp::kGreater:
      return comparing.Compare(left, right) > 0;
    default:
      return comparing.Compare(left, right) >= 0;
  }
}

}  // namespace

Result<void> Machine::Run(const Code& code, const Value& input, std::span<const Value> variables,
                          const Limits& limits, Arena& arena, FunctionRef<bool(const Value&)> sink,
                          Tracer* tracer) {
  context_.Begin(limits, arena);
  tracer_ = tracer;
  frames_.Clear();
  slots_.Clear();
  forks_.Clear();
  items_.Clear();
  edits_.Clear();
  growing_.Clear();
  tracking_ = false;
  frame_ = 0;
  if (!frames_.Push({}) || !slots_.PushNew(code.functions[0].slots)) return Fail(Failure(nullptr));
  for (std::size_t i = 0; i < variables.size(); ++i) slots_[i].value = variables[i];
  acc_ = {input, nullptr};
  pc_ = code.functions[0].entry;
  if (Execute(code, sink)) return {};
  return Fail(Failure(&code));
}

Result<Value> Machine::SetPath(const Value& value, const Value& path, const Value& part) {
  Value result;
  if (!builtins::SetPath(context_, value, path, part, &result)) return Fail(Failure(nullptr));
  return result;
}

// --- Alternatives ---------------------------------------------------------------------------

bool Machine::Push(Kind kind, std::uint32_t target) {
  if (forks_.size() + frames_.size() >= context_.limits().depth) {
    return context_.RaiseLimit("depth");
  }
  if (!forks_.PushNew(1)) return false;
  Fork& fork = forks_.back();
  fork.kind = kind;
  fork.tracking = tracking_;
  fork.target = target;
  fork.frame = frame_;
  fork.frames = static_cast<std::uint32_t>(frames_.size());
  fork.slots = static_cast<std::uint32_t>(slots_.size());
  fork.acc = acc_;
  return true;
}

bool Machine::Resume(const Fork& fork) {
  tracking_ = fork.tracking;
  frame_ = fork.frame;
  frames_.Shrink(fork.frames);
  slots_.Shrink(fork.slots);
  pc_ = fork.target;
  acc_ = fork.acc;
  return true;
}

bool Machine::Backtrack() {
  while (!forks_.empty()) {
    Fork& fork = forks_.back();
    switch (fork.kind) {
      case Kind::kTry:
      case Kind::kTryAgain:
      case Kind::kTryLeft:
        forks_.Pop();
        continue;
      case Kind::kFork: {
        Resume(fork);
        forks_.Pop();
        return true;
      }
      case Kind::kCollect: {
        Resume(fork);
        std::uint32_t first = fork.next;
        forks_.Pop();
        FinishCollect(first);
        return true;
      }
      case Kind::kEach: {
        Resume(fork);
        const Value container = fork.acc.value;
        std::uint32_t index = fork.next++;
        if (fork.next == container.size()) forks_.Pop();
        bool is_array = container.is_array();
        Value key = is_array ? Value::Int(index) : Value::String(container.members()[index].key);
        if (tracking_ && !Extend(key)) return true;
        acc_.value = is_array ? container[index] : container.members()[index].value;
        return true;
      }
      case Kind::kRange: {
        Resume(fork);
        // acc is the number to give now.
        fork.acc.value = Successor(fork.acc.value);
        if (json::Compare(fork.acc.value, fork.bound) >= 0) forks_.Pop();
        return true;
      }
    }
  }
  return false;
}

void Machine::DropForks(std::size_t height) {
  for (std::size_t i = height; i < forks_.size(); ++i) {
    if (forks_[i].kind == Kind::kCollect) {
      items_.Shrink(forks_[i].next);
      break;
    }
  }
  forks_.Shrink(height);
}

bool Machine::Unwind() {
  if (context_.failure() != Context::Failure::kError) return false;
  while (!forks_.empty()) {
    const Fork fork = forks_.back();
    if (fork.kind == Kind::kTryLeft) {
      DropForks(fork.target);
      continue;
    }
    if (fork.kind == Kind::kCollect) items_.Shrink(fork.next);
    forks_.Pop();
    if (fork.kind != Kind::kTry && fork.kind != Kind::kTryAgain) continue;
    Resume(fork);
    if (fork.kind == Kind::kTry) acc_ = {context_.error(), nullptr};
    context_.ClearFailure();
    return true;
  }
  return false;
}

// --- Frames ---------------------------------------------------------------------------------

std::uint32_t Machine::FrameOutward(std::size_t links) const {
  std::uint32_t frame = frame_;
  for (; links > 0; --links) frame = frames_[frame].link;
  return frame;
}

bool Machine::PopFrameIfFree() {
  const Frame& frame = frames_[frame_];
  if (frame_ + 1 != frames_.size() || forks_.size() != frame.forks) return false;
  slots_.Shrink(frame.base);
  frames_.Pop();
  return true;
}

void Machine::GiveUpFrame(std::uint32_t& resume) {
  const Frame frame = frames_[frame_];
  if (!PopFrameIfFree()) return;
  resume = frame.resume;
  frame_ = frame.caller;
}

bool Machine::Call(const Code& code, std::uint32_t function, std::uint32_t link,
                   std::uint32_t resume) {
  if (forks_.size() + frames_.size() >= context_.limits().depth) {
    return context_.RaiseLimit("depth");
  }
  const program::Function& callee = code.functions[function];
  Frame frame;
  frame.base = static_cast<std::uint32_t>(slots_.size());
  frame.caller = frame_;
  frame.link = link;
  frame.resume = resume;
  frame.forks = static_cast<std::uint32_t>(forks_.size());
  if (!frames_.Push(frame) || !slots_.PushNew(callee.slots)) return false;
  frame_ = static_cast<std::uint32_t>(frames_.size() - 1);
  pc_ = callee.entry;
  return true;
}

bool Machine::CallWithArguments(const Code& code, const Instruction* call, bool tail) {
  constexpr std::size_t kFew = 8;
  Value few[kFew];
  std::vector<Value> many;
  Value* closures = few;
  if (call->b > kFew) {
    many.resize(call->b);
    closures = many.data();
  }
  for (std::size_t i = 0; i < call->b; ++i) {
    const Instruction& argument = call[1 + i];
    closures[i] = argument.op == Op::kArgument
                      ? PackClosure(argument.c, frame_)
                      : slots_[frames_[FrameOutward(argument.a)].base + argument.b].value;
  }
  std::uint32_t link = FrameOutward(call->a);
  std::uint32_t resume = pc_ + call->b;
  if (tail) GiveUpFrame(resume);
  if (!Call(code, call->c, link, resume)) return false;
  for (std::size_t i = 0; i < call->b; ++i) Slot(i).value = closures[i];
  return true;
}

bool Machine::CallClosure(const Code& code, const Instruction* call, bool tail) {
  auto packed = static_cast<std::uint64_t>(
      slots_[frames_[FrameOutward(call->a)].base + call->b].value.as_int());
  auto function = static_cast<std::uint32_t>(packed >> 32);
  auto link = static_cast<std::uint32_t>(packed);
  std::uint32_t resume = pc_;
  if (tail) GiveUpFrame(resume);
  return Call(code, function, link, resume);
}

void Machine::Return() {
  const Frame frame = frames_[frame_];
  PopFrameIfFree();
  pc_ = frame.resume;
  frame_ = frame.caller;
}

// --- Parts of values ------------------------------------------------------------------------

bool Machine::CheckIsPath(const Value* key) {
  if (!tracking_ || acc_.path != nullptr || tracer_ != nullptr) return true;
  if (key == nullptr) {
    return context_.RaiseText(
        Cat("Invalid path expression near attempt to iterate through ", Shortened(acc_.value)));
  }
  return context_.RaiseText(Cat("Invalid path expression near attempt to access element ",
                                Shortened(*key), " of ", Shortened(acc_.value)));
}

bool Machine::Extend(const Value& key) {
  if (acc_.path == nullptr) return true;
  void* memory = context_.Allocate(sizeof(PathStep));
  if (memory == nullptr) return false;
  acc_.path = new (memory) PathStep{acc_.path, key, acc_.path->length + 1};
  return true;
}

bool Machine::Field(const Value& key, bool optional) {
  if (tracking_ && (!CheckIsPath(&key) || !Extend(key))) return false;
  if (acc_.value.is_object()) {
    const Value* found = acc_.value.Find(key.as_string());
    acc_.value = found == nullptr ? Value() : *found;
    return true;
  }
  if (acc_.value.is_null()) return true;
  if (optional) return false;  // no failure: no result
  Value result;
  if (!builtins::Index(context_, acc_.value, key, &result)) return false;
  acc_.value = result;
  return true;
}

bool Machine::IndexBy(const Value& key) {
  if (tracking_ && (!CheckIsPath(&key) || !Extend(key))) return false;
  Value result;
  if (!builtins::Index(context_, acc_.value, key, &result)) return false;
  acc_.value = result;
  return true;
}

bool Machine::SliceBy(const Value& from, const Value& to) {
  if (tracking_) {
    json::Member* members = context_.AllocateMembers(2);
    if (members == nullptr) return false;
    members[0] = {"end", to};
    members[1] = {"start", from};
    const Value key = Value::Object({members, 2});
    if (!CheckIsPath(&key) || !Extend(key)) return false;
  }
  Value result;
  if (!builtins::Slice(context_, acc_.value, from, to, &result)) return false;
  acc_.value = result;
  return true;
}

bool Machine::Each(bool optional) {
  const Value container = acc_.value;
  if (!container.is_array() && !container.is_object()) {
    if (optional) return false;  // no failure: no result
    std::string message = "Cannot iterate over ";
    builtins::AppendDescription(container, message);
    return context_.RaiseText(message);
  }
  if (!CheckIsPath(nullptr)) return false;
  if (container.size() == 0) return false;
  if (container.size() > 1) {
    if (!Push(Kind::kEach, pc_)) return false;
    forks_.back().next = 1;
  }
  bool is_array = container.is_array();
  if (tracking_ && !Extend(is_array ? Value::Int(0) : Value::String(container.members()[0].key))) {
    return false;
  }
  acc_.value = is_array ? container[0] : container.members()[0].value;
  return true;
}

bool Machine::GetPathOf(const Value& path) {
  if (!path.is_array()) return context_.RaiseText("Path must be specified as an array");
  if (!CheckIsPath(&path)) return false;
  Value result;
  if (!builtins::GetPath(context_, acc_.value, path, &result)) return false;
  if (tracking_) {
    for (const Value& key : path.items()) {
      if (!Extend(key)) return false;
    }
  }
  acc_.value = result;
  return true;
}

bool Machine::Range(const Value& from) {
  const Value to = acc_.value;
  if (!from.is_number() || !to.is_number()) {
    return context_.RaiseText("Range bounds must be numeric");
  }
  acc_ = {from, nullptr};
  if (json::Compare(from, to) >= 0) return false;
  // What comes after the first.
  Tracked first = acc_;
  acc_.value = Successor(from);
  if (json::Compare(acc_.value, to) < 0) {
    if (!Push(Kind::kRange, pc_)) return false;
    forks_.back().bound = to;
  }
  acc_ = first;
  return true;
}

bool Machine::CountBegin(std::size_t counter, bool skips) {
  Value& count = Slot(counter).value;
  if (count.is_number() && json::Compare(count, Value::Int(0)) < 0) {
    return context_.RaiseText(skips ? "skip doesn't support negative count"
                                    : "limit doesn't support negative count");
  }
  if (!count.is_number()) {
    return context_.RaiseText(
        Cat(skips ? "skip" : "limit", " needs a number as its count, not ", Shortened(count)));
  }
  constexpr double kMost = 9e18;
  double amount = count.as_double();
  amount = skips ? std::floor(amount) : std::ceil(amount);
  count = Value::Int(static_cast<std::int64_t>(std::min(amount, kMost)));
  return skips || count.as_int() > 0;
}

bool Machine::CountDown(std::size_t counter, bool skips) {
  Value& count = Slot(counter).value;
  if (skips && count.as_int() == 0) return true;
  count = Value::Int(count.as_int() - 1);
  if (skips) return false;
  if (count.as_int() == 0) {
    DropForks(static_cast<std::size_t>(Slot(counter + 1).value.as_int()));
  }
  return true;
}

// --- Computing ------------------------------------------------------------------------------

bool Machine::Binary(BinaryOp op, const Value& right) {
  const Value left = acc_.value;
  acc_.path = nullptr;
  switch (op) {
    case BinaryOp::kAdd:
      return builtins::Add(context_, left, right, &acc_.value);
    case BinaryOp::kSubtract:
      return builtins::Subtract(context_, left, right, &acc_.value);
    case BinaryOp::kMultiply:
      return builtins::Multiply(context_, left, right, &acc_.value);
    case BinaryOp::kDivide:
      return builtins::Divide(context_, left, right, &acc_.value);
    case BinaryOp::kModulo:
      return builtins::Modulo(context_, left, right, &acc_.value);
    default: {
      builtins::Comparing comparing(context_);
      acc_.value = Value::Bool(Compares(comparing, op, left, right));
      return comparing.Charge();
    }
  }
}

bool Machine::CheckKey(const Value& key) {
  if (key.is_string()) return true;
  std::string message = "Cannot use ";
  builtins::AppendDescription(key, message);
  return context_.RaiseText(message + " as object key");
}

bool Machine::BuildObject(std::size_t first, std::size_t count) {
  json::ObjectBuilder builder;
  for (std::size_t i = 0; i < count; ++i) {
    const Value& key = Slot(first + 2 * i).value;
    builder.Add(key.as_string(), Slot(first + 2 * i + 1).value);
  }
  if (!context_.Charge(count * (sizeof(json::Member) + sizeof(std::uint32_t)))) return false;
  acc_ = {builder.Finish(context_.arena()), nullptr};
  return true;
}

bool Machine::Concatenate(std::size_t first, std::size_t count) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; ++i) size += Slot(first + i).value.size();
  if (size > Value::kMaxSize) return context_.RaiseLimit("memory");
  auto* text = static_cast<char*>(context_.Allocate(size, 1));
  if (text == nullptr) return false;
  char* to = text;
  for (std::size_t i = 0; i < count; ++i) {
    std::string_view part = Slot(first + i).value.as_string();
    to = std::copy(part.begin(), part.end(), to);
  }
  acc_ = {Value::String({text, size}), nullptr};
  return true;
}

bool Machine::FinishPath() {
  if (acc_.path == nullptr) {
    return context_.RaiseText(Cat("Invalid path expression with result ", Shortened(acc_.value)));
  }
  Value keys;
  if (!PathKeys(&keys)) return false;
  acc_ = {keys, nullptr};
  return true;
}

bool Machine::BeginPath(std::size_t state) {
  const PathStep* begin = &kPathStart;
  if (tracking_ && tracer_ != nullptr) {
    void* memory = context_.Allocate(sizeof(PathStep));
    if (memory == nullptr) return false;
    begin = new (memory) PathStep{acc_.path != nullptr ? acc_.path : &kComputed, {}, 0};
  }
  Slot(state).value = Value::Bool(tracking_);
  tracking_ = true;
  acc_.path = begin;
  return true;
}

bool Machine::PathKeys(Value* result) {
  std::uint32_t length = acc_.path->length;
  Value* keys = context_.AllocateItems(length);
  if (keys == nullptr) return false;
  std::uint32_t i = length;
  for (const PathStep* step = acc_.path; step->length > 0; step = step->before) {
    keys[--i] = step->key;
  }
  *result = Value::Array({keys, length});
  return true;
}

bool Machine::Tell(const SourceRange* range) {
  // The paths that path() takes go on from the one that its input has.
  const PathStep* step = tracking_ ? acc_.path : &kComputed;
  std::vector<Value> keys;
  while (step != nullptr && step != &kComputed) {
    if (step->length > 0) keys.push_back(step->key);
    if (step == &kPathStart) break;
    step = step->before;
  }
  Value all;
  std::ranges::reverse(keys);
  if (!context_.MakeArray(keys, &all)) return false;
  const Value* path = step == &kPathStart ? &all : nullptr;
  if (range == nullptr) {
    tracer_->Yield(acc_.value, path);
  } else {
    tracer_->Leave(*range, acc_.value, path);
  }
  return true;
}

void Machine::FinishCollect(std::uint32_t first) {
  std::span<const Value> items(items_.data() + first, items_.size() - first);
  acc_.path = nullptr;
  // A failure is pending then, which the loop sees.
  static_cast<void>(context_.MakeArray(items, &acc_.value));
  items_.Shrink(first);
}

// --- Updates --------------------------------------------------------------------------------

bool Machine::LoopAdd(std::size_t right, std::size_t loop, bool is_apart) {
  const Value more = Slot(right).value;
  bool is_alone = forks_.size() == static_cast<std::size_t>(Slot(loop + 1).value.as_int());
  if (!is_alone || (!is_apart && edits_.MayShare(Slot(loop).value.as_int(), more))) {
    LoopRenew(loop);
  }
  if (acc_.value.is_object() && more.is_object()) {
    acc_.path = nullptr;
    return edits_.Merge(Slot(loop).value.as_int(), acc_.value, more);
  }
  // The sum is a new array around what the loop may own.
  if (edits_.Owns(Slot(loop).value.as_int(), acc_.value)) LoopRenew(loop);
  return Binary(BinaryOp::kAdd, more);
}

void Machine::UpdateBegin(std::size_t update, std::uint32_t loop) {
  // The newest alternative is that of the update itself.
  bool inherits = loop != program::kNoLoop &&
                  forks_.size() == 1 + static_cast<std::size_t>(Slot(loop + 1).value.as_int());
  Slot(update) = {acc_.value, nullptr};
  Slot(update + 1).value = inherits ? Slot(loop).value : Value::Int(edits_.Begin());
  Slot(update + 2).value = Value::Bool(inherits);
  Slot(update + 3).value = Value::Int(static_cast<std::int64_t>(forks_.size()));
  Slot(update + 4).value = Value();
}

bool Machine::UpdateGet(std::size_t update, std::size_t path) {
  Tracked& session = Slot(update + 1);
  Value part;
  if (!builtins::GetPath(context_, Slot(update).value, Slot(path).value, &part)) return false;
  if (edits_.Owns(session.value.as_int(), part)) {
    session.value = Value::Int(edits_.Begin());
    Slot(update + 2).value = Value::Bool(false);
  }
  acc_ = {part, nullptr};
  return true;
}

bool Machine::UpdateSet(std::size_t update, std::size_t path, bool is_apart) {
  Tracked& session = Slot(update + 1);
  Tracked& inherits = Slot(update + 2);
  // What an earlier update of the loop made can be seen by the paths that are still to come, and
  // by the part itself.
  if (inherits.value.is_true() &&
      (forks_.size() != static_cast<std::size_t>(Slot(update + 3).value.as_int()) ||
       (!is_apart && edits_.MayShare(session.value.as_int(), acc_.value)))) {
    session.value = Value::Int(edits_.Begin());
    inherits.value = Value::Bool(false);
  }
  return edits_.Set(session.value.as_int(), Slot(update).value, Slot(path).value.items(),
                    acc_.value);
}

bool Machine::UpdateDrop(std::size_t update, std::size_t path) {
  Value& doomed = Slot(update + 4).value;
  std::span<const Value> before = doomed.is_array() ? doomed.items() : std::span<const Value>();
  return context_.AppendItems(before, std::span(&Slot(path).value, 1), &doomed);
}

bool Machine::UpdateEnd(std::size_t update, std::uint32_t loop) {
  acc_ = {Slot(update).value, nullptr};
  Slot(update).value = Value();
  if (loop != program::kNoLoop) Slot(loop).value = Slot(update + 1).value;
  const Value doomed = Slot(update + 4).value;
  if (doomed.is_null()) return true;
  const Value document = acc_.value;
  return builtins::DeletePaths(context_, document, doomed, &acc_.value);
}

bool Machine::GrowGet(std::size_t object, std::size_t key) {
  const Value& name = Slot(key).value;
  acc_.path = nullptr;
  // Fails as the object itself would.
  if (!name.is_string()) {
    return builtins::Index(context_, Value::Object({}), name, &acc_.value) &&
           context_.RaiseText("an object has no such key");
  }
  acc_.value =
      growing_.Get(static_cast<std::size_t>(Slot(object).value.as_int()), name.as_string());
  return true;
}

// --- The loop -------------------------------------------------------------------------------

bool Machine::Execute(const Code& code, FunctionRef<bool(const Value&)> sink) {
  const Instruction* const instructions = code.instructions.data();
  const Value* const constants = code.constants.data();
  std::size_t results = 0;
  while (true) {
    const Instruction& i = instructions[pc_++];
    bool ok = context_.Spend(1);
    // Set by what has no result for now; an error is told by context_.failure().
    bool backtrack = false;
    if (ok) {
      switch (i.op) {
        case Op::kConst:
          acc_ = {constants[i.c], nullptr};
          break;
        case Op::kLoad:
          acc_ = Slot(i.b);
          break;
        case Op::kLoadOuter:
          acc_ = slots_[frames_[FrameOutward(i.a)].base + i.b];
          break;
        case Op::kStore:
          Slot(i.b) = acc_;
          break;
        case Op::kTake:
          acc_ = Slot(i.b);
          Slot(i.b) = {};
          break;
        case Op::kSetFalse:
          Slot(i.b).value = Value::Bool(false);
          break;
        case Op::kField:
          ok = Field(constants[i.c], i.a != 0);
          break;
        case Op::kFields:
          for (std::size_t k = 0; ok && k < i.b; ++k) ok = Field(constants[i.c + k], i.a != 0);
          break;
        case Op::kItem:
          ok = IndexBy(constants[i.c]);
          break;
        case Op::kIndex:
          ok = IndexBy(Slot(i.b).value);
          break;
        case Op::kSlice:
          ok = SliceBy(Slot(i.b).value, Slot(i.b + std::size_t{1}).value);
          break;
        case Op::kEach:
          ok = Each(i.a != 0);
          break;
        case Op::kGetPath:
          ok = GetPathOf(Slot(i.b).value);
          break;
        case Op::kJump:
          pc_ = i.c;
          break;
        case Op::kJumpIfFalse:
          if (!acc_.value.is_truthy()) pc_ = i.c;
          break;
        case Op::kJumpIfTrue:
          if (acc_.value.is_truthy()) pc_ = i.c;
          break;
        case Op::kFork:
          ok = Push(Kind::kFork, i.c);
          break;
        case Op::kBacktrack:
          backtrack = true;
          break;
        case Op::kRequire:
          backtrack = !acc_.value.is_truthy();
          break;
        case Op::kRefuse:
          backtrack = acc_.value.is_truthy();
          break;
        case Op::kMark:
          Slot(i.b).value = Value::Int(static_cast<std::int64_t>(forks_.size()));
          break;
        case Op::kCut:
          DropForks(static_cast<std::size_t>(Slot(i.b).value.as_int()));
          break;
        case Op::kBreak: {
          const Value& height = slots_[frames_[FrameOutward(i.a)].base + i.b].value;
          DropForks(static_cast<std::size_t>(height.as_int()));
          backtrack = true;
          break;
        }
        case Op::kCountBegin:
          ok = CountBegin(i.b, i.a != 0);
          break;
        case Op::kCountDown:
          ok = CountDown(i.b, i.a != 0);
          break;
        case Op::kTry:
        case Op::kTryAgain:
          Slot(i.b).value = Value::Int(static_cast<std::int64_t>(forks_.size()));
          ok = Push(i.op == Op::kTry ? Kind::kTry : Kind::kTryAgain, i.c);
          break;
        case Op::kTryEnd: {
          auto record = static_cast<std::size_t>(Slot(i.b).value.as_int());
          if (record + 1 == forks_.size()) {
            forks_.Pop();
          } else {
            ok = Push(Kind::kTryLeft, static_cast<std::uint32_t>(record));
          }
          break;
        }
        case Op::kSkipFalse:
          if (acc_.value.is_truthy()) {
            Slot(i.b).value = Value::Bool(true);
          } else {
            backtrack = true;
          }
          break;
        case Op::kSkipIfSet:
          backtrack = Slot(i.b).value.is_true();
          break;
        case Op::kCollect:
          ok = Push(Kind::kCollect, i.c);
          if (ok) forks_.back().next = static_cast<std::uint32_t>(items_.size());
          break;
        case Op::kAppend:
          ok = items_.Push(acc_.value);
          backtrack = true;
          break;
        case Op::kRange:
          ok = Range(Slot(i.b).value);
          break;
        case Op::kRaise:
          ok = context_.Raise(acc_.value);
          break;
        case Op::kYield:
          if (++results >= context_.limits().results) {
            ok = context_.RaiseLimit("results");
            break;
          }
          if (tracer_ != nullptr && !(ok = Tell(nullptr))) break;
          if (!sink(acc_.value)) return true;
          backtrack = true;
          break;
        case Op::kCall:
          ok = CallWithArguments(code, &i, false);
          break;
        case Op::kTailCall:
          ok = CallWithArguments(code, &i, true);
          break;
        case Op::kCallClosure:
          ok = CallClosure(code, &i, false);
          break;
        case Op::kTailClosure:
          ok = CallClosure(code, &i, true);
          break;
        case Op::kArgument:
        case Op::kForward:
          break;
        case Op::kReturn:
          Return();
          break;
        case Op::kBinary:
          ok = Binary(static_cast<BinaryOp>(i.a), Slot(i.b).value);
          break;
        case Op::kBinaryConst:
          ok = Binary(static_cast<BinaryOp>(i.a), constants[i.c]);
          break;
        case Op::kNegate: {
          const Value operand = acc_.value;
          acc_.path = nullptr;
          ok = builtins::Negate(context_, operand, &acc_.value);
          break;
        }
        case Op::kNot:
          acc_ = {Value::Bool(!acc_.value.is_truthy()), nullptr};
          break;
        case Op::kToBool:
          acc_ = {Value::Bool(acc_.value.is_truthy()), nullptr};
          break;
        case Op::kNative: {
          constexpr std::size_t kMostArguments = 7;
          Value arguments[kMostArguments];
          const builtins::NativeRow& native = builtins::Natives()[i.c];
          for (std::size_t k = 0; k < native.arity && k < kMostArguments; ++k) {
            arguments[k] = Slot(i.b + k).value;
          }
          const Value operand = acc_.value;
          acc_.path = nullptr;
          ok = native.function(context_, operand, arguments, &acc_.value);
          break;
        }
        case Op::kCheckKey:
          ok = CheckKey(Slot(i.b).value);
          break;
        case Op::kObject:
          ok = BuildObject(i.b, i.c);
          break;
        case Op::kFormat: {
          const Value operand = acc_.value;
          acc_.path = nullptr;
          ok = builtins::Format(context_, constants[i.c].as_string(), operand, &acc_.value);
          break;
        }
        case Op::kToString: {
          const Value operand = acc_.value;
          acc_.path = nullptr;
          ok = builtins::ToStringValue(context_, operand, &acc_.value);
          break;
        }
        case Op::kConcat:
          ok = Concatenate(i.b, i.c);
          break;
        case Op::kSubBegin:
          Slot(i.b).value = Value::Bool(tracking_);
          tracking_ = tracking_ && tracer_ != nullptr;
          break;
        case Op::kSubEnd:
          tracking_ = Slot(i.b).value.is_true();
          acc_.path = nullptr;
          break;
        case Op::kPathBegin:
          ok = BeginPath(i.b);
          break;
        case Op::kPathEnd:
          ok = FinishPath();
          tracking_ = Slot(i.b).value.is_true();
          break;
        case Op::kLoopBegin:
        case Op::kLoopRenew:
          LoopRenew(i.c);
          break;
        case Op::kLoopTurn:
          Slot(i.c + std::size_t{1}).value = Value::Int(static_cast<std::int64_t>(forks_.size()));
          break;
        case Op::kLoopGuard:
          if (edits_.MayShare(Slot(i.c).value.as_int(), acc_.value)) LoopRenew(i.c);
          break;
        case Op::kLoopAdd:
          ok = LoopAdd(i.b, i.c, i.a != 0);
          break;
        case Op::kUpdateBegin:
          UpdateBegin(i.b, i.c);
          break;
        case Op::kUpdateGet:
          ok = UpdateGet(i.b, i.c);
          break;
        case Op::kUpdateSet:
          ok = UpdateSet(i.b, i.c, i.a != 0);
          break;
        case Op::kUpdateDrop:
          ok = UpdateDrop(i.b, i.c);
          break;
        case Op::kUpdateEnd:
          ok = UpdateEnd(i.b, i.c);
          break;
        case Op::kGrowBegin:
          Slot(i.b).value = Value::Int(static_cast<std::int64_t>(growing_.Begin()));
          break;
        case Op::kGrowGet:
          ok = GrowGet(i.b, i.c);
          break;
        case Op::kGrowSet:
          ok = growing_.Set(static_cast<std::size_t>(Slot(i.b).value.as_int()),
                            Slot(i.c).value.as_string(), acc_.value);
          break;
        case Op::kGrowEnd:
          acc_.path = nullptr;
          ok = growing_.Finish(static_cast<std::size_t>(Slot(i.b).value.as_int()), &acc_.value);
          break;
        case Op::kStepBegin:
          tracer_->Enter(code.ranges[pc_ - 1]);
          break;
        case Op::kStepEnd:
          ok = Tell(&code.ranges[pc_ - 1]);
          break;
      }
    }
    if (ok && !backtrack) [[likely]] {
      if (context_.failure() == Context::Failure::kNone) [[likely]]
        continue;
    }
    if (context_.failure() == Context::Failure::kNone) {
      // No result here: an empty list, a condition that does not hold.
      if (!Backtrack()) return true;
      if (context_.failure() == Context::Failure::kNone) continue;
    }
    if (i.a != 0 && IsPart(i.op) && context_.failure() == Context::Failure::kError) {
      context_.ClearFailure();
      if (!Backtrack()) return true;
      if (context_.failure() == Context::Failure::kNone) continue;
    }
    if (!Unwind()) return false;
  }
}

Error Machine::PendingError() const {
  if (context_.failure() != Context::Failure::kError) {
    bool cancelled = context_.failure() == Context::Failure::kCancelled;
    return Error(cancelled ? wmap::Code::kCancelled : wmap::Code::kLimit, context_.limit_message());
  }
  const Value& value = context_.error();
  if (value.is_string()) return Error(wmap::Code::kEvaluation, std::string(value.as_string()));
  constexpr std::size_t kMostBytes = 4096;
  std::string message;
  bool is_cut = json::WriteStart(value, message, kMostBytes);
  message += is_cut ? "... (not a string)" : " (not a string)";
  return Error(wmap::Code::kEvaluation, std::move(message));
}

Error Machine::Failure(const Code* code) const {
  Error error = PendingError();
  if (code == nullptr) return error;
  // The nearest place in the source of what failed: in the prelude, that of its caller.
  std::uint32_t at = pc_ - 1;
  std::uint32_t frame = frame_;
  for (std::size_t hops = frames_.size(); hops > 0; --hops) {
    const SourceRange& range = code->ranges[at];
    if (range.begin <= range.end && range.end != static_cast<std::size_t>(-1)) {
      return std::move(error).At(range);
    }
    if (frame == 0 || frame >= frames_.size()) break;
    at = frames_[frame].resume - 1;
    frame = frames_[frame].caller;
  }
  return error;
}

}  // namespace wmap::expr::vm
