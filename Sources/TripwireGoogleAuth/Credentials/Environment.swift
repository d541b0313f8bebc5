import WireSystem

/// The variables of a process.
package struct Environment: Sendable {
  private let value: @Sendable (String) -> String?

  package init(_ value: @escaping @Sendable (String) -> String?) {
    self.value = value
  }

  package static let process = Environment { name in
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// The value of a variable; nil if it is not set or empty.
  package subscript(name: String) -> String? { value(name).flatMap { $0.isEmpty ? nil : $0 } }
}
