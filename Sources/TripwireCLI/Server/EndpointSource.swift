/// The source of the address that a command calls.
enum EndpointSource: Sendable {
  /// --endpoint.
  case option
  /// TRIPWIRE_ENDPOINT.
  case variable
  /// Fleet Engine's own address.
  case standard
  /// A server in this process, for --replay.
  case replay

  static let variableName = "TRIPWIRE_ENDPOINT"

  /// Whether the user chose the address.
  var isChosen: Bool { self == .option || self == .variable }

  /// The option or the variable to change the address with.
  var option: String { self == .variable ? Self.variableName : "--endpoint" }
}
