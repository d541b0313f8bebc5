/// The system's root certificates. Only those that a chain needs are parsed.
final class RootLookup: Sendable {
  private let bundle: CertificateBundle?
  private let directories: [CertificateDirectory]

  init(_ bundle: CertificateBundle?, _ directories: [CertificateDirectory] = []) {
    self.bundle = bundle
    self.directories = directories
  }

  /// Returns the certificates, in DER, that may have one of these subjects.
  func certificates(named names: Set<ArraySlice<UInt8>>) -> [[UInt8]] {
    (bundle?.certificates { names.contains($0) } ?? [])
      + directories.flatMap { directory in
        names.flatMap { directory.certificates(named: $0) }
      }
  }

  /// All certificates of a bundle. Those of a directory cannot be listed.
  var all: [[UInt8]] { bundle?.certificates { _ in true } ?? [] }
}
