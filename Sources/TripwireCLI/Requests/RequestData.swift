import WireGRPCClient
import WireSystem

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

/// Reads it piece by piece. Waiting for a file happens on a thread of its own, and ends when the task
/// is canceled.
struct DataReader: Sendable {
  private enum Source: Sendable {
    case text([UInt8])
    case file(LocalFile)
  }

  private var source: Source
  private let deadline: ContinuousClock.Instant?

  /// - Parameter deadline: when to give up waiting; nil never does.
  init(_ data: RequestData, until deadline: ContinuousClock.Instant?) throws(IOError) {
    self.deadline = deadline
    source =
      switch data {
      case .text(let text): .text(Array(text.utf8))
      case .file(let path): .file(try LocalFile(path))
      case .standardInput: .file(LocalFile())
      }
  }

  /// The next bytes; empty at the end, and when the task is canceled.
  mutating func next() async throws(IOError) -> [UInt8] {
    switch source {
    case .text(let text):
      source = .text([])
      return text
    case .file(let file):
      // A file that never ends never has to be waited for.
      if let deadline, deadline <= .now { throw IOError(code: .timedOut, operation: "read") }
      let race = FirstResult<Result<[UInt8], IOError>>()
      let outcome = await withTaskCancellationHandler {
        do throws(IOError) {
          try Thread(for: "a file") { [deadline] in
            race.end(Result { () throws(IOError) in try file.next(until: deadline) })
          }.detach()
        } catch {
          race.end(.failure(error))
        }
        return await race.wait()
      } onCancel: {
        race.end(.success([]))
      }
      return try outcome.get()
    }
  }
}
