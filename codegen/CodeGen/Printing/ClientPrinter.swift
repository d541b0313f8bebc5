extension Printer {
  /// Prints a type with a method for each method of a service.
  mutating func printClient(_ model: ServiceModel) {
    docs(["Calls `\(model.fullName)`."] + (model.docs.isEmpty ? [] : [""] + model.docs))
    block("\(typeAccess)struct \(model.clientName): Sendable {") { p in
      p.line("\(p.access)let channel: Channel")
      p.line()
      p.block("\(p.access)init(_ channel: Channel) {") { $0.line("self.channel = channel") }
      for method in model.methods {
        p.line()
        p.docs(method.docs)
        p.printClientMethod(method, of: model, by: "channel.\(method.kind)")
      }
    }
  }

  /// - Parameter function: makes the call.
  mutating func printClientMethod(
    _ method: ServiceModel.Method, of service: ServiceModel, by function: String
  ) {
    // An actor may await a call, and pass it a body that uses its own state.
    let waits = "nonisolated(nonsending) "
    let options = "options: CallOptions = CallOptions()"
    let response = "CallResponse<\(method.response)>"
    let (isolation, parameters, result, call) =
      switch method.kind {
      case .unary:
        (
          waits, "_ request: \(method.request), \(options)",
          "async throws(CallError) -> \(response)",
          ("try await ", "request, options: options)")
        )
      case .serverStreaming:
        (
          "", "_ request: \(method.request), \(options)", "-> ResponseStream<\(method.response)>",
          ("", "request, options: options)")
        )
      case .clientStreaming:
        (
          waits, options + ",", "async throws(CallError) -> \(response)",
          ("try await ", "options: options, body)")
        )
      case .bidirectional:
        (
          "", options, "-> BidirectionalCall<\(method.request), \(method.response)>",
          ("", "options: options)")
        )
      }
    block("\(access)\(isolation)func \(method.name)(", nil) { p in
      p.line(parameters)
      guard method.kind == .clientStreaming else { return }
      let body = "\(waits)(RequestWriter<\(method.request)>) async throws -> Void"
      if p.fits("_ body: " + body) { return p.line("_ body: " + body) }
      p.block("_ body:", nil) { $0.line(body) }
    }
    block(") \(result) {") { p in
      p.call(
        call.0 + function + "(", ["\(service.name).\(method.name)", call.1], "")
    }
  }
}
