package import CommandLine
package import CommandShell
package import FleetEngineAPI
import WireGRPC
import WireSystem

package enum NameOperands {
  /// For the help of each command that takes these names.
  package static let inputHelp =
    "NAME - reads one name per line from stdin, as 'tripwire search -o name' prints them."

  /// Returns the resources that a command line names, in its order and without repetitions.
  package static func names(
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
  package static let input = "-"
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

/// Returns the name in an operand, completed with the provider. The error marks the mistake in it.
package func resourceName<Name>(
  _ operand: String, _ provider: ProviderOption,
  _ parse: (String) throws(ResourceNameError) -> Name
) throws(UsageError) -> Name {
  let text = provider.fullName(operand)
  // U+FFFD replaces bytes that are not UTF-8.
  guard !text.unicodeScalars.contains("\u{FFFD}") else {
    throw UsageError(message: "NAME: the name is not UTF-8")
  }
  if let kind = ResourceKind(rawValue: operand) {
    throw UsageError(
      message: "NAME: the ID is missing after \(operand)",
      hint: "pass \(operand)/ID"
        + (kind.collection.map { ", or list them: tripwire search \($0)" } ?? ""))
  }
  do throws(ResourceNameError) {
    return try parse(text)
  } catch {
    let before = escaped(String(error.name.prefix(error.range.lowerBound))).count
    let wrong = escaped(
      String(error.name.dropFirst(error.range.lowerBound).prefix(error.range.count)))
    let isShort = provider.id != nil && !text.hasPrefix("providers/")
    let others =
      Name.self == ResourceName.self
      ? ", vehicles/VEHICLE, tasks/TASK, deliveryVehicles/VEHICLE, taskTrackingInfo/TRACKING_ID"
      : ""
    let reason =
      text.isEmpty
      ? "the name is empty"
      : isShort
        ? "expected TRIP, trips/TRIP\(others) or a full name such as providers/PROJECT/trips/TRIP"
        : error.reason
    throw UsageError(
      message: "NAME: \(escaped(reason))",
      excerpt: text.isEmpty
        ? []
        : [
          escaped(error.name),
          String(repeating: " ", count: before)
            + String(repeating: "^", count: max(1, wrong.count)),
        ], hint: wholeName(text) ?? correctedName(text, parse))
  }
}

/// Returns the hint for a name that starts with its collection, is only an ID, or is HOST:PORT; nil for any
/// other.
private func wholeName(_ text: String) -> String? {
  if (try? HostAndPort(text))?.port != nil { return UsageError.hint(forServer: text) }
  let name = ProviderOption(id: "PROJECT").fullName(text)
  guard name != text, !text.hasSuffix("/"), text != "providers" else { return nil }
  return "add --provider PROJECT, or use the full name \(escaped(name))"
}

/// Returns the hint for a name with a misspelled collection, "providers/p/trip/t1" or "trip/t1"; nil for any
/// other.
private func correctedName<Name>(
  _ text: String, _ parse: (String) throws(ResourceNameError) -> Name
) -> String? {
  var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  guard parts.count == 2 || parts.count == 4,
    let collection = nearest(
      to: parts[parts.count - 2], among: ResourceKind.allCases.map(\.rawValue))
  else { return nil }
  parts[parts.count - 2] = collection
  let name = parts.joined(separator: "/")
  let whole = ProviderOption(id: "p").fullName(name)
  return (try? parse(whole)).map { _ in "did you mean \(escaped(name))?" }
}
