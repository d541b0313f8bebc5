import FleetEngineAPI

/// The name of a provider, `providers/{provider}`.
struct ProviderName {
  let id: String

  /// Returns nil for another form.
  init?(_ name: String) {
    let prefix = "providers/"
    guard name.hasPrefix(prefix),
      let name = try? TripName(providerID: String(name.dropFirst(prefix.count)), tripID: "t")
    else { return nil }
    id = name.providerID
  }
}
