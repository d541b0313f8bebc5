import Testing
import Tripwire
import WireSystem

@testable import TripwireGoogleAuth

/// Which credentials are found; the same order as in Google's clients.
@Suite struct ApplicationDefaultCredentialsTests {
  private func found(_ variables: [String: String]) throws -> (any GoogleCredentials)? {
    try ApplicationDefaultCredentials(Environment { variables[$0] }).find()
  }

  @Test func variableNamesTheFile() {
    let error = #expect(throws: TokenError.self) {
      try found(["GOOGLE_APPLICATION_CREDENTIALS": "/no/file", "GCE_METADATA_HOST": "m"])
    }
    #expect("\(error?.description ?? "")" == "/no/file: No such file or directory")
  }

  @Test func missingWellKnownFileIsNoError() throws {
    let variables = ["HOME": "/no/home", "CLOUDSDK_CONFIG": "/no/config", "NO_GCE_CHECK": "true"]
    #expect(try found(variables) == nil)
    #expect(try found(variables.merging(["GCE_METADATA_HOST": "m"]) { $1 }) == nil)
  }

  @Test(arguments: ["GCE_METADATA_HOST", "GCE_METADATA_ROOT", "K_SERVICE", "CLOUD_RUN_JOB"])
  func variablesTellTheMetadataServer(variable: String) throws {
    let found = try found([variable: "m.example:1", "HOME": "/no/home"])
    #expect(
      found?.name == "the metadata server "
        + (variable.hasPrefix("GCE") ? "m.example:1" : "metadata.google.internal"))
  }
}
