import WireSystem

/// A file to which the secrets of connections are appended, one line each, in the NSS Key Log Format that
/// Wireshark reads.
final class KeyLog: Sendable {
  private let output: DirectOutput
  private let failed: (@Sendable (IOError.Code) -> Void)?

  /// Creates the file, readable by its owner only, unless it exists.
  ///
  /// - Parameters:
  ///   - path: of a file, a pipe or a device. A file has to be empty or a key log.
  ///   - failed: called for each line that cannot be written.
  init(
    appendingTo path: String, failed: (@Sendable (IOError.Code) -> Void)? = nil
  ) throws(TLSError) {
    self.failed = failed
    do throws(PEMFault) {
      output = try Self.open(path)
    } catch {
      throw TLSError(TLSInputFault(input: .keyLog, path: path, fault: error))
    }
  }

  private static func open(_ path: String) throws(PEMFault) -> DirectOutput {
    do throws(IOError) {
      let destination = try OutputDestination(path)
      // A FIFO without a reader must not block.
      if let output = try DirectOutput(destination, waitsForReader: false) { return output }
      if case .file(let path) = destination, LocalFile.exists(path),
        !isKeyLog(try LocalFile(path).next())
      {
        throw IOError(code: .fileExists, operation: "append to \(path)")
      }
      return try DirectOutput(appendingTo: path)
    } catch {
      throw error.code == .fileExists ? .noKeyLog : .unreadable(.system(error.code))
    }
  }

  /// Whether the first bytes of a file are those of a key log: comments, and lines such as
  /// `CLIENT_RANDOM 52362c10… 4b2a…`.
  private static func isKeyLog(_ beginning: [UInt8]) -> Bool {
    let line = beginning.split(separator: UInt8(ascii: "\n")).first {
      $0.first != UInt8(ascii: "#")
    }
    guard let line else { return true }
    let words = line.split(separator: UInt8(ascii: " "))
    return words.count == 3
      && words[0].allSatisfy { (65...90).contains($0) || (48...57).contains($0) || $0 == 95 }
  }

  /// Writes each line with one call, so that lines of several threads or programs do not mix. A full disk
  /// does not fail the connection.
  func append(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    if let failure = output.write(bytes[...], patience: 0).failure { failed?(failure.code) }
  }
}
