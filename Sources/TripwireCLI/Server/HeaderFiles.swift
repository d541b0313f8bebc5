import Tripwire
import WireSystem

/// The argument of `--header`.
enum HeaderArgument: Sendable {
  case header(Metadata)
  /// A file with a header on each line; `-` is standard input.
  case file(String)
}

extension Parse {
  /// Parses `NAME: VALUE` or `@FILE`. No name begins with `@`.
  static func headerArgument(_ text: String) throws(InvalidValue) -> HeaderArgument {
    guard text.hasPrefix("@") else { return .header(try header(text)) }
    guard text != "@" else { throw InvalidValue("expected 'NAME: VALUE' or @FILE") }
    return .file(String(text.dropFirst()))
  }
}

extension RequestOptions {
  mutating func add(_ argument: HeaderArgument) {
    switch argument {
    case .header(let header): headers.append(contentsOf: header)
    case .file(let path): headerFiles.append(path)
    }
  }

  /// Whether a file is standard input.
  var readsStandardInput: Bool { headerFiles.contains("-") }

  /// An error if the token is read from standard input, too.
  func contradiction(with token: TokenOptions) -> UsageError? {
    guard readsStandardInput, token.source?.isStandardInput == true else { return nil }
    return UsageError(
      message: "--header @- cannot read stdin: the token is read from it", options: ["header"],
      hint: "write the headers to a file, and pass it with -H @FILE")
  }

  /// Reads the files of `--header @FILE`. An error never shows their text, which may be a credential.
  mutating func readHeaderFiles() throws(ErrorReport) {
    for path in headerFiles {
      let place = "--header: \(path == "-" ? "stdin" : escaped(path))"
      let bytes: [UInt8]
      do throws(FileReadError) {
        bytes = try contents(of: path)
      } catch {
        throw ErrorReport(
          local: "\(place): \(error)", of: "--header",
          hint: ErrorReport.hint(for: error, "--header"))
      }
      let read = try Self.headers(in: bytes, place)
      guard !read.isEmpty else {
        throw Self.fault("\(place): contains no header")
      }
      headers.append(contentsOf: read)
    }
  }

  private func contents(of path: String) throws(FileReadError) -> [UInt8] {
    let limit = 1 << 20
    let deadline = timeout.map { ContinuousClock.now + $0 }
    return path == "-"
      ? try LocalFile().contents(limit: limit, until: deadline)
      : try LocalFile.contents(of: path, limit: limit, until: deadline)
  }

  /// Returns the headers, one on each line that is not empty.
  private static func headers(in bytes: [UInt8], _ place: String) throws(ErrorReport) -> Metadata {
    var headers = Metadata()
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let text = String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
      guard !text.isEmpty else { continue }
      do throws(InvalidValue) {
        headers.append(contentsOf: try Parse.header(text))
      } catch {
        throw fault("\(place):\(index + 1): \(error.reason)")
      }
    }
    return headers
  }

  private static func fault(_ message: String) -> ErrorReport {
    ErrorReport(
      local: message, of: "--header", hint: "write one header on each line, as NAME: VALUE")
  }
}
