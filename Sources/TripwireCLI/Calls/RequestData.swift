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

/// Reads it piece by piece. What has to wait does so on a thread of its own, a file too, which may be a
/// pipe, and is given up when the task is cancelled.
struct DataReader: Sendable {
  private enum Source: Sendable {
    case text([UInt8])
    case file(LocalFile)
    case descriptor(Int32)
  }

  private var source: Source

  init(_ data: RequestData) async throws(FileError) {
    source =
      switch data {
      case .text(let text): .text(Array(text.utf8))
      case .file(let path):
        .file(
          try await Self.wait(ifCancelled: .failure(FileError(errno: ECANCELED))) {
            () throws(FileError) in try LocalFile(path)
          })
      case .standardInput: .descriptor(0)
      }
  }

  /// The next bytes; empty at the end, and when the task is cancelled.
  mutating func next() async throws(FileError) -> [UInt8] {
    switch source {
    case .text(let text):
      source = .text([])
      return text
    case .file(let file):
      return try await Self.wait(ifCancelled: .success([])) { () throws(FileError) in
        try file.next()
      }
    case .descriptor(let descriptor):
      return try await Self.wait(ifCancelled: .success([])) { () throws(FileError) in
        try LocalFile.read(descriptor)
      }
    }
  }

  private static func wait<Value: Sendable>(
    ifCancelled: Result<Value, FileError>,
    for body: @escaping @Sendable () throws(FileError) -> Value
  ) async throws(FileError) -> Value {
    let waiter = FileWaiter<Value>()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard waiter.wait(continuation) else { return }
        let isStarted = startThread { waiter.finish(Result(catching: body)) }
        if !isStarted { waiter.finish(.failure(FileError(errno: EAGAIN))) }
      }
    } onCancel: {
      waiter.finish(ifCancelled)
    }
    return try outcome.get()
  }
}

/// What waits for a file: until that is done or nobody wants it any more.
private final class FileWaiter<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, FileError>
  private enum State {
    case idle
    case waiting(CheckedContinuation<Outcome, Never>)
    case finished(Outcome)
  }

  private let state = Mutex(State.idle)

  /// - Returns: false when it is over already.
  func wait(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
    let outcome = state.withLock { state -> Outcome? in
      if case .finished(let outcome) = state { return outcome }
      state = .waiting(continuation)
      return nil
    }
    if let outcome { continuation.resume(returning: outcome) }
    return outcome == nil
  }

  /// The first time counts.
  func finish(_ outcome: Outcome) {
    let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      if case .finished = state { return nil }
      defer { state = .finished(outcome) }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(returning: outcome)
  }
}
