import Tripwire
import WireSystem

extension FollowRequest {
  /// For the help of each command that takes these names.
  static let namesFromInput =
    "NAME - reads one name per line from stdin, as 'tripwire search -o name' prints them."

  /// Returns the resources that a command line names, if the options apply to them.
  static func names(
    _ line: ParsedCommandLine, _ options: FollowOptions, of command: String
  ) throws(UsageError) -> [ResourceName] {
    if line.operands.contains(input), options.server.token.source?.isStandardInput == true {
      throw UsageError(
        message: "NAME - cannot read stdin: the token is read from it",
        hint: "write the token to a file, and pass it with --token-file FILE")
    }
    let names = try names(line, options.provider, of: command)
    if let error = options.contradiction(Set(names.map(\.kind))) { throw error }
    return names
  }

  /// Returns the resources that a command line names, in its order and without repetitions.
  static func names(
    _ line: ParsedCommandLine, _ provider: ProviderOption, of command: String
  ) throws(UsageError) -> [ResourceName] {
    guard !line.operands.isEmpty else {
      throw UsageError(
        message: "NAME is missing",
        hint: "pass a trip: tripwire \(command) providers/my-project/trips/t1")
    }
    if let error = UsageError.invalidInput(of: line.operands) { throw error }
    if let error = ResourceKind.separated(line.operands, provider, in: command) { throw error }
    var names: [ResourceName] = []
    var known: Set<ResourceName> = []
    for operand in line.operands {
      let found =
        operand == input
        ? try namesOnInput(provider)
        : [try resourceName(operand, provider, ResourceName.init)]
      for name in found where known.insert(name).inserted { names.append(name) }
    }
    return names
  }

  /// The operand for standard input.
  private static let input = "-"
  /// The largest size of the names in bytes.
  private static let inputLimit = 16 << 20
  private static let inputHint =
    "pass one name per line: tripwire search trips -o name | tripwire follow -"

  private static func namesOnInput(
    _ provider: ProviderOption
  ) throws(UsageError) -> [ResourceName] {
    let lines: [InputLine]
    do throws(FileReadError) {
      lines = try InputLine.lines(of: input, limit: inputLimit)
    } catch {
      throw UsageError(
        message: "NAME -: stdin: \(error)", hint: ErrorReport.hint(for: error, "stdin"))
    }
    guard !lines.isEmpty else {
      throw UsageError(
        message: "NAME -: stdin has no names",
        hint: "check that the command before the pipe prints names")
    }
    return try lines.map { (line) throws(UsageError) in
      do throws(UsageError) {
        return try resourceName(line.text, provider, ResourceName.init)
      } catch {
        throw UsageError(
          message: "\(line.place): \(error.message)", excerpt: error.excerpt, hint: inputHint)
      }
    }
  }
}
