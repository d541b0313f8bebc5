import DynamicProtobuf
import WireProtobuf

extension JSONDecodingError {
  /// Returns the type of the message that has the field at fault, or that does not have the unknown field.
  ///
  /// - Parameter type: the type of the whole JSON.
  func message(in type: MessageDescriptor, _ pool: DescriptorPool) -> MessageDescriptor {
    var steps = fieldPath.split(separator: ".").dropFirst()
    // The path of an unknown field ends with the message.
    if case .unknownField = reason {} else { steps = steps.dropLast() }
    var message = type
    for step in steps {
      let name = String(step.prefix { $0 != "[" })
      guard let field = message[name], field.cardinality != .map,
        case .message(let index) = field.type
      else { break }
      message = pool.messages[index]
    }
    return message
  }
}
