import WireGRPC

/// The call that answers a request, and the reason.
struct Match {
  enum Basis {
    /// The call is for the same request, apart from header and version stamps.
    case request
    /// The call of the script is for this resource.
    case resource(String)
    /// The call of the script is for any request of the method.
    case anything
  }

  let selection: ResponseSequence.Selection
  let basis: Basis
  let isScript: Bool

  var response: TimedResponse { selection.response }

  /// `call 3, response 2 of 5, same request except header`, with numbers from 1.
  ///
  /// - Parameter path: the path of the method.
  func description(_ requests: [[UInt8]], to path: String) -> String {
    let place = selection.count > 1 ? ", response \(selection.number) of \(selection.count)" : ""
    return
      "\(isScript ? "scripted call" : "call") \(selection.entry.call)\(place), \(reason(requests, path))"
  }

  private func reason(_ requests: [[UInt8]], _ path: String) -> String {
    switch basis {
    case .resource(let name): return "resource \(name.shortened(to: 64))"
    case .anything: return "any request"
    case .request:
      guard requests != selection.entry.requests, let request = requests.first,
        let recorded = selection.entry.requests.first
      else { return "same request" }
      let names = RequestReader.all[path]?.changes(recorded, request) ?? []
      return "same request"
        + (names.isEmpty ? " with another encoding" : " except \(names.joined(separator: ", "))")
    }
  }
}
