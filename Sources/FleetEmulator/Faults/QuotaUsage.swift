import WireGRPC
import WireProtobuf

/// The calls of the present minute.
struct QuotaUsage: Sendable {
  private static let minute = Duration.seconds(60)

  private var begin: Timestamp?
  private var calls: Int32 = 0

  /// Counts a call. Returns when a retry may succeed if it exceeds the quota, otherwise nil.
  mutating func excess(of quota: Quota, at now: Timestamp) -> Duration? {
    if begin.map({ now - $0 >= Self.minute }) ?? true { (begin, calls) = (now, 0) }
    guard calls < quota.callsPerMinute else {
      return begin.map { Self.minute - (now - $0) } ?? Self.minute
    }
    calls += 1
    return nil
  }
}

extension Quota {
  private static let service = "fleetengine.googleapis.com"

  /// The error of a call that exceeds the quota, as Google's services word it.
  func status(retry delay: Duration, _ providerID: String) -> RPCStatus {
    let project = "project:\(providerID)"
    let message =
      "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute' of service"
      + " '\(Self.service)' for consumer '\(project)'."
    let info = ErrorInfo(
      reason: "RATE_LIMIT_EXCEEDED", domain: "googleapis.com",
      metadata: [
        "consumer": "projects/\(providerID)", "quota_limit": "RequestsPerMinutePerProject",
        "quota_limit_value": "\(callsPerMinute)", "quota_location": "global",
        "quota_metric": "\(Self.service)/requests", "quota_unit": "1/min/{project}",
        "service": Self.service,
      ])
    let failure = QuotaFailure(violations: [
      QuotaFailure.Violation(
        subject: project, description: message, apiService: Self.service,
        quotaMetric: "\(Self.service)/requests", quotaId: "RequestsPerMinutePerProject",
        quotaDimensions: ["location": "global"], quotaValue: Int64(callsPerMinute))
    ])
    let help = Help(links: [
      Help.Link(
        description: "Request a higher quota limit.",
        url: "https://cloud.google.com/docs/quotas/help/request_increase")
    ])
    return EngineError(
      .resourceExhausted, message,
      details: [
        AnyMessage(packing: info), AnyMessage(packing: failure),
        AnyMessage(packing: RetryInfo(retryDelay: WireDuration(delay))), AnyMessage(packing: help),
      ]
    ).status
  }
}
