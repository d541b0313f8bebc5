package import Tripwire
import WireProtobuf

/// A resource in binary form. A worker encodes each response once, for the message and for the changed fields.
package struct EncodedResource: Sendable {
  private let field: Int
  private let fields: FieldTable
  private let bytes: [UInt8]
  package let isFinal: Bool

  package init(_ resource: some FleetMessage) {
    field = type(of: resource).kind.stateField
    fields = type(of: resource).fields
    bytes = resource.serializedBytes()
    isFinal = resource.isFinal
  }

  /// Returns the fields that differ from an older state of the resource; nil means one without fields.
  func changes(since old: EncodedResource?) -> FieldMask {
    FieldMask(changesFrom: old?.bytes ?? [], to: bytes, in: fields)
  }

  /// Returns a state with this resource in binary form.
  ///
  /// - Parameter state: without a resource.
  package func serializedBytes(in state: ResourceState) -> [UInt8] {
    var message = state.serializedBytes()
    message.append(field, message: bytes)
    return message
  }
}
