import TestSupport
import Testing

@testable import WireTLS

@Suite struct CertificateBundleTests {
  @Test func findsCertificatesBySubject() throws {
    let text = [Certificates.root, Certificates.good, Certificates.root].map(\.certificate)
    let bundle = CertificateBundle(Array(text.joined(separator: "\n").utf8))
    #expect(!bundle.isEmpty)
    let name = Array("Test Root".utf8)
    let found = bundle.certificates { subject in
      subject.indices.contains { subject[$0...].starts(with: name) }
    }
    #expect(found.count == 2)
    #expect(Set(found).count == 1)
    #expect(bundle.certificates { _ in true }.count == 3)
  }

  @Test(arguments: [
    Named("empty", ""), Named("empty line", "\n"), Named("cut", "-----BEGIN CERTIFICATE"),
    Named("text", "no certificate"), Named("key", Certificates.root.key),
  ])
  func otherTextIsAnEmptyBundle(text: Named<String>) {
    #expect(CertificateBundle(Array(text.value.utf8)).isEmpty)
  }

  /// The reader must not read beyond the bytes.
  @Test func corruptCertificatesDoNotTrap() throws {
    let bundle = CertificateBundle(Array(Certificates.root.certificate.utf8))
    let certificate = try #require(bundle.certificates { _ in true }.first)
    let subject = DERReader.subject(of: certificate)
    for count in certificate.indices {
      let cut = DERReader.subject(of: Array(certificate.prefix(count)))
      #expect(cut == nil)
    }
    for index in certificate.indices {
      for value in [0, 1, 0x7F, 0x80, 0x84, 0xFF] as [UInt8] {
        var changed = certificate
        changed[index] = value
        let other = DERReader.subject(of: changed)
        #expect(other == nil || other?.isEmpty == false)
      }
    }
    #expect(subject?.first == 0x30)
  }
}
