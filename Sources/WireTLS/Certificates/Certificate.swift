import COpenSSL
import CWireShims

/// The properties of a certificate that people read.
package struct Certificate: Sendable, Hashable {
  /// For example "CN=fleetengine.googleapis.com" (RFC 2253).
  package let subject: String
  package let issuer: String
  /// The hosts and addresses of the certificate. The common name does not count (RFC 9525 §2).
  package let names: [String]
  /// Valid from this instant, in ISO 8601, UTC.
  package let notBefore: String
  /// Valid up to this instant, in ISO 8601, UTC.
  package let notAfter: String

  /// Reads an X509, which the caller still owns.
  init(_ certificate: OpaquePointer) {
    subject = unsafe Self.text(X509_get_subject_name(certificate))
    issuer = unsafe Self.text(X509_get_issuer_name(certificate))
    notBefore = unsafe Self.text(X509_get0_notBefore(certificate))
    notAfter = unsafe Self.text(X509_get0_notAfter(certificate))
    names = unsafe Self.alternativeNames(of: certificate)
  }

  /// The DNS names and IP addresses among the subjectAltNames (RFC 5280 section 4.2.1.6).
  private static func alternativeNames(of certificate: OpaquePointer) -> [String] {
    guard let found = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else {
      return []
    }
    let stack = OpaquePointer(found)
    defer { unsafe GENERAL_NAMES_free(stack) }
    var names: [String] = []
    for index in unsafe 0..<max(OPENSSL_sk_num(stack), 0) {
      guard let value = unsafe OPENSSL_sk_value(stack, index) else { continue }
      let name = unsafe value.assumingMemoryBound(to: GENERAL_NAME.self)
      switch unsafe name.pointee.type {
      case GEN_DNS:
        unsafe names.append(String(decoding: bytes(name.pointee.d.dNSName), as: UTF8.self))
      case GEN_IPADD:
        unsafe names.append(address(bytes(name.pointee.d.iPAddress)))
      default: break
      }
    }
    return names
  }

  private static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
    unsafe Array(
      UnsafeBufferPointer(
        start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
  }

  /// Returns an address in its usual notation.
  private static func address(_ bytes: [UInt8]) -> String {
    if bytes.count == 4 { return bytes.map { "\($0)" }.joined(separator: ".") }
    return stride(from: 0, to: bytes.count & ~1, by: 2)
      .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
      .joined(separator: ":")
  }

  private static func text(_ name: OpaquePointer?) -> String {
    let bio = unsafe BIO_new(BIO_s_mem())
    defer { unsafe BIO_free(bio) }
    _ = unsafe CWireShims_X509_NAME_print(bio, name)
    return unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
      let count = unsafe BIO_read(bio, buffer.baseAddress, Int32(buffer.count))
      return unsafe String(decoding: buffer.prefix(max(Int(count), 0)), as: UTF8.self)
    }
  }

  private static func text(_ time: UnsafePointer<ASN1_TIME>?) -> String {
    var parts = unsafe tm()
    guard unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return "an unreadable time" }
    func digits(_ number: Int32, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let date = unsafe [
      digits(parts.tm_year + 1900, 4), digits(parts.tm_mon + 1, 2), digits(parts.tm_mday, 2),
    ]
    let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0, 2) }
    return date.joined(separator: "-") + "T" + time.joined(separator: ":") + "Z"
  }
}
