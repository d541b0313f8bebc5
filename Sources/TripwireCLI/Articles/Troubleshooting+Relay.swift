extension Troubleshooting {
  static var relay: [Row] {
    [
      row(
        "--from needs the program tripwire-relay, which is not installed",
        cause: "tripwire-relay is neither in the folder of tripwire nor on the PATH.",
        hint: RelayReader.installHint),
      row(
        "tripwire-relay failed: exit code …",
        cause: "The helper program cannot read the trips. It has printed the reason.",
        hint: RelayReader.failureHint),
      row(
        "cannot read the states of tripwire-relay: …",
        cause: "The program on the PATH is another one, or another version.",
        hint: RelayReader.versionHint),
      row(
        "NOT_FOUND", "PERMISSION_DENIED", "…",
        cause: "A worker of the relay cannot get the trip, and only its operator can fix that.",
        hint: FollowedTrip.workerHint),
    ]
  }
}
