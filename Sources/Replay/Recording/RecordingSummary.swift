import Recording
import WireGRPC
import WireGRPCServer
import WireHTTP2

/// A summary of a recording or a script, which explains why it has no answer to a request.
struct RecordingSummary {
  enum Source: String {
    case recording, script
  }

  private struct Method {
    var calls = 0
    /// In the order recorded, each once, without those that were recorded only as NOT_FOUND.
    var resources: [String] = []
    var found: Set<String> = []
    /// The forms of the first requests for each resource, each once.
    var requests: [String: [[UInt8]]] = [:]
  }

  /// The maximum number of requests for a resource with which a request is compared.
  private static let requestLimit = 32
  /// The maximum number of fields in a refusal.
  private static let differenceLimit = 3

  let source: Source
  /// In the order recorded.
  private(set) var paths: [String] = []
  private var methods: [String: Method] = [:]

  init(of source: Source = .recording) { self.source = source }

  /// - Parameters:
  ///   - resource: nil for a method whose requests name no known resource.
  ///   - request: its ``RequestForm/canonical``; nil if any request for the resource matches.
  ///   - isFound: whether the call did not end with NOT_FOUND.
  mutating func add(
    _ path: String, _ resource: String?, request: [UInt8]? = nil, isFound: Bool = true
  ) {
    if methods[path] == nil { paths.append(path) }
    methods[path, default: Method()].calls += 1
    guard let resource else { return }
    if isFound, !resource.isEmpty, methods[path]?.found.insert(resource).inserted == true {
      methods[path]?.resources.append(resource)
    }
    var requests = methods[path]?.requests.removeValue(forKey: resource)
    if let request, requests?.count ?? 0 < Self.requestLimit, requests?.contains(request) != true {
      requests = (requests ?? []) + [request]
    }
    methods[path]?.requests[resource] = requests ?? []
  }

  func has(method path: String) -> Bool { methods[path] != nil }

  /// UNIMPLEMENTED for a method that was never recorded, NOT_FOUND for a request.
  func refusal(_ path: String, _ resource: String?, request: [UInt8]? = nil) -> Refusal {
    guard let method = methods[path] else {
      return Refusal(
        .unimplemented,
        "\(path.shortened(to: 64)) is not in this \(source), which has \(list(paths))",
        cause: ReplayMiss.method.field)
    }
    if let resource, let request, let others = method.requests[resource], !others.isEmpty {
      return Refusal(
        .notFound, text(request, others, path, resource), cause: ReplayMiss.request.field)
    }
    guard let resource, !resource.isEmpty else {
      let others = method.calls == 1 ? "other call" : "other calls"
      return Refusal(
        .notFound,
        "this request is not in this \(source), which has \(method.calls) \(others) of \(path)",
        cause: ReplayMiss.request.field)
    }
    let isProvider = resource.hasPrefix("providers/") && resource.split(separator: "/").count == 2
    let miss = isProvider ? ReplayMiss.provider : .resource
    return Refusal(
      .notFound,
      "\(resource.shortened(to: 64)) is not in this \(source), which has "
        + (method.resources.isEmpty ? "no resource for this method" : list(method.resources)),
      cause: miss.field)
  }

  /// Returns the differences between a request and others for the same resource.
  private func text(
    _ request: [UInt8], _ others: [[UInt8]], _ path: String, _ resource: String
  ) -> String {
    let differences = RequestReader.all[path]?.differences(request, others) ?? []
    var reasons = differences.prefix(Self.differenceLimit).map { $0.description("\(source)") }
    let more = differences.count - reasons.count
    if more > 0 { reasons.append("\(more) more \(more == 1 ? "field" : "fields")") }
    if reasons.isEmpty { reasons = ["unknown fields differ"] }
    let name = resource.isEmpty ? "" : " for \(resource.shortened(to: 64))"
    return "this request\(name) is not in this \(source): \(reasons.joined(separator: "; "))"
  }

  /// Short enough for a status message: clients limit their headers to 8 KiB.
  private func list(_ names: [String]) -> String {
    let shown = names.prefix(8).map { $0.shortened(to: 64) }.joined(separator: ", ")
    return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
  }
}

extension ReplayMiss {
  var field: HeaderField { HeaderField(Self.trailer, rawValue) }
}
