import RelayAPI
import WireGRPC
import WireIO
import WireSystem

/// The NATS servers to connect to, and the credentials.
public struct NATSOptions: Sendable {
  /// One URL, or several with commas between them: `nats://127.0.0.1:4222`, `tls://nats.example:4222`.
  public var url: String
  /// A credentials file as `nsc` writes it, with the JWT of a user and the seed of its key.
  public var credentialsFile: String?
  /// A PEM file with the CA certificates to trust. TLS is then required.
  public var trustFile: String?
  /// A PEM file with the certificate of this client. TLS is then required.
  public var certificateFile: String?
  /// A PEM file with the private key of the certificate; nil means ``certificateFile``.
  public var keyFile: String?
  /// The first tokens of the subjects on which this client receives replies. Users that share an account of NATS
  /// can receive each other's replies unless each has a prefix of its own, and the permission for that prefix only.
  public var inboxPrefix = "_INBOX"
  /// The JetStream domain that has the streams; nil for that of the servers of ``url``. Clients of a leaf node need it.
  public var domain: String?
  /// The name of the client in the logs of the server.
  public var name = "tripwire-relay"

  /// nats-server on this machine.
  public static let defaultURL = "nats://127.0.0.1:4222"

  /// Creates options for servers without credentials.
  ///
  /// - Parameter url: see ``url``.
  public init(url: String = defaultURL) {
    self.url = url
  }

  /// Returns a subject for replies that nobody else uses.
  func newInbox() -> String { "\(inboxPrefix).\(randomDigits(24))" }

  /// The first tokens of the subjects of JetStream's API.
  var apiPrefix: String { domain.map { "$JS.\($0).API" } ?? "$JS.API" }

  var servers: [NATSURL] { NATSURL.list(url).filter { !$0.text.isEmpty } }

  var requiresTLS: Bool {
    trustFile != nil || certificateFile != nil || servers.contains(where: \.requiresTLS)
  }

  /// Why the names of the servers cannot be resolved; nil if one of them can. Blocks the calling thread.
  var resolverErrors: String? {
    var errors: [String] = []
    for server in servers {
      guard let place = try? server.place(),
        case .failure(let error) = Resolver.lookUp(
          place.host, place.port ?? NATSURL.defaultPort, flags: 0)
      else { return nil }
      errors.append("the name \(place.host) cannot be resolved: \(error.reason)")
    }
    return errors.isEmpty ? nil : errors.joined(separator: "; ")
  }

  /// The user or the file with credentials, for messages: " of the user worker", or " with worker.creds"; empty if that is not known.
  var shownUser: String {
    if let credentialsFile { return " with \(credentialsFile)" }
    return servers.lazy.compactMap(\.user).first.map { " of the user \($0)" } ?? ""
  }

  /// The URL without user name and password, for messages.
  var shownURL: String { servers.map(\.redacted).joined(separator: ",") }
}
