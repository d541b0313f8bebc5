package import CommandLine
package import CommandShell
package import FleetEngineAPI
import WireGRPC
import WireSystem

package enum NameOperands {
  /// The forms of names without the provider, for help.
  package static let shortForms =
    ResourceKind.allCases.map(\.shortForm).joined(conjunction: "or")

  /// The help text about NAME, for commands that take one name.
  package static let nameHelp =
    "NAME is providers/PROJECT/ followed by \(shortForms). With --provider, providers/PROJECT/ may be"
    + " omitted, and so may trips/."

  /// The help text about NAME - and @FILE, for commands that take several names.
  package static let inputHelp =
    "NAME - reads one name per line from stdin, as 'tripwire search -o name' prints them, and @FILE from"
    + " a file."

  /// Returns the resources that a command line names, in its order and without repetitions.
  package static func names(
    _ line: ParsedCommandLine, _ provider: ProviderOption, of command: String
  ) throws(UsageError) -> [ResourceName] {
    guard !line.operands.isEmpty else {
      throw UsageError(
        message: "NAME is missing",
        hint: "pass a trip: tripwire \(command) providers/my-project/trips/t1")
    }
    let files = line.operands.compactMap(file)
    if let error = UsageError.invalidFiles(files) { throw error }
    if let error = ResourceKind.separated(line.operands, provider, in: command) { throw error }
    var names: [ResourceName] = []
    var known: Set<ResourceName> = []
    for operand in line.operands {
      let found =
        if let file = file(operand) {
          try self.names(in: file, operand, provider)
        } else {
          [try resourceName(operand, provider)]
        }
      for name in found where known.insert(name).inserted { names.append(name) }
    }
    return names
  }

  /// Whether operands name standard input.
  package static func readInput(_ operands: [String]) -> Bool {
    operands.contains { file($0) == input }
  }

  /// The path for standard input.
  private static let input = "-"
  /// The largest size of the names in bytes.
  private static let inputLimit = 16 << 20
  private static let inputHint =
    "pass one name per line, as 'tripwire search trips -o name' prints them"

  /// The file with names that an operand stands for, as for curl: @FILE, or - for standard input. Nil for a name.
  private static func file(_ operand: String) -> String? {
    operand.hasPrefix("@") ? String(operand.dropFirst()) : operand == input ? input : nil
  }

  private static func names(
    in file: String, _ operand: String, _ provider: ProviderOption
  ) throws(UsageError) -> [ResourceName] {
    let place = "NAME \(shown(operand)): \(LocalFile.name(of: file))"
    let lines: [InputLine]
    do throws(FileReadError) {
      lines = try InputLine.lines(of: file, limit: inputLimit)
    } catch {
      throw UsageError(
        message: escaped("\(place): \(error)"),
        hint: ErrorReport.hint(for: error, file == input ? "stdin" : "NAME @FILE"))
    }
    guard !lines.isEmpty else {
      throw UsageError(
        message: "\(place) has no names",
        hint: file == input
          ? "check that the command before the pipe prints names"
          : "write one name per line to the file")
    }
    return try lines.map { (line) throws(UsageError) in
      do throws(UsageError) {
        return try resourceName(line.text, provider)
      } catch {
        throw UsageError(
          message: "\(line.place): \(error.message)", excerpt: error.excerpt, hint: inputHint)
      }
    }
  }
}

/// Returns the name in an operand, completed with the provider. The error marks the mistake in it.
///
/// - Parameter kinds: the allowed kinds, at least one.
package func resourceName(
  _ operand: String, _ provider: ProviderOption, _ kinds: [ResourceKind] = ResourceKind.allCases
) throws(UsageError) -> ResourceName {
  let text = provider.fullName(operand)
  guard !text.isEmpty else { throw UsageError(message: "NAME: the name is empty") }
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
    return try ResourceName(text, kinds)
  } catch {
    let isShort = provider.id != nil && !text.hasPrefix("providers/")
    let reason = isShort ? "expected \(forms(of: kinds))" : error.reason
    throw UsageError(
      message: "NAME: \(escaped(reason))", excerpt: error.excerpt,
      hint: wholeName(text) ?? correctedName(text, kinds))
  }
}

/// Returns "TRIP, trips/TRIP or a full name such as providers/PROJECT/trips/TRIP".
private func forms(of kinds: [ResourceKind]) -> String {
  let ids = kinds.contains(.trip) ? ["TRIP"] : []
  let names = kinds.prefix(1).map { "a full name such as \($0.form)" }
  return (ids + kinds.map(\.shortForm) + names).joined(conjunction: "or")
}

extension ResourceNameError {
  /// Two lines: the name, and carets below the mistake. Of a very long name, only the part around its start.
  fileprivate var excerpt: [String] {
    let first = max(0, range.lowerBound - longestShownArgument / 2)
    let text = (first > 0 ? "…" : "") + shown(String(name.dropFirst(first)))
    let before =
      escaped(String(name.dropFirst(first).prefix(range.lowerBound - first))).count
      + (first > 0 ? 1 : 0)
    let wrong = escaped(String(name.dropFirst(range.lowerBound).prefix(range.count))).count
    return [
      text,
      String(repeating: " ", count: before)
        + String(repeating: "^", count: max(1, min(wrong, text.count - before))),
    ]
  }
}

/// Returns the hint for a name that starts with its collection, is only an ID, or is HOST:PORT; nil for any
/// other.
private func wholeName(_ text: String) -> String? {
  if (try? HostAndPort(text))?.port != nil { return UsageError.hint(forServer: text) }
  let name = ProviderOption(id: "PROJECT").fullName(text)
  guard name != text, !text.hasSuffix("/"), text != "providers" else { return nil }
  return "add --provider PROJECT, or use the full name \(shown(name))"
}

/// Returns the hint for a name with a misspelled collection, "providers/p/trip/t1" or "trip/t1"; nil for any
/// other.
private func correctedName(_ text: String, _ kinds: [ResourceKind]) -> String? {
  var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  guard parts.count == 2 || parts.count == 4,
    let collection = nearest(to: parts[parts.count - 2], among: kinds.map(\.rawValue))
  else { return nil }
  parts[parts.count - 2] = collection
  let name = parts.joined(separator: "/")
  let whole = ProviderOption(id: "p").fullName(name)
  return (try? ResourceName(whole, kinds)).map { _ in "did you mean \(shown(name))?" }
}
