/// A member of IAM, as the commands of gcloud that grant roles name it.
package enum IAMMember: Equatable, Sendable, CustomStringConvertible {
  case user(String)
  case serviceAccount(String)

  /// Creates the member with the address of a user or of a service account; nil if it is not an address.
  init?(address: String) {
    guard address.contains("@"), AccountAddress.isValid(address) else { return nil }
    self =
      address.hasSuffix(".gserviceaccount.com") ? .serviceAccount(address) : .user(address)
  }

  package var address: String {
    switch self {
    case .user(let address), .serviceAccount(let address): address
    }
  }

  package var description: String {
    switch self {
    case .user(let address): "user:\(address)"
    case .serviceAccount(let address): "serviceAccount:\(address)"
    }
  }
}
