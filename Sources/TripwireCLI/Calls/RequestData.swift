import WireGRPC
import WireIO

/// Where the requests of a call come from.
enum RequestData: Equatable, Sendable {
  case text(String)
  case file(String)
  case standardInput

  /// What `-d` was given: JSON, `@FILE`, or `-` or `@` for standard input.
  init(_ argument: String) {
    switch argument {
    case "-", "@", "@-": self = .standardInput
    case _ where argument.hasPrefix("@"): self = .file(String(argument.dropFirst()))
    default: self = .text(argument)
    }
  }

  /// As errors name it.
  var name: String {
    switch self {
    case .text: "-d"
    case .file(let path): path
    case .standardInput: "stdin"
    }
  }
}

/// Reads it piece by piece. What has to wait does so on a thread of its own, a file too, which may be a
/// pipe, and is given up when the task is cancelled.
struct DataReader: Sendable {
  private enum Source: Sendable {
    case text([UInt8])
    case file(LocalFile)
  }

  private var source: Source

  init(_ data: RequestData) async throws(IOError) {
    source =
      switch data {
      case .text(let text): .text(Array(text.utf8))
      case .file(let path):
        .file(
          try await Self.wait(ifCancelled: .failure(IOError(code: .cancelled, operation: "open"))) {
            () throws(IOError) in try LocalFile(path)
          })
      case .standardInput: .file(LocalFile())
      }
  }

  /// The next bytes; empty at the end, and when the task is cancelled.
  mutating func next() async throws(IOError) -> [UInt8] {
    switch source {
    case .text(let text):
      source = .text([])
      return text
    case .file(let file):
      return try await Self.wait(ifCancelled: .success([])) { () throws(IOError) in
        try file.next()
      }
    }
  }

  private static func wait<Value: Sendable>(
    ifCancelled: Result<Value, IOError>,
    for body: @escaping @Sendable () throws(IOError) -> Value
  ) async throws(IOError) -> Value {
    let race = Race<Result<Value, IOError>>()
    let outcome = await withTaskCancellationHandler {
      if race.outcome == nil {
        do throws(IOError) {
          try Thread(for: "a file") { race.end(Result(catching: body)) }.detach()
        } catch {
          race.end(.failure(error))
        }
      }
      return await race.wait()
    } onCancel: {
      race.end(ifCancelled)
    }
    return try outcome.get()
  }
}
