import FleetEngineAPI
import WireGRPC
import WireProtobuf

/// The invalid fields of a request. One error reports the first 20.
struct Violations {
  private static let most = 20

  private var found: [BadRequest.FieldViolation] = []

  mutating func add(_ field: String, _ description: String) {
    // Clients accept some kilobytes of trailers.
    guard found.count < Self.most else { return }
    found.append(
      BadRequest.FieldViolation(
        field: field.shortened(to: EngineError.longestText),
        description: description.shortened(to: EngineError.longestText)))
  }

  /// Adds a violation unless a condition holds.
  mutating func require(
    _ condition: Bool, _ field: String, _ description: @autoclosure () -> String = "is required"
  ) {
    if !condition { add(field, description()) }
  }

  /// Adds a violation for a place that is not on the globe.
  mutating func requirePlace(_ place: LatLng?, _ field: String) {
    require(place?.isOnGlobe ?? true, field, "is not on the globe")
  }

  /// Adds a violation unless the parent is `providers/{provider}`.
  mutating func requireParent(_ parent: String, _ field: String = "parent") {
    require(
      ProviderName(parent) != nil, field,
      "is \(parent.quotedForDisplay), and must have the form providers/{provider}")
  }

  /// Adds a violation unless an ID follows the rules (Fleet Engine reference, `trip_id`).
  mutating func requireID(_ id: String, of kind: ResourceKind, _ field: String) {
    guard !id.isEmpty else { return add(field, "is required") }
    do throws(ResourceNameError) {
      _ = try ResourceName("providers/p/\(kind.rawValue)/\(id)", [kind])
    } catch {
      add(field, "is invalid: \(error.reason)")
    }
  }

  func check() throws(EngineError) {
    if !found.isEmpty { throw error }
  }

  var error: EngineError {
    EngineError(
      .invalidArgument,
      found.map { "\($0.field) \($0.description)" }.joined(separator: "; "),
      details: [AnyMessage(packing: BadRequest(fieldViolations: found))])
  }
}
