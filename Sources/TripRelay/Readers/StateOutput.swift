package import RelayAPI
import WireProtobuf
package import WireSystem

/// Writes states to stdout, each after its length as a varint. A slow reader misses states, but never the newest
/// one of a resource.
///
/// It has its own thread, which waits for the reader of the pipe.
package final class StateOutput: StateReceiver {
  private struct Entry {
    var state: ResourceState
    /// The age when it was received; nil if it has none.
    let age: Duration?
    let received: ContinuousClock.Instant
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// The resources in the order of their oldest unwritten states.
    var order: [String] = []
    var isClosed = false
    var failure: IOError?
  }

  private let descriptor: Int32
  private let wakeup: WakeupPipe
  private let state = Locked(State())

  package init(_ descriptor: Int32 = 1) throws(IOError) {
    self.descriptor = descriptor
    wakeup = try WakeupPipe()
    try Thread(for: "the states") { self.run() }.detach()
  }

  /// Whether the reader has closed its end.
  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Why states could not be written; nil if the reader has only closed its end.
  package var failure: IOError? { state.withLock { $0.failure } }

  package func write(_ new: ResourceState, age: Duration?) {
    state.withLock { state in
      if state.entries[new.name] == nil { state.order.append(new.name) }
      state.entries[new.name] = Entry(state: new, age: age, received: .now)
    }
    wakeup.wake()
  }

  private func run() {
    while true {
      var files = [
        // Reports the end of the reader.
        pollfd(fd: descriptor, events: 0, revents: 0),
        pollfd(fd: wakeup.readEnd, events: Int16(POLLIN), revents: 0),
      ]
      _ = unsafe poll(&files, 2, -1)
      if files[0].revents & Int16(POLLERR) != 0 { return close() }
      wakeup.drain()
      while let bytes = next() {
        if SystemCalls.write(bytes[...], to: descriptor, patience: -1) < bytes.count {
          let error = IOError(operation: "write")
          return close(error.code == .brokenPipe ? nil : error)
        }
      }
    }
  }

  private func close(_ failure: IOError? = nil) {
    state.withLock { state in
      state.isClosed = true
      state.failure = failure
    }
  }

  /// The next states that are not written, up to some kilobytes.
  private func next() -> [UInt8]? {
    let entries = state.withLock { state in
      let names = state.order.prefix(64)
      state.order.removeFirst(names.count)
      return names.compactMap { state.entries.removeValue(forKey: $0) }
    }
    guard !entries.isEmpty else { return nil }
    var bytes: [UInt8] = []
    let now = ContinuousClock.now
    for entry in entries {
      var state = entry.state
      state.age = entry.age.map { WireDuration($0 + (now - entry.received)) }
      let message = state.serializedBytes()
      var length = UInt64(message.count)
      while length >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: length) | 0x80)
        length >>= 7
      }
      bytes.append(UInt8(length))
      bytes += message
    }
    return bytes
  }
}
