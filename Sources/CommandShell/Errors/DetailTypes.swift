package import DynamicProtobuf
package import Tripwire
import WireProtobuf

/// The types of error details that are not google.rpc's.
package struct DetailTypes: Sendable {
  /// Nil uses the built-in types.
  private let given: DescriptorPool?

  package static let builtIn = DetailTypes(nil)

  package init(_ pool: DescriptorPool?) { given = pool }

  var pool: DescriptorPool? { given ?? (try? EmbeddedSchema.pool([])) }

  /// Returns the message as a line: "detail shop.OutOfStock: {"sku":"a1"}"; nil if it cannot be decoded.
  func line(_ any: AnyMessage) -> String? {
    guard let pool, let message = DynamicMessage(in: any, from: pool), let json = message.json
    else {
      return nil
    }
    return "detail \(message.descriptor.fullName): \(json)"
  }

  /// Returns the names of the types that are missing.
  package func missing(for details: [ErrorDetail]) -> [String] {
    let names = details.compactMap { detail -> String? in
      guard case .other(let any) = detail else { return nil }
      return TypeRegistry.typeName(in: any.typeUrl)
    }
    guard !names.isEmpty, let pool else { return [] }
    return names.filter { pool.message($0) == nil }
  }
}
