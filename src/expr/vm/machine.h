// Machine: runs Code on an input, one result after the other.
//
// Holds the stacks and keeps them between runs. The state is one register (a value and, while paths
// are tracked, how it was reached), frames of slots, and records of open alternatives; nothing of
// it is on the native stack, so that a run can be as deep as its budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/function_ref.h"
#include "expr/evaluate.h"
#include "expr/program/code.h"
#include "expr/vm/context.h"
#include "expr/vm/edits.h"
#include "expr/vm/growing_objects.h"
#include "expr/vm/machine_stack.h"
#include "json/value.h"

namespace wmap::expr::vm {

// A step of a path; the steps of a path are linked from its end.
struct PathStep {
  const PathStep* before = nullptr;  // where `length` is 0: what a traced run goes on from
  json::Value key;
  std::uint32_t length = 0;
};

class Machine {
 public:
  explicit Machine(Arena& arena) : context_(arena) {}

  Result<void> Run(const program::Code& code, const json::Value& input,
                   std::span<const json::Value> variables, const Limits& limits, Arena& arena,
                   FunctionRef<bool(const json::Value&)> sink, Tracer* tracer = nullptr);

  // `value` with `part` at `path`, within the budgets of the last run.
  Result<json::Value> SetPath(const json::Value& value, const json::Value& path,
                              const json::Value& part);

  const Context& context() const { return context_; }

 private:
  // A value and its path from where tracking began; null: computed, no path.
  struct Tracked {
    json::Value value;
    const PathStep* path = nullptr;
  };

  struct Frame {
    std::uint32_t base = 0;    // of its slots
    std::uint32_t caller = 0;  // index of the frame to return to
    std::uint32_t link = 0;    // index of the frame of the function around this one
    std::uint32_t resume = 0;  // instruction to return to
    std::uint32_t forks = 0;   // height of the fork stack at the call
  };

  enum class Kind : std::uint8_t { kFork, kEach, kRange, kTry, kTryAgain, kTryLeft, kCollect };
  struct Fork {
    Kind kind = Kind::kFork;
    bool tracking = false;
    std::uint32_t target = 0;  // instruction to resume at; kTryLeft: height below the try
    std::uint32_t frame = 0;
    std::uint32_t frames = 0;
    std::uint32_t slots = 0;
    std::uint32_t next = 0;  // kEach: index of the next item; kCollect: first item
    Tracked acc;
    json::Value bound;  // kRange: the end
  };

  bool Execute(const program::Code& code, FunctionRef<bool(const json::Value&)> sink);
  // Goes on at the newest alternative. False when there is none.
  bool Backtrack();
  // Goes on at the newest try that the pending error is for. False when there is none.
  bool Unwind();
  void DropForks(std::size_t height);
  bool Push(Kind kind, std::uint32_t target);
  bool Resume(const Fork& fork);

  Tracked& Slot(std::size_t index) { return slots_[frames_[frame_].base + index]; }
  std::uint32_t FrameOutward(std::size_t links) const;
  bool Call(const program::Code& code, std::uint32_t function, std::uint32_t link,
            std::uint32_t resume);
  bool CallWithArguments(const program::Code& code, const program::Instruction* call, bool tail);
  bool CallClosure(const program::Code& code, const program::Instruction* call, bool tail);
  // Frees the current frame when no alternative can come back to it.
  bool PopFrameIfFree();
  // For a tail call: the frame is freed if possible, and the callee returns where it would have.
  void GiveUpFrame(std::uint32_t& resume);
  void Return();

  bool Field(const json::Value& key, bool optional);
  bool IndexBy(const json::Value& key);
  bool SliceBy(const json::Value& from, const json::Value& to);
  bool Each(bool optional);
  bool GetPathOf(const json::Value& path);
  bool Range(const json::Value& from);
  bool CountBegin(std::size_t counter, bool skips);
  // False, without a failure, when this one does not pass.
  bool CountDown(std::size_t counter, bool skips);
  bool Binary(program::BinaryOp op, const json::Value& right);
  bool CheckKey(const json::Value& key);
  bool BuildObject(std::size_t first, std::size_t count);
  bool Concatenate(std::size_t first, std::size_t count);
  // `key`: what is to be reached next; null: all of them.
  bool CheckIsPath(const json::Value* key);
  bool Extend(const json::Value& key);
  // Starts a path at acc; `state` is the slot for what was tracked before.
  bool BeginPath(std::size_t state);
  bool FinishPath();
  // The keys of acc's path, an array.
  bool PathKeys(json::Value* keys);
  // Tells the tracer of acc: as a result of the part `range`, or of the program.
  bool Tell(const SourceRange* range);
  void FinishCollect(std::uint32_t first);

  // Updates; the operands are those of the instructions.
  void LoopRenew(std::size_t loop) { Slot(loop).value = json::Value::Int(edits_.Begin()); }
  bool LoopAdd(std::size_t right, std::size_t loop, bool is_apart);
  void UpdateBegin(std::size_t update, std::uint32_t loop);
  bool UpdateGet(std::size_t update, std::size_t path);
  bool UpdateSet(std::size_t update, std::size_t path, bool is_apart);
  bool UpdateDrop(std::size_t update, std::size_t path);
  bool UpdateEnd(std::size_t update, std::uint32_t loop);

  // `object` and `key` are slots.
  bool GrowGet(std::size_t object, std::size_t key);

  Error PendingError() const;
  // The pending failure; with the code that ran, its place too.
  Error Failure(const program::Code* code) const;

  Context context_;
  Edits edits_{context_};
  GrowingObjects growing_{context_};
  MachineStack<Frame> frames_{context_};
  MachineStack<Tracked> slots_{context_};
  MachineStack<Fork> forks_{context_};
  MachineStack<json::Value> items_{context_};  // of arrays under construction
  Tracked acc_;
  std::uint32_t pc_ = 0;
  std::uint32_t frame_ = 0;
  bool tracking_ = false;
  // Not null in a traced run, where what was computed has no path and may be gone into all the
  // same.
  Tracer* tracer_ = nullptr;
};

}  // namespace wmap::expr::vm
