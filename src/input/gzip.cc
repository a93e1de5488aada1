#include "input/gzip.h"

#include <algorithm>
#include <array>
#include <limits>
#include <zlib.h>

#include "base/check.h"
#include "base/text.h"

namespace wmap::input {
namespace {

// Text of Kubernetes objects packs to a tenth, repetitive dumps to a hundredth; deflate's limit is
// a thousandth.
constexpr std::uint64_t kMostRatio = 200;
// zlib's flag for "expect a gzip header".
constexpr int kGzipWindow = 15 + 16;

class Unpacker final : public FileReader {
 public:
  Unpacker(FileReader& packed, std::string_view start, std::uint64_t most_bytes)
      : packed_(packed), most_bytes_(most_bytes) {
    WMAP_CHECK(inflateInit2(&zlib_, kGzipWindow) == Z_OK);
    Feed(start);
  }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  ~Unpacker() override { inflateEnd(&zlib_); }

  Result<std::size_t> Read(std::span<char> to) override {
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    auto room = static_cast<uInt>(std::min(to.size(), kMost));
    void* out = to.data();
    zlib_.next_out = static_cast<Bytef*>(out);
    zlib_.avail_out = room;
    while (zlib_.avail_out == room) {
      if (zlib_.avail_in == 0) {
        WMAP_TRY(std::size_t size, packed_.Read(input_));
        if (size == 0) {
          if (is_between_) return std::size_t{0};
          return Fail(Code::kUnreadable, "the gzip data ends too early");
        }
        Feed({input_.data(), size});
      }
      WMAP_TRY_VOID(Step());
    }
    std::size_t size = room - zlib_.avail_out;
    unpacked_ += size;
    if (unpacked_ > most_bytes_ && unpacked_ / kMostRatio > packed_bytes_) {
      return Fail(Code::kLimit, Cat("the gzip data unpacks to more than ", unpacked_ >> 20,
                                    " MiB, over ", kMostRatio, " times its size"));
    }
    return size;
  }

 private:
  void Feed(std::string_view bytes) {
    const void* in = bytes.data();
    zlib_.next_in = const_cast<Bytef*>(static_cast<const Bytef*>(in));
    zlib_.avail_in = static_cast<uInt>(bytes.size());
    packed_bytes_ += bytes.size();
  }

  Result<void> Step() {
    is_between_ = false;
    int result = inflate(&zlib_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      // Another one may follow.
      is_between_ = true;
      inflateReset(&zlib_);
      return {};
    }
    if (result == Z_OK || result == Z_BUF_ERROR) return {};
    return Fail(Code::kUnreadable, Cat("the gzip data is damaged: ",
                                       zlib_.msg != nullptr ? zlib_.msg : "unknown error"));
  }

  FileReader& packed_;
  std::uint64_t most_bytes_;
  z_stream zlib_{};
  std::array<char, 1 << 16> input_;
  bool is_between_ = false;
  std::uint64_t packed_bytes_ = 0;
  std::uint64_t unpacked_ = 0;
};

}  // namespace

std::unique_ptr<FileReader> Unpack(FileReader& packed, std::string_view start,
                                   std::uint64_t most_bytes) {
  return std::make_unique<Unpacker>(packed, start, most_bytes);
}

}  // namespace wmap::input
