import Tripwire

/// The location of a pickup, a drop-off or an intermediate destination.
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

  /// The position on the globe; nil if the server sent none.
  public var point: GMTSLatLng? { content.point.map(GMTSLatLng.init) }
  /// Not sent by the server: only set by
  /// ``init(point:label:description:placeID:generatedID:accessPointID:)``.
  public var terminalLocationLabel: String? { content.label }
  /// Not sent by the server, see ``terminalLocationLabel``.
  public var terminalLocationDescription: String? { content.description }
  /// The ID of the place in Google Maps.
  public var placeID: String? { content.placeID }
  /// The ID that the server generated for the place.
  public var generatedID: String? { content.generatedID }
  /// The ID of the access point of the place.
  public var accessPointID: String? { content.accessPointID }

  /// Creates a location. See the properties.
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

  /// The location as the API's type, without the fields that it lacks.
  var location: TerminalLocation {
    var location = TerminalLocation(point: content.point)
    if let id = content.placeID {
      location.terminalPointId = TerminalPointId(id: .placeId(id))
    } else if let id = content.generatedID {
      location.terminalPointId = TerminalPointId(id: .generatedId(id))
    }
    location.accessPointId = content.accessPointID ?? ""
    return location
  }
}
