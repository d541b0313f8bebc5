extension Printer {
  /// Prints a protocol with the methods of a service, and a type that calls them.
  mutating func printClient(_ model: ServiceModel) {
    printProtocol(model.protocolName, of: model, replacing: "the client")
    line()
    docs(["Calls `\(model.fullName)`."] + (model.docs.isEmpty ? [] : [""] + model.docs))
    block("\(typeAccess)struct \(model.clientName): \(model.protocolName) {") { p in
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

  /// Prints a protocol with the methods of a service.
  ///
  /// - Parameter client: that of the service, for the comment.
  mutating func printProtocol(
    _ name: String, of model: ServiceModel, replacing client: String
  ) {
    docs(["The methods of `\(model.fullName)`, which a test can implement in place of \(client)."])
    block("\(typeAccess)protocol \(name): Sendable {") { p in
      for (index, method) in model.methods.enumerated() {
        if index > 0 { p.line() }
        p.docs(method.docs)
        p.line(p.printOpening(of: method, access: "", options: "options: CallOptions"))
      }
    }
    line()
    // A requirement has no default argument. A test needs only the methods that it calls.
    block("nonisolated extension \(name) {") { p in
      for (index, method) in model.methods.enumerated() {
        if index > 0 { p.line() }
        p.block(p.printOpening(of: method, access: p.access, options: nil) + " {") { p in
          p.call(
            method.callEffects + method.name + "(",
            method.arguments(options: "options: CallOptions()"))
        }
        p.line()
        p.printDefault(method, of: model)
      }
    }
  }

  /// Prints a method that fails.
  private mutating func printDefault(_ method: ServiceModel.Method, of service: ServiceModel) {
    let error = "\(service.name).\(method.name).unimplemented"
    block(printOpening(of: method, access: access, options: "options: CallOptions") + " {") { p in
      switch method.kind {
      case .unary, .clientStreaming: p.line("throw \(error)")
      case .serverStreaming: p.line("ResponseStream([], failure: \(error))")
      case .bidirectional: p.line("BidirectionalCall(failure: \(error))")
      }
    }
  }

  /// - Parameter function: makes the call.
  mutating func printClientMethod(
    _ method: ServiceModel.Method, of service: ServiceModel, by function: String
  ) {
    let options = "options: CallOptions = CallOptions()"
    block(printOpening(of: method, access: access, options: options) + " {") { p in
      p.call(
        method.callEffects + function + "(",
        ["\(service.name).\(method.name)"] + method.arguments(options: "options: options"))
    }
  }

  /// Prints the declaration of a method up to its last parameter, and returns the rest.
  ///
  /// - Parameter options: the parameter of the options; nil for none.
  private mutating func printOpening(
    of method: ServiceModel.Method, access: String, options: String?
  ) -> String {
    // An actor may await a call, and pass it a body that uses its own state.
    let waits = "nonisolated(nonsending) "
    var parameters = [options].compactMap(\.self)
    if method.sendsOne { parameters.insert("_ request: \(method.request)", at: 0) }
    let body = "_ body: \(waits)(RequestWriter<\(method.request)>) async throws -> Void"
    let (isolation, result) =
      switch method.kind {
      case .unary, .clientStreaming:
        (waits, "async throws(CallError) -> CallResponse<\(method.response)>")
      case .serverStreaming: ("", "-> ResponseStream<\(method.response)>")
      case .bidirectional: ("", "-> BidirectionalCall<\(method.request), \(method.response)>")
      }
    let opening = "\(access)\(isolation)func \(method.name)("
    if parameters.isEmpty, method.kind != .clientStreaming { return "\(opening)) \(result)" }
    block(opening, nil) { p in
      guard method.kind == .clientStreaming else {
        return p.line(parameters.joined(separator: ", "))
      }
      for parameter in parameters { p.line(parameter + ",") }
      if p.fits(body) { return p.line(body) }
      p.block("_ body:", nil) { $0.line(String(body.dropFirst("_ body: ".count))) }
    }
    return ") \(result)"
  }
}

extension ServiceModel.Method {
  /// Whether the request is one message.
  fileprivate var sendsOne: Bool { kind == .unary || kind == .serverStreaming }

  /// The keywords before a call that waits for the response.
  fileprivate var callEffects: String {
    kind == .unary || kind == .clientStreaming ? "try await " : ""
  }

  /// The arguments of a call with the parameters of the method.
  fileprivate func arguments(options: String) -> [String] {
    (sendsOne ? ["request"] : []) + [options] + (kind == .clientStreaming ? ["body"] : [])
  }
}
