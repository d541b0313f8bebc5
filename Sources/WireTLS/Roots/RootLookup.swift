/// The system's root certificates, of which only those that a chain asks for are parsed.
final class RootLookup: Sendable {
  private let bundle: CertificateBundle?
  private let directories: [CertificateDirectory]

  init(_ bundle: CertificateBundle?, _ directories: [CertificateDirectory] = []) {
    self.bundle = bundle
    self.directories = directories
  }

  /// The certificates, in DER, that may have one of these subjects.
  func certificates(named names: Set<ArraySlice<UInt8>>) -> [[UInt8]] {
    (bundle?.certificates { names.contains($0) } ?? [])
      + directories.flatMap { directory in
        names.flatMap { directory.certificates(named: $0) }
      }
  }

  /// All certificates that can be listed, which those of a directory cannot.
  var all: [[UInt8]] { bundle?.certificates { _ in true } ?? [] }
}
