extension Printer {
  /// Prints the calls of one of Tripwire's services, and the name of the resource in each request, by which the
  /// token is chosen. All methods are unary.
  mutating func printCalls(_ model: ServiceModel) {
    let name = model.protoName + "Protocol"
    printProtocol(name, of: model, replacing: "``\(model.protoName)``")
    line()
    block("extension \(model.protoName): \(name) {") { p in
      for method in model.methods {
        p.docs(method.docs)
        p.printClientMethod(method, of: model, by: "client.call")
        p.line()
      }
      p.line("/// All methods of the service.")
      p.array(
        "package static let methods: [FleetMethod] = ",
        model.methods.map { "FleetMethod(\(model.name).\($0.name))" })
    }
    for method in model.methods {
      line()
      block("extension \(method.request): AuthorizedRequest {") { p in
        let name = method.routing.map { String($0.expression.dropFirst("$0.".count)) }
        p.braced("package var resourceName: String", name ?? "\"\"")
      }
    }
    line()
  }
}
