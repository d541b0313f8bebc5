import CommandShell
import FleetCommands
import RelayAPI

extension Troubleshooting {
  static var programs: [Row] {
    [
      row(
        "'tripwire relay' needs the program tripwire-relay, which is not installed",
        "--from needs the program tripwire-relay, which is not installed",
        cause: "tripwire-relay is neither in the folder of tripwire nor on the PATH.",
        hint: HelperProgram.relayHint)
    ]
  }

  static var relay: [Row] {
    [
      row(
        "tripwire-relay failed: exit code …",
        cause:
          "The helper program cannot read the resources. It has printed the reason as text, and"
          + " `--error-format json` adds this error.",
        hint: RelayReadProcess.failureHint),
      row(
        "cannot read the states of tripwire-relay: …",
        cause: "The program on the PATH is another one, or another version.",
        hint: RelayReadProcess.versionHint),
      row(
        "NOT_FOUND", "PERMISSION_DENIED", "…",
        cause:
          "The resource does not exist, or the worker of the relay has no permission to get it.",
        hint: FollowTarget.workerHint),
      row(
        "cannot connect to NATS at …: no server accepts the connection",
        cause: "No nats-server listens at this address, or a firewall is in between.",
        hint: RelayHint.unreachable),
      row(
        "cannot connect to NATS at …: the name … cannot be resolved: …",
        cause: "The host in the address does not exist, or there is no name server.",
        hint: RelayHint.unknownHost),
      row(
        "cannot connect to NATS at …: Authentication Violation",
        cause: "NATS refuses the user, the password or the file of `--nats-creds`.",
        hint: RelayHint.notAuthorized),
      row(
        "the connection to NATS is closed: Authorization Violation",
        "NATS: Authorization Violation",
        cause:
          "NATS no longer accepts the user, for example after a restart with another configuration."
          + " The command ends.", hint: RelayHint.notAuthorized),
      row(
        "cannot connect to NATS at …: Timeout",
        cause:
          "A program accepts connections and does not answer: NATS is suspended or overloaded, or"
          + " it is not NATS.", hint: RelayHint.unreachable),
      row(
        "the connection to NATS at … was lost",
        cause:
          "NATS ended, or does not answer for 10 s. The command connects again by itself, and then"
          + " prints `over:`.", hint: RelayHint.lostConnection("…")),
      row(
        "cannot connect to NATS at …: the TLS handshake failed: …",
        cause: "The certificate of NATS is expired, or for another host.",
        hint: RelayHint.refusedTLS),
      row(
        "cannot connect to NATS at …: the TLS handshake failed: self-signed certificate",
        "unable to get local issuer certificate",
        cause: "The certificate of NATS comes from an authority that this machine does not trust.",
        hint: RelayHint.untrustedCertificate),
      row(
        "cannot connect to NATS at …: Secure Connection not available",
        cause: "The address has tls://, and NATS has no TLS.", hint: RelayHint.noTLS),
      row(
        "cannot connect to NATS at …: Secure Connection not available",
        cause: "`--nats-ca` or `--nats-cert` is given, and NATS has no TLS.",
        hint: RelayHint.noTLSForFiles),
      row(
        "cannot connect to NATS at …: the server closed the connection, or is not NATS",
        cause: "NATS does not accept the client certificate, or another program listens there.",
        hint: RelayHint.closedConnection),
      row(
        "cannot use the certificates in …: …",
        cause: "The file is not PEM, or has no certificates.", hint: RelayHint.badTrustFile),
      row(
        "cannot use the certificate in … with the key in …: …",
        cause: "A file is not PEM, or the key is of another certificate.",
        hint: RelayHint.badCertificate),
      row(
        "NATS refused a request of the user …: Permissions Violation …",
        cause: "The user may not use a subject of the relay.", hint: RelayHint.notPermitted),
      row(
        "NATS refused a request …: Permissions Violation for Subscription to \"_INBOX…",
        cause: "The user may subscribe to replies with a prefix of its own only.",
        hint: RelayHint.refusedInbox),
      row(
        "the name … is too long for the relay: …",
        cause: "A line of NATS's protocol has at most 4,096 bytes.", hint: RelayHint.longName),
      row(
        "cannot …: NATS has no JetStream", "JetStream not enabled for account",
        cause: "The server or the account of the user has no JetStream.",
        hint: RelayHint.noJetStream),
      row(
        "cannot …: NATS does not reach the JetStream domain …",
        cause: "The leaf node is not connected to the domain of `--nats-domain`.",
        hint: RelayHint.noDomain),
      row(
        "cannot …: JetStream system temporarily unavailable",
        cause: "Nodes of a cluster are missing, or elect a leader.", hint: RelayHint.noLeader),
      row(
        "NATS did not answer in time",
        cause: "The disk of NATS is or was full, or most nodes of a cluster are missing.",
        hint: RelayHint.noAnswer),
      row(
        "cannot …: stream not found", cause: "No worker has run with this NATS.",
        hint: RelayHint.noStream),
      row(
        "NATS has no stream … for messages of …",
        cause: "No worker has run with this NATS.", hint: RelayHint.noStream),
      row(
        "NATS has no stream … for messages of …, and this user may not create it: …",
        cause: "`want`: no worker has run with this NATS. The command has waited for 20 s.",
        hint: RelayHint.refusedStream),
      row(
        "NATS has no stream …, or JetStream is off",
        cause: "No worker has run with this NATS, or it has no JetStream.",
        hint: RelayHint.noStreamOrJetStream),
      row(
        "the JetStream domain … has no stream …, or NATS does not reach the domain",
        "the JetStream domain … stores no messages of …, or NATS does not reach the domain",
        cause: "The leaf node is not connected to the domain, or no worker has run with it.",
        hint: RelayHint.noStreamOrDomain),
      row(
        "NATS has no stream …, or did not answer",
        cause: "No worker has run with this NATS, or its disk is or was full.",
        hint: RelayHint.noStreamOrAnswer),
      row(
        "no worker publishes …",
        cause:
          "No worker runs, all have reached their `--capacity`, or NATS does not store the states,"
          + " for example because it is full.", hint: RelayHint.noWorker),
      row(
        "all polls fail: …",
        cause: "No call of a worker has succeeded for 10 s or two intervals.",
        hint: RelayHint.failingPolls),
      row(
        "cannot use the stream … of NATS: …",
        cause: "The stream was created by another program, or changed.",
        hint: RelayHint.incompatibleStream("…")),
      row(
        "cannot create the stream …: subjects overlap with an existing stream: …",
        cause: "A stream of another program stores the subjects of the relay.",
        hint: RelayHint.overlappingStream("…", "…")),
      row(
        "cannot store a message in the stream … of NATS: maximum bytes exceeded",
        "insufficient resources",
        cause: "The stream, the account or the disk of NATS is full.", hint: RelayHint.full),
      row(
        "cannot create the stream …: maximum number of streams reached",
        cause: "The account may not have the streams of the relay.", hint: RelayHint.full),
      row(
        "… cannot be published: … bytes are more than the … bytes of max_payload of NATS",
        cause: "The trip has a long route. Its readers receive this error.",
        hint: RelayHint.tooLarge),
    ]
  }
}
