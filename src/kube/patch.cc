#include "kube/patch.h"

#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "json/reader.h"
#include "json/value.h"
#include "json/writer.h"
#include "kube/escape.h"

namespace wmap::kube {
namespace {

using json::Value;
using Form = Patch::Form;

std::string_view ContentTypeOf(Form form) {
  switch (form) {
    case Form::kJson:
      return "application/json-patch+json";
    case Form::kMerge:
      return "application/merge-patch+json";
    case Form::kApply:
      return "application/apply-patch+yaml";
  }
  return {};
}

// Whether `text` can be one step of a path: all else would address something else.
bool IsStep(std::string_view text) {
  return !text.empty() && text != "." && text != ".." && !text.contains('/') && !text.contains('%');
}

Result<std::string> PathOf(const Patch& patch) {
  auto refuse = [](std::string_view what, std::string_view text) {
    return Fail(Code::kInvalid, Cat(Quote(text), " is no ", what));
  };
  if (!IsStep(patch.name)) return refuse("name of an object", patch.name);
  if (patch.type.namespaced && !IsStep(patch.name_space)) {
    return refuse("namespace", patch.name_space);
  }
  std::string path = Cat(patch.type.Path(patch.name_space), '/', PercentEncoded(patch.name));
  if (!patch.subresource.empty()) {
    if (!IsStep(patch.subresource)) return refuse("subresource", patch.subresource);
    CatTo(path, '/', PercentEncoded(patch.subresource));
  }
  return path;
}

// `object` with `key` set to `value`.
Value With(Arena& arena, const Value& object, std::string_view key, const Value& value) {
  json::ObjectBuilder builder;
  for (std::size_t i = 0; object.is_object() && i < object.size(); ++i) {
    const json::Member& member = object.member_in_source_order(i);
    builder.Add(member.key, member.value);
  }
  builder.Add(key, value);
  return builder.Finish(arena);
}

// The operation that makes a JSON Patch depend on a version. It sets the version rather than
// testing it: the server then compares the two and answers a difference with 409 and what it means,
// where a `test` that fails is a 422 like any fault of the patch. It comes last, so that no other
// operation can undo it.
Value VersionOperation(Arena& arena, const Value& version) {
  json::ObjectBuilder builder;
  builder.Add("op", json::MakeString(arena, "add"));
  builder.Add("path", json::MakeString(arena, "/metadata/resourceVersion"));
  builder.Add("value", version);
  return builder.Finish(arena);
}

Result<std::string> BodyOf(const Patch& patch) {
  Arena arena;
  Result<Value> read = json::Read(patch.body, arena);
  if (!read) return Fail(std::move(read).error().In("patch"));
  bool is_json_patch = patch.form == Form::kJson;
  if (is_json_patch ? !read->is_array() : !read->is_object()) {
    return Fail(Code::kInvalid, is_json_patch ? "a JSON Patch is an array of operations"
                                              : "the patch is no object");
  }
  if (patch.resource_version.empty()) return patch.body;
  Value version = json::MakeString(arena, patch.resource_version);
  if (is_json_patch) {
    std::vector<Value> operations(read->items().begin(), read->items().end());
    operations.push_back(VersionOperation(arena, version));
    return json::ToJson(Value::Array(operations), {.order = json::WriteOptions::Order::kSource});
  }
  const Value* metadata = read->Find("metadata");
  if (metadata != nullptr && !metadata->is_object()) {
    return Fail(Code::kInvalid, "the metadata of the patch is no object");
  }
  Value versioned =
      With(arena, metadata == nullptr ? Value() : *metadata, "resourceVersion", version);
  return json::ToJson(With(arena, *read, "metadata", versioned),
                      {.order = json::WriteOptions::Order::kSource});
}

Result<Request> RequestOf(const Patch& patch) {
  Request request;
  request.method = "PATCH";
  request.content_type = ContentTypeOf(patch.form);
  WMAP_TRY(request.path, PathOf(patch));
  WMAP_TRY(request.body, BodyOf(patch));
  if (patch.form == Form::kApply && patch.field_manager.empty()) {
    return Fail(Code::kInvalid, "an apply needs the name of a field manager");
  }
  if (patch.force && patch.form != Form::kApply) {
    return Fail(Code::kInvalid, "only an apply can be forced");
  }
  AppendParameter(request.path, "fieldManager", patch.field_manager);
  AppendParameter(request.path, "fieldValidation", "Strict");
  if (patch.force) AppendParameter(request.path, "force", "true");
  if (patch.dry_run) AppendParameter(request.path, "dryRun", "All");
  return request;
}

bool IsObject(std::string_view body) {
  Arena arena;
  Result<Value> object = json::Read(body, arena, {.borrow_text = true});
  return object && object->Get("metadata").is_object();
}

}  // namespace

Result<std::string> SendPatch(Client& client, const Patch& patch) {
  WMAP_TRY(Request request, RequestOf(patch));
  Result<std::string> body =
      patch.dry_run ? client.Read(request) : client.Send(request, !patch.resource_version.empty());
  // A site in between may answer, too.
  if (body && !IsObject(*body)) {
    return Fail(Code::kUnreachable,
                Cat("the answer to the patch of ", patch.type.plural, '/', patch.name,
                    " is no object", patch.dry_run ? "" : kNotKnown));
  }
  return body;
}

}  // namespace wmap::kube
