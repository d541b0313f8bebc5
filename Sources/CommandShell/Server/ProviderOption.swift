package import CommandLine
import FleetEngineAPI

package struct ProviderOption: Sendable {
  /// The ID of the Cloud project.
  package var id: String?

  package init(id: String? = nil) {
    self.id = id
  }

  /// Returns the full name for `t1`, `trips/t1`, `tasks/t1` and so on. Returns any other text, and any text
  /// without a provider, unchanged.
  package func fullName(_ text: String) -> String {
    guard let id else { return text }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 1 where !text.isEmpty: return "providers/\(id)/trips/\(text)"
    case 2 where ResourceKind(rawValue: String(parts[0])) != nil: return "providers/\(id)/\(text)"
    default: return text
    }
  }

  package static let all: [Option<ProviderOption>] = [
    .value(
      "provider", "ID", environment: "TRIPWIRE_PROVIDER", .common,
      "complete names with this provider, a Cloud project\nWith --provider p, NAME may be t1 or trips/t1"
        + " for providers/p/trips/t1, and vehicles/v1 for providers/p/vehicles/v1. A full name keeps its own"
        + " provider.",
      parse: Parse.providerID, store: { $0.id = $1 }
    ).inProfiles()
  ]
}

extension Parse {
  package static func providerID(_ text: String) throws(InvalidValue) -> String {
    guard !text.isEmpty else { throw InvalidValue("expected the ID of a Cloud project") }
    let hint = text.hasPrefix("providers/") ? "leave out \"providers/\"" : nil
    guard !text.utf8.contains(UInt8(ascii: "/")) else {
      throw InvalidValue("a project ID must not contain a \"/\"", hint: hint)
    }
    do throws(ResourceNameError) {
      return try TripName(providerID: text, tripID: "t").providerID
    } catch {
      throw InvalidValue(error.reason)
    }
  }
}
