import DynamicProtobuf
import ProtobufDescriptors

/// Services and types, and where they come from.
struct Schema: Sendable {
  let pool: DescriptorPool
  let origin: Origin
  /// The services that the source offers, by name. The pool may know others.
  let services: [String]

  enum Origin: Equatable, Sendable {
    case embedded
    case protosets([String])
    /// By server reflection, from this endpoint.
    case reflection(String)
  }

  /// The full names of the symbols that a name means: it is one of them or, without what stands
  /// before a dot, the end of some.
  func symbols(named name: String) -> [String] {
    let name = name.hasPrefix(".") ? String(name.dropFirst()) : name
    if pool[name] != nil { return [name] }
    let all =
      pool.services.map(\.fullName) + pool.messages.map(\.fullName)
      + pool.enums.map(\.fullName)
    return all.filter { $0.hasSuffix("." + name) }
  }
}

extension Schema.Origin: CustomStringConvertible {
  /// What has or has not something: "127.0.0.1:50051".
  var description: String {
    switch self {
    case .embedded: "tripwire"
    case .protosets(let files): files.joined(separator: ", ")
    case .reflection(let endpoint): endpoint
    }
  }
}
