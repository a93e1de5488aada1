// Code: what a Program executes, a flat array of 8-byte instructions with tables beside it.
//
// The machine has one register, the current value ("."), written `acc` below, and per call a frame
// of numbered slots. Every slot is written by one place of the code before it is read, and calls
// have frames of their own; so resuming an alternative restores the registers only. The exceptions
// (states of reduce and foreach, flags of `//`) are meant to outlive backtracking.
//
// An alternative is a record on the fork stack. "Backtrack" takes the newest record and goes on
// there. Errors unwind the same stack to the newest try.
//
// Paths. acc and slots carry, beside the value, the path by which it was reached from where
// tracking began, or none when it was computed. Only code that needs paths (`tracks_paths`) has the
// instructions that switch tracking off around subexpressions.
//
// Immutable once compiled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "json/value.h"

namespace wmap::expr::program {

// Operands are a (8 bits), b (16) and c (32). s[b] is slot b of the current frame; s[a:b] is slot b
// of the frame `a` static links outwards; k[c] is constant c.
enum class Op : std::uint8_t {
  // Values.
  kConst,      // acc = k[c]
  kLoad,       // acc = s[b]
  kLoadOuter,  // acc = s[a:b]
  kStore,      // s[b] = acc
  kTake,       // acc = s[b]; s[b] = null
  kSetFalse,   // s[b] = false
  // Parts of values. a = 1: an error is no result instead.
  kField,    // acc = acc[k[c]], a key
  kFields,   // b times kField, keys k[c], k[c+1], ...
  kItem,     // acc = acc[k[c]], a number
  kIndex,    // acc = acc[s[b]]
  kSlice,    // acc = acc[s[b]:s[b+1]]
  kEach,     // each value of acc
  kGetPath,  // acc = acc | getpath(s[b])
  // Control.
  kJump,         // to c
  kJumpIfFalse,  // to c when acc is null or false
  kJumpIfTrue,   // to c when acc is neither
  kFork,         // go on; on backtracking resume at c with the same acc
  kBacktrack,
  kRequire,     // backtrack when acc is null or false
  kRefuse,      // backtrack when acc is neither
  kMark,        // s[b] = height of the fork stack
  kCut,         // drops the alternatives since the kMark at s[b]
  kBreak,       // kCut at s[a:b], then backtrack
  kCountBegin,  // s[b] counts what may (a = 0, limit) or must not (a = 1, skip) pass; checks it
  kCountDown,   // the next that would pass; a = 0: s[b+1] is a kMark, kCut there after the last
  kTry,         // go on; on an error resume at c with its value; s[b] = this record
  kTryAgain,    // the same, but resume with the same acc
  kTryEnd,      // later errors are not for the kTry at s[b]
  kSkipFalse,   // backtrack when acc is null or false, else s[b] = true
  kSkipIfSet,   // backtrack when s[b] is true
  kCollect,     // go on; on backtracking resume at c with the array of what was appended
  kAppend,      // append acc to the innermost array, backtrack
  kRange,       // each number from s[b] up to acc
  kRaise,       // error(acc)
  kYield,       // acc is a result of the program; backtrack
  // Functions. A call is followed by b arguments, kArgument or kForward.
  kCall,         // function c, defined a static links outwards
  kTailCall,     // the same in the place of the current frame, when nothing needs it
  kArgument,     // closure of function c with the current frame
  kForward,      // the closure at s[a:b]
  kCallClosure,  // the closure at s[a:b]
  kTailClosure,  // the same in the place of the current frame
  kReturn,
  // Computing. The results are no paths.
  kBinary,       // acc = acc op s[b]; a says which (BinaryOp)
  kBinaryConst,  // acc = acc op k[c]
  kNegate,
  kNot,
  kToBool,
  kNative,    // acc = native c of acc and s[b], s[b+1], ...
  kCheckKey,  // fails unless s[b] is a string
  kObject,    // acc = object of c entries: key s[b], value s[b+1], key s[b+2], ...
  kFormat,    // acc = acc as text by format k[c]
  kToString,  // acc = acc as text
  kConcat,    // acc = s[b] .. s[b+c-1], which are strings, as one string
  // Paths.
  kSubBegin,   // s[b] = tracking; tracking off
  kSubEnd,     // tracking = s[b]
  kPathBegin,  // s[b] = tracking; tracking on, starting at acc
  kPathEnd,    // acc = the path of acc; tracking = s[b]
  // Updates (vm/edits.h). A loop over states keeps s[c..c+1]: its edit session, and the height of
  // the fork stack at the start of the turn. An update keeps s[b..b+4]: the document, its session,
  // whether that is the loop's, the height of the fork stack, and the paths to delete. a = 1: the
  // part that is put in cannot hold anything of the document.
  kLoopBegin,    // s[c] = a new session
  kLoopTurn,     // s[c+1] = height of the fork stack
  kLoopGuard,    // a new session when acc may hold anything that the loop's session owns
  kLoopRenew,    // a new session
  kLoopAdd,      // acc = acc + s[b]
  kUpdateBegin,  // acc is the document; c: the loop's slots, or kNoLoop
  kUpdateGet,    // acc = s[b] | getpath(s[c])
  kUpdateSet,    // s[b] |= setpath(s[c]; acc)
  kUpdateDrop,   // s[c] is a path to delete at the end
  kUpdateEnd,    // acc = the document; c: as for kUpdateBegin
  // Loops that build an object key by key (vm/growing_objects.h); s[b] is its number.
  kGrowBegin,  // a new, empty one
  kGrowGet,    // acc = its value at key s[c], or null
  kGrowSet,    // acc is its value at key s[c]
  kGrowEnd,    // acc = the object
  // Traces only: around a part of the source, whose range they have.
  kStepBegin,
  kStepEnd,  // acc is a result of the part
};
inline constexpr std::size_t kOpCount = static_cast<std::size_t>(Op::kStepEnd) + 1;
inline constexpr std::uint32_t kNoLoop = 0xFFFFFFFF;
std::string_view OpName(Op op);

enum class BinaryOp : std::uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
};

struct Instruction {
  Op op;
  std::uint8_t a = 0;
  std::uint16_t b = 0;
  std::uint32_t c = 0;
};
static_assert(sizeof(Instruction) == 8);

struct Function {
  std::uint32_t entry = 0;
  std::uint16_t slots = 0;
  std::string name;  // for listings
};

struct Code {
  std::vector<Instruction> instructions;
  std::vector<SourceRange> ranges;  // one per instruction, bytes of the source
  std::vector<json::Value> constants;
  std::vector<Function> functions;  // function 0 is the program itself
  bool tracks_paths = false;
  // The whole program is `.a.b.c`, these constants.
  bool is_plain_path = false;
  Arena arena;  // texts of constants

  std::string Listing() const;
};

}  // namespace wmap::expr::program
