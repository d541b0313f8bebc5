extension Printer {
  /// A type with a method for each of a service's.
  mutating func printClient(_ model: ServiceModel) {
    docs(["Calls `\(model.fullName)`."] + (model.docs.isEmpty ? [] : [""] + model.docs))
    block("\(access)struct \(model.clientName): Sendable {") { p in
      p.line("\(p.access)let channel: Channel")
      p.line()
      p.block("\(p.access)init(_ channel: Channel) {") { $0.line("self.channel = channel") }
      for method in model.methods {
        p.line()
        p.docs(method.docs)
        p.printClientMethod(method, of: model)
      }
    }
  }

  private mutating func printClientMethod(
    _ method: ServiceModel.Method, of service: ServiceModel
  ) {
    let options = "options: CallOptions = CallOptions()"
    let response = "CallResponse<\(method.response)>"
    let (parameters, result, call) =
      switch method.kind {
      case .unary:
        (
          "_ request: \(method.request), \(options)", "async throws(CallError) -> \(response)",
          ("try await ", "request, options: options)")
        )
      case .serverStreaming:
        (
          "_ request: \(method.request), \(options)", "-> ResponseStream<\(method.response)>",
          ("", "request, options: options)")
        )
      case .clientStreaming:
        (
          "\(options),\n_ body: (RequestWriter<\(method.request)>) async throws -> Void",
          "async throws(CallError) -> \(response)", ("try await ", "options: options, body)")
        )
      case .bidirectional:
        (
          options, "-> BidirectionalCall<\(method.request), \(method.response)>",
          ("", "options: options)")
        )
      }
    block("\(access)func \(method.name)(", nil) { p in
      for line in parameters.split(separator: "\n") { p.line(String(line)) }
    }
    block(") \(result) {") { p in
      p.call(
        call.0 + "channel.\(method.kind)(", ["\(service.name).\(method.name)", call.1], "")
    }
  }
}
