import ProtobufDescriptors

@testable import DynamicProtobuf
@testable import WireProtobuf

/// Reads the input as a FileDescriptorSet and prints its types. Decodes the set's unknown fields 100
/// (binary) and 101 (JSON) as messages of these types.
func loadDescriptors(_ input: [UInt8]) {
  guard let set = try? FileDescriptorSet(serializedBytes: input) else { return }
  let pool: DescriptorPool
  do throws(DescriptorError) {
    pool = try DescriptorPool(set.file)
  } catch {
    return require(error.description.utf8.count < 4_096, "the error is too long: \(error)")
  }
  for type in pool.messages.prefix(16) { _ = ProtoText.text(of: .message(type), in: pool) }
  for type in pool.enums.prefix(16) { _ = ProtoText.text(of: .enum(type), in: pool) }
  for service in pool.services.prefix(16) { _ = ProtoText.text(of: .service(service), in: pool) }
  for field in set.unknownFields.fields {
    guard case .lengthDelimited(let bytes) = field.value else { continue }
    for type in pool.messages.prefix(4) {
      switch field.number {
      case 100: checkRoundTrip(bytes, type, pool)
      case 101: read(json: bytes, type, pool)
      default: break
      }
    }
  }
}

private func checkRoundTrip(_ bytes: [UInt8], _ type: MessageDescriptor, _ pool: DescriptorPool) {
  var unknown = 0
  guard
    let first = try? DynamicMessage(
      serializedBytes: bytes, as: type, in: pool, unknownFieldCount: &unknown)
  else { return }
  let written = first.serializedBytes()
  let second = decoded { () throws(DecodingError) in
    try DynamicMessage(serializedBytes: written, as: type, in: pool, unknownFieldCount: &unknown)
  }
  require(second.serializedBytes() == written, "the bytes changed")
  _ = first.missingRequiredField
  let options = DynamicJSONOptions(pretty: true, emitsDefaults: true, showsUnknownTypes: true)
  _ = try? first.jsonUTF8Bytes(options: options)
  if let json = try? first.jsonUTF8Bytes() { read(json: json, type, pool) }
}

private func read(json: [UInt8], _ type: MessageDescriptor, _ pool: DescriptorPool) {
  guard let message = try? DynamicMessage(jsonUTF8Bytes: json, as: type, in: pool) else { return }
  _ = message.serializedBytes()
  _ = try? message.jsonUTF8Bytes()
}
