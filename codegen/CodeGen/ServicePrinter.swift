extension Printer {
  mutating func printService(_ model: ServiceModel) {
    docs(model.docs)
    block("\(access)enum \(model.name) {") { p in
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
    if let routing = method.routing {
      arguments.append(
        "routing: RoutingRule(field: \"\(routing.field)\", template: \"\(routing.template)\") "
          + "{ \(routing.expression) }")
    }
    if let timeout = method.config.timeout { arguments.append("timeout: \(timeout.expression)") }
    if let retry = method.config.retryPolicy {
      arguments.append("retryPolicy: \(retry.expression)")
    }
    line("\(access)static let \(method.name) = \(type)(")
    for argument in arguments.dropLast() { line("  " + argument + ",") }
    line("  " + (arguments.last ?? "") + ")")
  }
}
