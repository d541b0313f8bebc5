import CommandLine
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
      let lines: [InputLine]
      do throws(FileReadError) {
        lines = try InputLine.lines(
          of: path, limit: 1 << 20, until: timeout.map { ContinuousClock.now + $0 })
      } catch {
        throw ErrorReport("header", path, error)
      }
      guard !lines.isEmpty else {
        throw Self.fault("\(escaped(LocalFile.name(of: path))): contains no header")
      }
      for line in lines {
        do throws(InvalidValue) {
          headers.append(contentsOf: try Parse.header(line.text))
        } catch {
          throw Self.fault("\(line.place): \(error.reason)")
        }
      }
    }
  }

  private static func fault(_ message: String) -> ErrorReport {
    ErrorReport(
      local: "--header: \(message)", of: "--header",
      hint: "write one header on each line, as NAME: VALUE")
  }
}
