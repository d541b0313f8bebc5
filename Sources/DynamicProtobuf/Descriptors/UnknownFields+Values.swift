import WireProtobuf

// Options and fields that are newer than the generated descriptors.

extension UnknownFields {
  /// Returns the last value of an integer or enum field.
  func varint(_ number: Int) -> UInt64? {
    fields.last { $0.number == number }.flatMap { field in
      if case .varint(let value) = field.value { value } else { nil }
    }
  }

  /// Returns the values of a repeated string field.
  func texts(_ number: Int) -> [String] {
    payloads(number).compactMap { String(validating: $0, as: UTF8.self) }
  }

  /// Returns the fields in each message of a repeated field.
  func messages(_ number: Int) -> [UnknownFields] {
    payloads(number).compactMap { try? Empty(serializedBytes: $0).unknownFields }
  }

  private func payloads(_ number: Int) -> [[UInt8]] {
    fields.compactMap { field in
      guard field.number == number, case .lengthDelimited(let bytes) = field.value else {
        return nil
      }
      return bytes
    }
  }
}
