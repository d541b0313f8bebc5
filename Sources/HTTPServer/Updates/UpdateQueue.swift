import WireSystem

/// Passes updates from other threads to the server's thread.
///
/// It holds at most one frame for each resource. A byte in a pipe wakes the loop, one for all updates
/// that it has not taken yet.
final class UpdateQueue: Sendable {
  /// All updates since the last ones.
  struct Batch {
    /// In the order of the first update of each resource.
    fileprivate(set) var frames: [(name: String, frame: [UInt8]?)] = []
    fileprivate var positions: [String: Int] = [:]
    fileprivate(set) var isEnd = false
    fileprivate(set) var isStop = false
  }

  private struct State {
    var batch = Batch()
    var isAwake = false
    var connectedPages = 0
    var threadID: UInt = 0
  }

  private let wakeup: WakeupPipe
  private let state = Locked(State())

  init() throws(IOError) {
    wakeup = try WakeupPipe()
  }

  /// Readable when a batch waits.
  var readEnd: Int32 { wakeup.readEnd }

  /// - Parameter frame: nil removes the resource.
  func update(_ name: String, _ frame: [UInt8]?) {
    change { batch in
      if let position = batch.positions[name] {
        batch.frames[position].frame = frame
      } else {
        batch.positions[name] = batch.frames.count
        batch.frames.append((name, frame))
      }
    }
  }

  func end() { change { $0.isEnd = true } }

  func stop() { change { $0.isStop = true } }

  private func change(_ body: (inout Batch) -> Void) {
    let wakes = state.withLock { state in
      body(&state.batch)
      defer { state.isAwake = true }
      return !state.isAwake
    }
    if wakes { wakeup.wake() }
  }

  /// Returns all updates since the last call. Only the server's thread calls it.
  func take() -> Batch {
    wakeup.drain()
    return state.withLock { state in
      let batch = state.batch
      state.batch = Batch()
      state.isAwake = false
      return batch
    }
  }

  // MARK: Reports of the server's thread

  var connectedPages: Int {
    get { state.withLock { $0.connectedPages } }
    set { state.withLock { $0.connectedPages = newValue } }
  }

  /// The server's thread; 0 before it runs.
  var threadID: UInt {
    get { state.withLock { $0.threadID } }
    set { state.withLock { $0.threadID = newValue } }
  }
}
