import WireGRPC

/// A short list of what a recording or a script holds, for whoever asks for something else.
struct Contents {
  private struct Method {
    var calls = 0
    /// In the order recorded, each once.
    var resources: [String] = []
    var known: Set<String> = []
  }

  /// As people call what holds it.
  private let source: String
  /// In the order recorded.
  private var paths: [String] = []
  private var methods: [String: Method] = [:]

  init(of source: String = "recording") { self.source = source }

  mutating func add(_ path: String, _ resource: String?) {
    if methods[path] == nil { paths.append(path) }
    methods[path, default: Method()].calls += 1
    guard let resource, methods[path]?.known.insert(resource).inserted == true else { return }
    methods[path]?.resources.append(resource)
  }

  var methodCount: Int { paths.count }

  func has(method path: String) -> Bool { methods[path] != nil }

  /// UNIMPLEMENTED for a method that was never recorded, NOT_FOUND for a request.
  func refusal(_ path: String, _ resource: String?) -> Refusal {
    guard let method = methods[path] else {
      return Refusal(
        .unimplemented,
        "\(path.shortened(to: 64)) is not in this \(source), which has \(list(paths))")
    }
    guard let resource, !resource.isEmpty else {
      let others = method.calls == 1 ? "other" : "others"
      return Refusal(
        .notFound,
        "this request is not in the \(source), which has \(method.calls) \(others) of \(path)")
    }
    return Refusal(
      .notFound,
      "\(resource.shortened(to: 64)) is not in this \(source), which has \(list(method.resources))")
  }

  /// At most a status message's worth: clients bound their headers to 8 KiB.
  private func list(_ names: [String]) -> String {
    let shown = names.prefix(8).map { $0.shortened(to: 64) }.joined(separator: ", ")
    return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
  }
}
