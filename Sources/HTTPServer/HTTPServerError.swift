package import WireSystem

/// Why an HTTP server could not start.
package enum HTTPServerError: Error, Hashable, CustomStringConvertible {
  /// The system refuses the address, or another process listens there.
  case cannotListen(String, IOError.Code)
  /// Not a numeric address.
  case invalidAddress(String)
  /// The address is not a loopback address, and the options have no key.
  case keyMissing(String)
  /// The key has other characters than letters, digits, `-` and `_`.
  case invalidKey
  /// Not an origin, such as `https://tile.example`.
  case invalidImageSource(String)
  /// The process has no descriptor, thread or memory left.
  case system(IOError)

  /// The failure and its reason: "cannot listen on 127.0.0.1:8080: Address already in use"
  package var description: String {
    switch self {
    case .cannotListen(let address, let code): "cannot listen on \(address): \(code)"
    case .invalidAddress(let host): "cannot listen on '\(host)': not a numeric address"
    case .keyMissing(let address):
      "cannot listen on \(address): other machines could read the page"
    case .invalidKey: "invalid key: only letters, digits, - and _ are allowed"
    case .invalidImageSource(let source): "invalid origin of images: '\(source)'"
    case .system(let error): "cannot start the HTTP server: \(error)"
    }
  }

  /// One action that helps.
  package var hint: String {
    switch self {
    case .cannotListen(_, .addressInUse): "pass another port; port 0 selects a free port"
    case .cannotListen(_, .accessDenied):
      "pass a port above 1023; port 0 selects a free port"
    case .cannotListen: "pass an address of this machine, such as 127.0.0.1"
    case .invalidAddress: "use an address such as 127.0.0.1 or ::1"
    case .keyMissing: "listen on 127.0.0.1, or set a key"
    case .invalidKey: "use only letters, digits, - and _ in the key"
    case .invalidImageSource: "use an origin such as https://tile.example"
    case .system: "check the limits of open files, threads and memory (ulimit -a)"
    }
  }
}
