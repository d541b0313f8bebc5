extension ServerOptions {
  /// Takes the server from the first operand if it contains a colon, which no name of a method or type
  /// does: `HOST:PORT`, as grpcurl takes it.
  ///
  /// - Returns: the other operands.
  mutating func takeServer(from operands: [String]) throws(UsageError) -> [String] {
    guard let operand = operands.first, operand.contains(":"), !operand.contains(where: \.isJSON)
    else { return operands }
    if connection.endpointSource == .option {
      throw .conflict(escaped(operand), "--endpoint")
    }
    if connection.replay != nil { throw .conflict(escaped(operand), "--replay") }
    do throws(BadValue) {
      connection.endpoint = try Parse.endpoint(operand)
    } catch {
      let shown = error.mayBeShown ? escaped(operand) : error.shownPart ?? "…"
      throw UsageError(message: "\(shown): \(error.reason)", hint: error.hint)
    }
    connection.isFromEnvironment = false
    if let contradiction { throw contradiction }
    return Array(operands.dropFirst())
  }
}

extension Character {
  /// Whether JSON has this character, and neither a server nor a name does, apart from an IPv6 address.
  fileprivate var isJSON: Bool { "{}\" ".contains(self) }
}
