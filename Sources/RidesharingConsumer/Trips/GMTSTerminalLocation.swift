import Tripwire

/// Where a rider is picked up or dropped off, or the trip stops in between.
public final class GMTSTerminalLocation: GMTCImmutableData, @unchecked Sendable {
  private struct Content: Hashable, Sendable {
    var point: LatLng?
    var label: String?
    var description: String?
    var placeID: String?
    var generatedID: String?
    var accessPointID: String?
  }

  private let content: Content

  public var point: GMTSLatLng? { content.point.map(GMTSLatLng.init) }
  /// The server sends none: only what ``init(point:label:description:placeID:generatedID:accessPointID:)``
  /// was given.
  public var terminalLocationLabel: String? { content.label }
  /// The server sends none, see ``terminalLocationLabel``.
  public var terminalLocationDescription: String? { content.description }
  public var placeID: String? { content.placeID }
  public var generatedID: String? { content.generatedID }
  public var accessPointID: String? { content.accessPointID }

  public init(
    point: GMTSLatLng?, label: String?, description: String?, placeID: String?,
    generatedID: String?, accessPointID: String?
  ) {
    content = Content(
      point: point?.point, label: label, description: description, placeID: placeID,
      generatedID: generatedID, accessPointID: accessPointID)
    super.init(content: content)
  }

  init(_ location: TerminalLocation) {
    var content = Content(point: location.point)
    switch location.terminalPointId?.id {
    case .placeId(let id): content.placeID = id
    case .generatedId(let id): content.generatedID = id
    case nil: break
    }
    if !location.accessPointId.isEmpty { content.accessPointID = location.accessPointId }
    self.content = content
    super.init(content: content)
  }

  /// The same as the API has it, without what that has no field for.
  var location: TerminalLocation {
    var location = TerminalLocation()
    location.point = content.point
    if let id = content.placeID {
      location.terminalPointId = TerminalPointId()
      location.terminalPointId?.id = .placeId(id)
    } else if let id = content.generatedID {
      location.terminalPointId = TerminalPointId()
      location.terminalPointId?.id = .generatedId(id)
    }
    location.accessPointId = content.accessPointID ?? ""
    return location
  }
}
