package import Tripwire
import WireSystem

/// Finds the credentials of this machine as all of Google's clients do (Application Default Credentials).
package struct ApplicationDefaultCredentials: Sendable {
  package static let variable = "GOOGLE_APPLICATION_CREDENTIALS"

  private let environment: Environment

  package init(_ environment: Environment = .process) {
    self.environment = environment
  }

  /// Returns the credentials: those of the file that the variable names, of the well-known file, or of the metadata
  /// server; nil if there are none.
  ///
  /// - Parameter deadline: when to stop waiting for the writer of a pipe.
  /// - Throws: ``TokenError`` if a file cannot be read or used. Nothing else is tried then.
  package func find(
    until deadline: ContinuousClock.Instant? = nil
  ) throws(TokenError) -> (any GoogleCredentials)? {
    if let path { return try CredentialsFile.credentials(path: path, until: deadline) }
    return hasMetadataServer ? MetadataServer(environment) : nil
  }

  /// The file with the credentials; nil if there is none.
  package var path: String? {
    environment[Self.variable] ?? wellKnownPath.flatMap { LocalFile.exists($0) ? $0 : nil }
  }

  /// The file of `gcloud auth application-default login`.
  private var wellKnownPath: String? {
    gcloudFolder.map { $0 + "/application_default_credentials.json" }
  }

  /// Whether gcloud is installed, and somebody has logged in to it.
  package var hasGcloudAccount: Bool {
    ExecutablePath.exists("gcloud", in: environment["PATH"])
      && gcloudFolder.map { LocalFile.exists($0 + "/credentials.db") } ?? false
  }

  private var gcloudFolder: String? { GcloudConfiguration(environment: environment).folder }

  /// Whether this is a machine of Google's. Google's clients send a request to find out, for which every other
  /// machine waits some seconds.
  private var hasMetadataServer: Bool {
    if environment["NO_GCE_CHECK"] == "true" { return false }
    let variables = [
      "GCE_METADATA_HOST", "GCE_METADATA_ROOT", "K_SERVICE", "CLOUD_RUN_JOB", "GAE_SERVICE",
    ]
    if variables.contains(where: { environment[$0] != nil }) { return true }
    return Self.words(in: "/sys/class/dmi/id/product_name").first == "Google"
      || Self.words(in: "/etc/resolv.conf").contains("google.internal")
  }

  private static func words(in path: String) -> [String] {
    let bytes = (try? LocalFile.contents(of: path, limit: 1 << 16)) ?? []
    return bytes.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
  }
}
