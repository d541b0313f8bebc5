import TestSupport
import Testing
import WireSystem

@testable import TripwireGoogleAuth

/// Which account gcloud uses, without running it.
@Suite struct GcloudConfigurationTests {
  private func member(
    _ files: [String: String], _ variables: [String: String] = [:]
  ) async throws -> String? {
    try await withTemporaryDirectory { folder in
      let configurations = "\(folder)/configurations"
      mkdir(configurations, 0o700)
      defer {
        for name in names(in: configurations) { unlink("\(configurations)/\(name)") }
        rmdir(configurations)
      }
      for (name, text) in files { try appendToFile("\(folder)/\(name)", Array(text.utf8)) }
      let all = variables.merging(["CLOUDSDK_CONFIG": folder]) { $1 }
      return GcloudConfiguration(environment: Environment { all[$0] }).member?.description
    }
  }

  @Test(
    arguments: [
      ([:], [:], nil),
      (
        ["configurations/config_default": "[core]\naccount = anna@example.com\n"], [:],
        "user:anna@example.com"
      ),
      (
        [
          "active_config": "work\n",
          "configurations/config_default": "[core]\naccount = no@example.com\n",
          "configurations/config_work":
            "[compute]\naccount = no@example.com\n[core]\nproject=p\naccount=bo@example.com",
        ], [:], "user:bo@example.com"
      ),
      (
        [
          "active_config": "work",
          "configurations/config_home": "[core]\naccount = bo@example.com\n",
        ],
        ["CLOUDSDK_ACTIVE_CONFIG_NAME": "home"], "user:bo@example.com"
      ),
      (
        ["configurations/config_default": "[core]\naccount = anna@example.com\n"],
        ["CLOUDSDK_CORE_ACCOUNT": "bo@example.com"], "user:bo@example.com"
      ),
      (
        [
          "configurations/config_default":
            "[core]\naccount = anna@example.com\n[auth]\nimpersonate_service_account = d@p.iam.gserviceaccount.com,a@p.iam.gserviceaccount.com\n"
        ], [:], "serviceAccount:a@p.iam.gserviceaccount.com"
      ),
      (["configurations/config_default": "[core]\naccount = $(reboot)\n"], [:], nil),
      (["configurations/config_default": "account = anna@example.com\n"], [:], nil),
    ] as [([String: String], [String: String], String?)])
  func accountIsThatOfGcloud(
    files: [String: String], variables: [String: String], expected: String?
  ) async throws {
    #expect(try await member(files, variables) == expected)
  }
}
