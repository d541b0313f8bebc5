import Tripwire

extension ErrorDetail {
  /// Returns the detail in words, one line for each item. Text from the peer is not escaped yet.
  ///
  /// - Parameter types: those of other details than google.rpc's.
  package func lines(_ types: DetailTypes) -> [String] {
    switch self {
    case .retryInfo(let info):
      [info.retryDelay.map { "retry after \(Units.seconds($0.seconds, nanos: $0.nanos))" }]
        .compactMap { $0 }
    case .errorInfo(let info):
      [
        "reason \(info.reason)" + parenthesized(info.domain, before: "domain ")
      ] + info.metadata.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    case .badRequest(let request):
      request.fieldViolations.map { violation in
        "field \(violation.field): "
          + joined([violation.description, violation.localizedMessage?.message ?? ""], by: ": ")
          + parenthesized(violation.reason, before: "reason ")
      }
    case .quotaFailure(let failure):
      failure.violations.flatMap(Self.lines)
    case .preconditionFailure(let failure):
      failure.violations.map { violation in
        "precondition \(joined([violation.type, violation.subject], by: " of ")): "
          + violation.description
      }
    case .resourceInfo(let info):
      [
        "resource \(joined([info.resourceType, info.resourceName], by: " "))"
          + parenthesized(info.owner, before: "owner ")
          + (info.description.isEmpty ? "" : ": \(info.description)")
      ]
    case .requestInfo(let info):
      ["request ID \(info.requestId)" + parenthesized(info.servingData, before: "serving data ")]
    case .help(let help):
      help.links.map { "see \($0.url)" + parenthesized($0.description) }
    case .localizedMessage(let message):
      [message.message + parenthesized(message.locale)]
    case .debugInfo(let info):
      (info.detail.isEmpty ? [] : ["debug: \(info.detail)"])
        + info.stackEntries.map { "  at \($0)" }
    case .other(let any):
      [
        types.line(any)
          ?? "detail of type \(any.typeUrl) (\(Units.bytes(any.value.count)), not shown)"
      ]
    }
  }

  private static func lines(_ violation: QuotaFailure.Violation) -> [String] {
    var line = "quota \(violation.subject)"
    line += violation.description.isEmpty ? "" : ": \(violation.description)"
    var limits = [joined([violation.quotaMetric, violation.quotaId], by: ", ")]
    if violation.quotaValue != 0 { limits.append("limit \(violation.quotaValue)") }
    if let future = violation.futureQuotaValue { limits.append("future limit \(future)") }
    limits += violation.quotaDimensions.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    limits.append(violation.apiService)
    return [line + parenthesized(joined(limits, by: ", "))]
  }
}

private func joined(_ parts: [String], by separator: String) -> String {
  parts.filter { !$0.isEmpty }.joined(separator: separator)
}

/// Returns " (domain googleapis.com)", or "" for an empty text.
private func parenthesized(_ text: String, before label: String = "") -> String {
  text.isEmpty ? "" : " (\(label)\(text))"
}
