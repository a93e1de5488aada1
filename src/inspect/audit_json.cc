#include "inspect/audit_json.h"

#include <vector>

namespace wmap::inspect {

using json::ObjectBuilder;
using json::Value;

Value AuditJson(const Audit& audit, const Report& report, Arena& arena) {
  auto text = [](std::string_view one) { return Value::String(one); };
  auto array = [&](const auto& list, auto of) {
    std::vector<Value> items;
    for (const auto& one : list) items.push_back(of(one));
    return json::MakeArray(arena, items);
  };
  ObjectBuilder compared;
  compared.Add("workloads", Value::Int(audit.workloads));
  compared.Add("pods", Value::Int(audit.pods));
  compared.Add("gpus", Value::Int(audit.gpus));
  compared.Add("nodes", Value::Int(audit.nodes));
  compared.Add("changing", Value::Int(audit.changing));
  ObjectBuilder object;
  object.Add("apiVersion", text("wmap/v1"));
  object.Add("kind", text("Audit"));
  object.Add("complete", Value::Bool(report.complete));
  object.Add("compared", compared.Finish(arena));
  object.Add("items", array(audit.findings, [&](const Finding& finding) {
               ObjectBuilder item;
               item.Add("severity", text(SeverityName(finding.severity)));
               item.Add("code", text(finding.code));
               item.Add("apiVersion", text(finding.api_version));
               item.Add("kind", text(finding.kind));
               item.Add("namespace", text(finding.name_space));
               item.Add("name", text(finding.name));
               item.Add("role", text(finding.role));
               item.Add("finding", text(finding.finding));
               item.Add("detail", text(finding.detail));
               item.Add("pods", array(finding.pods, text));
               item.Add("gpus", Value::Int(finding.gpus));
               return item.Finish(arena);
             }));
  object.Add("unseen", array(audit.unseen, [&](const Unseen& unseen) {
               ObjectBuilder item;
               item.Add("what", text(unseen.what));
               item.Add("why", text(unseen.why));
               return item.Finish(arena);
             }));
  object.Add("diagnostics", array(report.diagnostics, [&](const workload::Diagnostic& one) {
               ObjectBuilder item;
               item.Add("severity", text(SeverityName(one.severity)));
               item.Add("code", text(one.code));
               item.Add("message", text(one.message));
               item.Add("source", text(one.source));
               return item.Finish(arena);
             }));
  return object.Finish(arena);
}

}  // namespace wmap::inspect
