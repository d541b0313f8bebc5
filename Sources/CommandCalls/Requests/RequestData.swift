package import CommandLine
package import CommandShell
import WireGRPCClient
package import WireSystem

/// The source of the requests of a call.
package enum RequestData: Equatable, Sendable {
  case text(String)
  case file(String)
  case standardInput

  /// - Parameter argument: the value of `-d`: JSON, `@FILE`, or `-` or `@` for standard input.
  package init(_ argument: String) throws(InvalidValue) {
    // U+FFFD replaces bytes that are not UTF-8.
    guard !argument.unicodeScalars.contains("\u{FFFD}") else {
      throw InvalidValue("the value is not UTF-8", mayBeShown: false)
    }
    switch argument {
    case "-", "@", "@-": self = .standardInput
    case _ where argument.hasPrefix("@"): self = .file(String(argument.dropFirst()))
    default: self = .text(argument)
    }
  }

  /// Whether the argument looks like JSON that a shell split at a space, for lack of quotes.
  package var isSplitJSON: Bool {
    guard case .text(let text) = self, text.first == "{" || text.first == "[" else { return false }
    return text.last != "}" && text.last != "]"
  }

  var isText: Bool { if case .text = self { true } else { false } }

  /// The limit of each wait for the data without a deadline; nil for none. A person may type on standard input.
  var defaultTimeout: Duration? { if case .file = self { LocalFile.defaultTimeout } else { nil } }

  /// The name of the source in errors.
  var name: String {
    switch self {
    case .text: "-d"
    case .file(let path): path
    case .standardInput: "stdin"
    }
  }
}

extension [RequestData] {
  /// The error for data that cannot be read: standard input is read once, and perhaps for the token.
  package func contradiction(with server: ServerOptions) -> UsageError? {
    let count = count { $0 == .standardInput }
    guard count > 0 else { return nil }
    if let other = server.standardInput {
      return UsageError(
        message: "-d cannot read stdin: the \(other) read from it",
        hint: "write the JSON to a file, and pass it with -d @FILE")
    }
    guard count > 1 else { return nil }
    return UsageError(
      message: "-d -: stdin can be read only once", options: ["data"], hint: "pass -d - once")
  }
}

/// Reads request data piece by piece. A thread of its own waits for a file, until the task is canceled.
package struct DataReader: Sendable {
  private enum Source: Sendable {
    case text([UInt8])
    case file(LocalFile)
  }

  private var source: Source

  package init(_ data: RequestData) throws(IOError) {
    source =
      switch data {
      case .text(let text): .text(Array(text.utf8))
      case .file(let path): .file(try LocalFile(path))
      case .standardInput: .file(LocalFile())
      }
  }

  /// Whether reading may have to wait for another process.
  var mayWait: Bool { if case .file(let file) = source { file.mayWait } else { false } }

  /// The next bytes; empty at the end, and when the task is canceled.
  ///
  /// - Parameter deadline: the deadline of the wait; nil for none. Afterwards, only the end of a pipe is read.
  package mutating func next(
    until deadline: ContinuousClock.Instant?
  ) async throws(IOError) -> [UInt8] {
    switch source {
    case .text(let text):
      source = .text([])
      return text
    case .file(let file):
      let isLate = file.mayWait && deadline.map { $0 <= .now } ?? false
      let first = FirstResult<Result<[UInt8], IOError>>()
      let outcome = await withTaskCancellationHandler {
        do throws(IOError) {
          try Thread(for: "a file") {
            first.end(Result { () throws(IOError) in try file.next(until: deadline) })
          }.detach()
        } catch {
          first.end(.failure(error))
        }
        return await first.wait()
      } onCancel: {
        first.end(.success([]))
      }
      let bytes = try outcome.get()
      // Reading never waits for a device without end.
      guard bytes.isEmpty || !isLate else { throw IOError(code: .timedOut, operation: "read") }
      return bytes
    }
  }
}
