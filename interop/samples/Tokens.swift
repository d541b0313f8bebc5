// The context of the samples of Tokens.md, TripwireHTTPTokens.md and TripwireGoogleAuth.md.

import Tripwire

/// The token of the app's own backend.
func fetch(_ path: String) async throws -> String {
  let context = AuthorizationContext(resourceName: path)
  return try await FileToken(path: "token.jwt").token(for: context).value
}

struct Session: Sendable {
  func token() async throws -> String { "the session" }
}

let session = Session()

@MainActor func ownBackend() async throws {
  // sample Tokens
  _ = try await fleet.tripService.getTrip(fleet.tripName("t1"))
}

@MainActor func accessTokens() async throws {
  // sample Tokens
  _ = try await fleet.tripService.getTrip(fleet.tripName("t1"))
  // sample Tokens
  _ = try await signed.token(for: AuthorizationContext(resourceName: ""))
}

@MainActor func signedTokens() async throws -> String {
  // sample TripwireGoogleAuth
  _ = try await fleet.tripService.getTrip(fleet.tripName("t1"))
  do {
    // sample TripwireGoogleAuth
    _ = try await tokens.token(for: AuthorizationContext(resourceName: ""))
  }
  // sample TripwireGoogleAuth
}

@MainActor func serviceAccount() async throws {
  // sample Tokens
  _ = try await fleet.tripService.getTrip(fleet.tripName("t1"))
}

// sample Tokens

func tokenForRider() throws {
  let token = try riderToken(forTrip: "t1", key: ServiceAccountKey(path: "key.json"))
  print(token.split(separator: ".").count)
}

@MainActor func httpToken() async throws {
  // sample Tokens
  let fleet = try FleetServices(providerID: "my-project", tokenProvider: provider)
  _ = try await fleet.tripService.getTrip(fleet.tripName("t1"))
}

@MainActor func httpTokenOfSession() async throws {
  // sample TripwireHTTPTokens
  _ = try await fleet.tripService.getTrip(fleet.tripName("t1"))
}
