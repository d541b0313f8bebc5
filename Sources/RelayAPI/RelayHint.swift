/// Hints for problems with NATS.
package enum RelayHint {
  package static let unreachable = "start nats-server with -js, or check the address of NATS"
  package static let unknownHost = "check the host in the URL of NATS"
  package static let notAuthorized =
    "check --nats-creds, or the user and password in the URL"
  package static let refusedTLS =
    "check --nats-ca, --nats-cert and --nats-key, and the host in the URL of NATS"
  package static let untrustedCertificate =
    "pass the certificate of the CA of NATS with --nats-ca FILE"
  package static let noTLS = "use nats:// in place of tls://: the server has no TLS"
  package static let noTLSForFiles =
    "remove --nats-ca and --nats-cert: they require TLS, which the server does not have"
  package static let closedConnection =
    "check the address of NATS, and --nats-cert if NATS requires client certificates"
  package static let badTrustFile = "pass a PEM file with CA certificates in --nats-ca"
  package static let badCertificate =
    "pass the certificate with --nats-cert and its private key with --nats-key, as PEM files"
  package static let notPermitted =
    "grant this permission to the user in the configuration of NATS"
  package static let noJetStream =
    "start nats-server with -js, or enable JetStream for the account; on a leaf node, pass --nats-domain"
  package static let noDomain =
    "check --nats-domain, and that the leaf node is connected to a server of this domain"
  package static let noLeader = "check that most nodes of NATS run and reach each other"
  package static let noAnswer =
    "check that most nodes of NATS run; if a disk was full, restart nats-server: it does not answer until then"
  package static let refusedStream =
    "start a worker, which creates the streams, or grant the user the permissions of a worker"
  package static let noStream =
    "check that most nodes of NATS run, or start a worker, which creates the streams: tripwire relay work"
  /// For a worker, which has created the streams.
  package static let lostStream =
    "check that most nodes of NATS run: the worker creates a lost stream again within 10 s"
  package static let noStreamOrJetStream =
    "start nats-server with -js, and then a worker, which creates the streams; on a leaf node, pass --nats-domain"
  package static let noStreamOrDomain =
    "check that the leaf node is connected to a server of the domain, and that a worker has run with it"
  package static let noStreamOrAnswer =
    "start a worker, which creates the streams; if the disk of nats-server was full, restart nats-server"
  package static let longName = "use a shorter ID of the project or the resource"
  package static let refusedInbox =
    "pass the prefix of this user's replies with --nats-inbox PREFIX"
  package static let tooLargeForStream = "raise max_msg_size of the stream in NATS"
  package static let noWorker =
    "check the workers with 'tripwire relay status', and their messages, or start one: tripwire relay work"
  package static let failingPolls =
    "check the server, the token and the names of the resources, or trace the calls: tripwire relay work -v"
  package static let tooFewServers = "pass --replicas 1, or use a cluster with enough servers"
  package static let oldServer =
    "use nats-server 2.10 or later; readers see the states in order nevertheless"
  package static let tooLarge = "raise max_payload in the configuration of NATS"
  package static let full =
    "raise the limits of JetStream or of the stream, or free disk space"

  /// - Parameter rest: what goes on meanwhile.
  package static func lostConnection(_ rest: String) -> String { "check that NATS runs: \(rest)" }

  package static func incompatibleStream(_ name: String) -> String {
    "delete the stream \(name), so that a worker creates it again"
  }

  package static func overlappingStream(_ name: String, _ subjects: String) -> String {
    "delete the stream \(name), or remove \(subjects) from its subjects"
  }
}
