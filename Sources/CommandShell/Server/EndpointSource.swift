/// The source of the address that a command calls.
package enum EndpointSource: Equatable, Sendable {
  /// --endpoint.
  case option
  /// The operand HOST:PORT.
  case operand
  /// TRIPWIRE_ENDPOINT.
  case variable
  /// The profile of this name.
  case profile(String)
  /// --connect-to, in place of the address of any other source.
  case connectTo
  /// Fleet Engine's own address.
  case standard
  /// A server in this process, for --replay.
  case replay

  static let variableName = "TRIPWIRE_ENDPOINT"

  /// Whether the user chose the address.
  var isChosen: Bool { self != .standard && self != .replay }

  /// Whether the command line does not name the server.
  package var isImplicit: Bool {
    switch self {
    case .variable, .profile: true
    case .option, .operand, .connectTo, .standard, .replay: false
    }
  }

  /// The option, operand, variable or profile to change the address with.
  package var option: String {
    switch self {
    case .variable: Self.variableName
    case .profile(let name): "the endpoint of profile \(name)"
    case .operand: "HOST:PORT"
    case .connectTo: "--connect-to"
    case .option, .standard, .replay: "--endpoint"
    }
  }
}
