/// Message types by name, for the contents of a google.protobuf.Any.
///
/// The well-known types need not be added. The generated code of each .proto file has a registry of
/// its messages: `TypeRegistry.shopProto` for `shop.proto`.
public struct TypeRegistry: Sendable, ExpressibleByArrayLiteral {
  private var types: [String: any Message.Type] = [:]

  /// Finds types that are known only at run time, by URL, for decoding.
  package var others: (@Sendable (String) -> RuntimeJSONType?)?

  /// Creates a registry of the message types that `Any` may contain.
  public init(_ types: [any Message.Type]) {
    for type in types { self.types[type.messageName] = type }
  }

  /// Creates a registry of the given types: `TypeRegistry(Item.self, Cart.self)`.
  public init(_ types: any Message.Type...) {
    self.init(types)
  }

  public init(arrayLiteral types: any Message.Type...) {
    self.init(types)
  }

  /// Returns the types of both registries: `.shopProto.union(.ordersProto)`.
  public func union(_ other: TypeRegistry) -> TypeRegistry {
    var result = self
    result.types.merge(other.types) { own, _ in own }
    result.others = others ?? other.others
    return result
  }

  /// Returns the type for a URL, by the text after its last slash.
  public func type(for url: String) -> (any Message.Type)? {
    guard let name = Self.typeName(in: url) else { return nil }
    return types[name] ?? Self.wellKnown[name]
  }

  /// The text after the last slash of a URL; nil if there is no slash.
  package static func typeName(in url: String) -> String? {
    guard let slash = url.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let name = String(url[url.utf8.index(after: slash)...])
    // Names are ASCII. Looking up other strings could take long.
    return name.isASCII ? name : nil
  }

  static let wellKnown: [String: any Message.Type] = Dictionary(
    uniqueKeysWithValues: ([
      AnyMessage.self, BoolValue.self, BytesValue.self, DoubleValue.self, Empty.self,
      FieldMask.self, FloatValue.self, Int32Value.self, Int64Value.self, ListValue.self,
      StringValue.self, Struct.self, Timestamp.self, UInt32Value.self, UInt64Value.self,
      Value.self, WireDuration.self,
    ] as [any Message.Type]).map { ($0.messageName, $0) })
}

/// A type known only at run time, with a function that reads its JSON.
package struct RuntimeJSONType {
  /// Whether its JSON is not an object of fields.
  package let isCustom: Bool
  /// Reads a message and returns its binary form.
  package let read: (inout JSONReader) throws(JSONDecodingError.Reason) -> [UInt8]

  package init(
    isCustom: Bool,
    read: @escaping (inout JSONReader) throws(JSONDecodingError.Reason) -> [UInt8]
  ) {
    self.isCustom = isCustom
    self.read = read
  }
}

extension String {
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
