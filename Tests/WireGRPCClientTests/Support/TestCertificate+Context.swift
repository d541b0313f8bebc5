import TestSupport
import WireTLS

extension TestCertificate {
  static func context(applicationProtocols: [String] = ["h2"]) throws -> TLSContext {
    try TLSContext(
      serverCertificate: pem, privateKey: key, applicationProtocols: applicationProtocols)
  }
}
