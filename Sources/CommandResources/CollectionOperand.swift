package import CommandLine
package import CommandShell
import Tripwire

/// Operands in the form of kubectl: the kind and the ID as two words, or a kind alone for a list.
extension ResourceKind {
  /// Finds the kind of "trip", "trips" or "delivery-vehicle".
  private init?(word: String) {
    let word = Self.singular(word)
    guard let kind = Self.allCases.first(where: { Self.singular($0.rawValue) == word }) else {
      return nil
    }
    self = kind
  }

  private static func singular(_ word: String) -> String {
    let letters = word.lowercased().filter { $0 != "-" }
    return letters.hasSuffix("s") ? String(letters.dropLast()) : letters
  }

  /// The operand of `tripwire search` that lists the resources; nil if the API has no list of them.
  package var collection: String? { hasList ? option + "s" : nil }

  /// Returns the error for operands such as `trip t1`, in place of `trips/t1`; nil for others.
  package static func separated(
    _ operands: [String], _ provider: ProviderOption, in command: String
  ) -> UsageError? {
    guard operands.count == 2, let kind = ResourceKind(word: operands[0]),
      !operands[1].contains(where: { "/=".contains($0) })
    else { return nil }
    let name = "\(kind.rawValue)/\(operands[1])" + (provider.id == nil ? " --provider PROJECT" : "")
    return UsageError(
      message: "NAME: \(escaped(operands[0])) and \(escaped(operands[1])) are two names",
      hint: "did you mean: tripwire \(command) \(escaped(name))")
  }
}
