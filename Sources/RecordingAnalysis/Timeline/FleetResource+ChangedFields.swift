package import Tripwire
import WireProtobuf

extension FleetResource {
  /// Returns the JSON names of the fields that differ from those of an older state.
  ///
  /// - Parameter old: of the same kind; nil if there is none.
  package func changedFields(since old: FleetResource?) -> [String] {
    switch self {
    case .trip(let new): ChangedFields.names(from: old?.trip ?? Trip(), to: new)
    case .vehicle(let new): Self.fields(from: old, to: new)
    case .deliveryVehicle(let new): Self.fields(from: old, to: new)
    case .task(let new): Self.fields(from: old, to: new)
    case .taskTrackingInfo(let new): Self.fields(from: old, to: new)
    }
  }

  private static func fields<Resource: FleetMessage>(
    from old: FleetResource?, to new: Resource
  ) -> [String] where Resource.Changes == FieldMask {
    Resource.changes(from: old?.message as? Resource ?? Resource(), to: new).jsonNames
  }
}

extension FieldMask {
  /// The paths in lowerCamelCase.
  fileprivate var jsonNames: [String] {
    let text = (try? jsonString()) ?? ""
    return text.dropFirst().dropLast().split(separator: ",").map(String.init)
  }
}
