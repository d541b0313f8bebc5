import WireSystem

/// PEM text (RFC 7468) and its source.
struct PEMText: Sendable {
  let input: TLSInput
  /// Nil for text in memory.
  let path: String?
  let bytes: [UInt8]

  /// - Parameter deadline: when to give up waiting for the writer of a pipe.
  /// - Throws: a ``TLSError`` with its ``TLSError/inputFault``.
  init(
    _ source: TLSConfiguration.PEMSource, _ input: TLSInput,
    until deadline: ContinuousClock.Instant?
  ) throws(TLSError) {
    self.input = input
    switch source {
    case .pem(let bytes):
      path = nil
      self.bytes = bytes
    case .file(let path):
      self.path = path
      do throws(FileReadError) {
        bytes = try LocalFile.contents(of: path, limit: Self.limit(of: input), until: deadline)
      } catch {
        throw TLSError(TLSInputFault(input: input, path: path, fault: .unreadable(error)))
      }
    }
  }

  /// The largest size in bytes. The lists of a large authority have tens of megabytes.
  private static func limit(of input: TLSInput) -> Int {
    switch input {
    case .systemRoots, .roots: 8 << 20
    case .certificate, .privateKey, .keyLog: 1 << 20
    case .revocationLists: 64 << 20
    }
  }

  /// Passes the bytes to `body`, and adds the source to its errors.
  func parsed<Parsed>(
    _ body: ([UInt8]) throws(PEMFault) -> Parsed
  ) throws(TLSError) -> Parsed {
    do throws(PEMFault) {
      return try body(bytes)
    } catch {
      let isMissing = [.noCertificate, .noPrivateKey, .noRevocationList].contains(error)
      let format = isMissing ? BinaryFormat(bytes) : nil
      throw TLSError(
        TLSInputFault(input: input, path: path, fault: format.map { .binary($0) } ?? error))
    }
  }
}
