import Testing
import WireSystem

@testable import WireIO
@testable import WireSystem

private func systemWrite(_ descriptor: Int32, _ text: String) -> Int {
  write(descriptor, text, text.utf8.count)
}

/// Everything runs on the test's own thread, without a loop: `round(milliseconds: 0)` is one round.
@Suite struct PollSetTests {
  let set = PollSet()

  /// A pipe that closes its descriptors in `deinit`.
  final class Pipe {
    let read: Int32
    let write: Int32

    init() throws {
      let ends = try #require(SystemCalls.pipe())
      (read, write) = ends
    }

    func fill(_ text: String = "x") {
      #expect(systemWrite(write, text) == text.utf8.count)
    }

    deinit {
      close(read)
      close(write)
    }
  }

  final class Log {
    var entries: [String] = []
  }

  @Test func callsTheHandlerWhileTheDescriptorIsReady() throws {
    let pipe = try Pipe()
    let log = Log()
    let watch = set.add(pipe.read, .read) { log.entries.append("\($0.rawValue)") }
    set.round(milliseconds: 0)
    #expect(log.entries == [])
    pipe.fill()
    set.round(milliseconds: -1)
    set.round(milliseconds: -1)
    #expect(log.entries == ["1", "1"])
    watch.cancel()
    watch.cancel()
    set.round(milliseconds: 0)
    #expect(log.entries.count == 2)
  }

  @Test func reportsOnlyTheInterest() throws {
    let pipe = try Pipe()
    let log = Log()
    let watch = set.add(pipe.write, .read) { log.entries.append("\($0.rawValue)") }
    set.round(milliseconds: 0)
    #expect(log.entries == [])
    watch.update(.write)
    set.round(milliseconds: 0)
    watch.update([.read, .write])
    set.round(milliseconds: 0)
    #expect(log.entries == ["2", "2"])
    watch.cancel()
  }

  @Test func hangUpCountsAsTheWholeInterest() throws {
    let pipe = try #require(SystemCalls.pipe())
    defer { close(pipe.read) }
    let log = Log()
    let watch = set.add(pipe.read, .read) { log.entries.append("\($0.rawValue)") }
    close(pipe.write)
    // A child process of another test may hold the other end until it calls exec.
    set.round(milliseconds: 10_000)
    #expect(log.entries == ["1"])
    watch.update([])
    set.round(milliseconds: 0)
    #expect(log.entries == ["1"])
    watch.update(.read)
    set.round(milliseconds: 0)
    #expect(log.entries == ["1", "1"])
    watch.cancel()
  }

  @Test func prematurelyClosedDescriptorIsReported() throws {
    let pipe = try Pipe()
    // A number that no other test gets meanwhile.
    let copy = fcntl(pipe.read, F_DUPFD, 900)
    #expect(copy >= 900)
    let log = Log()
    let watch = set.add(copy, .read) { log.entries.append("\($0.rawValue)") }
    close(copy)
    set.round(milliseconds: 0)
    #expect(log.entries == ["1"])
    watch.cancel()
  }

  @Test func handlerCancelsAnotherWatchOfTheRound() throws {
    let pipes = [try Pipe(), try Pipe(), try Pipe()]
    let log = Log()
    var watches: [Watch] = []
    for (index, pipe) in pipes.enumerated() {
      watches.append(
        set.add(pipe.read, .read) { _ in
          log.entries.append("\(index)")
          if index == 0 { watches[1].cancel() }
        })
      pipe.fill()
    }
    set.round(milliseconds: 0)
    #expect(log.entries == ["0", "2"])
    set.round(milliseconds: 0)
    #expect(log.entries.sorted() == ["0", "0", "2", "2"])
    for watch in watches { watch.cancel() }
  }

  @Test func handlerCancelsItsOwnWatch() throws {
    let pipes = [try Pipe(), try Pipe()]
    let log = Log()
    var watches: [Watch] = []
    for (index, pipe) in pipes.enumerated() {
      watches.append(
        set.add(pipe.read, .read) { _ in
          log.entries.append("\(index)")
          watches[index].cancel()
        })
      pipe.fill()
    }
    for _ in 0..<3 { set.round(milliseconds: 0) }
    #expect(log.entries == ["0", "1"])
  }

  @Test func reusedDescriptorNumberIsNotMistakenForTheOld() throws {
    let first = try Pipe()
    let old = try Pipe()
    let new = try Pipe()
    let log = Log()
    var oldWatch: Watch?
    var newWatch: Watch?
    let watch = set.add(first.read, .read) { _ in
      guard let watch = oldWatch else { return }
      oldWatch = nil
      watch.cancel()
      // Closes the old descriptor and gives its number to the new one.
      #expect(dup2(new.read, old.read) == old.read)
      newWatch = set.add(old.read, .read) { _ in log.entries.append("new") }
    }
    oldWatch = set.add(old.read, .read) { _ in log.entries.append("old") }
    first.fill()
    old.fill()
    set.round(milliseconds: 0)
    set.round(milliseconds: 0)
    #expect(log.entries == [])
    new.fill()
    set.round(milliseconds: 0)
    #expect(log.entries == ["new"])
    watch.cancel()
    newWatch?.cancel()
  }

  @Test func cancelReleasesTheHandler() throws {
    final class Object {}
    let pipe = try Pipe()
    var object: Object? = Object()
    weak let weakObject = object
    let watch = set.add(pipe.read, .read) { [object] _ in _ = object }
    object = nil
    #expect(weakObject != nil)
    watch.cancel()
    #expect(weakObject == nil)
    watch.update(.write)
    set.round(milliseconds: 0)
  }

  @Test func manyWatchesAreAddedAndCanceledInAnyOrder() throws {
    let log = Log()
    var watches: [(Pipe, Watch)] = []
    for index in 0..<50 {
      let pipe = try Pipe()
      pipe.fill()
      watches.append((pipe, set.add(pipe.read, .read) { _ in log.entries.append("\(index)") }))
    }
    for index in stride(from: 49, through: 0, by: -3) { watches.remove(at: index).1.cancel() }
    set.round(milliseconds: 0)
    let expected = (0..<50).filter { ($0 - 1) % 3 != 0 }.map { "\($0)" }
    #expect(log.entries.sorted() == expected.sorted())
    set.removeAll()
    set.round(milliseconds: 0)
    #expect(log.entries.count == expected.count)
  }
}

extension PollSet {
  fileprivate func round(milliseconds: Int32) {
    dispatch(wait(milliseconds: milliseconds))
  }
}
