extension Printer {
  mutating func printService(_ model: ServiceModel) {
    docs(model.docs)
    block("\(typeAccess)enum \(model.name) {") { p in
      for (index, method) in model.methods.enumerated() {
        if index > 0 { p.line() }
        p.docs(method.docs)
        p.printMethod(method, of: model)
      }
    }
  }

  private mutating func printMethod(_ method: ServiceModel.Method, of service: ServiceModel) {
    let type = "MethodDescriptor<\(method.request), \(method.response)>"
    var arguments = ["service: \"\(service.fullName)\", method: \"\(method.protoName)\""]
    if method.kind != .unary { arguments.append("kind: .\(method.kind)") }
    if let routing = method.routing {
      arguments.append(
        "routing: RoutingRule(field: \"\(routing.field)\", template: "
          + Printer.quoted(routing.template) + ") { \(routing.expression) }")
    }
    if let timeout = method.config.timeout { arguments.append("timeout: \(timeout)") }
    if let retry = method.config.retryPolicy {
      let codes = retry.statusCodes.map { "." + $0 }.joined(separator: ", ")
      // One argument on three lines.
      arguments.append(
        "retryPolicy: RetryPolicy(\n"
          + "maxAttempts: \(retry.maxAttempts), initialBackoff: \(retry.initialBackoff), "
          + "maxBackoff: \(retry.maxBackoff),\n"
          + "backoffMultiplier: \(retry.backoffMultiplier), retryableStatusCodes: [\(codes)])")
    }
    let opening = "\(access)static let \(method.name) ="
    if opening.count + type.count < 97 {
      printArguments(opening + " " + type + "(", arguments)
    } else {
      block(opening, nil) { $0.printArguments(type + "(", arguments) }
    }
  }

  private mutating func printArguments(_ opening: String, _ arguments: [String]) {
    block(opening, nil) { p in
      for (index, argument) in arguments.enumerated() {
        let lines = (argument + (index == arguments.count - 1 ? ")" : ",")).split(separator: "\n")
        p.block(String(lines[0]), nil) { p in
          for line in lines.dropFirst() { p.line(String(line)) }
        }
      }
    }
  }
}
