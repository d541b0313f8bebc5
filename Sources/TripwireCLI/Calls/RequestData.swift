import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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

/// Reads it piece by piece. A read that has to wait does so on a thread of its own, and is given up
/// when the task is cancelled.
struct DataReader: Sendable {
  private enum Source: Sendable {
    case text([UInt8])
    case file(LocalFile)
    case descriptor(Int32)
  }

  private var source: Source

  init(_ data: RequestData) throws(FileError) {
    source =
      switch data {
      case .text(let text): .text(Array(text.utf8))
      case .file(let path): .file(try LocalFile(path))
      case .standardInput: .descriptor(0)
      }
  }

  /// The next bytes; empty at the end, and when the task is cancelled.
  mutating func next() async throws(FileError) -> [UInt8] {
    switch source {
    case .text(let text):
      source = .text([])
      return text
    case .file(let file): return try file.next()
    case .descriptor(let descriptor): return try await Self.read(descriptor)
    }
  }

  private static func read(_ descriptor: Int32) async throws(FileError) -> [UInt8] {
    let waiter = ReadWaiter()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard waiter.wait(continuation) else { return }
        let isStarted = startThread {
          waiter.finish(Result { () throws(FileError) in try LocalFile.read(descriptor) })
        }
        if !isStarted { waiter.finish(.failure(FileError(errno: EAGAIN))) }
      }
    } onCancel: {
      waiter.finish(.success([]))
    }
    return try outcome.get()
  }
}

/// What waits for a read: until it is done or nobody wants it any more.
private final class ReadWaiter: Sendable {
  typealias Outcome = Result<[UInt8], FileError>
  private enum State {
    case idle
    case waiting(CheckedContinuation<Outcome, Never>)
    case finished
  }

  private let state = Mutex(State.idle)

  /// - Returns: false when it is over already.
  func wait(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
    let isOver = state.withLock { state in
      if case .finished = state { return true }
      state = .waiting(continuation)
      return false
    }
    if isOver { continuation.resume(returning: .success([])) }
    return !isOver
  }

  func finish(_ outcome: Outcome) {
    let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      defer { state = .finished }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(returning: outcome)
  }
}
