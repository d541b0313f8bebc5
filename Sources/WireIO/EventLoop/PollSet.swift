import WireSystem

/// The watched descriptors, in the layout of poll(2).
///
/// Handlers may add, change and cancel any watch during a round. The places of canceled watches
/// stay empty until the round is over, and new watches are appended. So a descriptor number that is
/// closed and reused within a round is not mistaken for the old one.
final class PollSet {
  private var entries: [pollfd] = []
  /// Parallel to `entries`; `nil` where a watch was canceled during a round.
  private var watches: [Watch?] = []
  private var isDispatching = false
  private var hasGaps = false

  func add(
    _ fileDescriptor: Int32, _ interest: Readiness, _ handler: @escaping (Readiness) -> Void
  ) -> Watch {
    let watch = Watch(fileDescriptor, interest, index: entries.count, handler, in: self)
    entries.append(pollfd())
    watches.append(watch)
    update(watch)
    return watch
  }

  func update(_ watch: Watch) {
    // poll(2) skips negative descriptors. Otherwise it would report an unwatched hang-up again and
    // again.
    entries[watch.index].fd = watch.interest.isEmpty ? -1 : watch.fileDescriptor
    entries[watch.index].events =
      (watch.interest.contains(.read) ? Int16(POLLIN) : 0)
      | (watch.interest.contains(.write) ? Int16(POLLOUT) : 0)
  }

  func remove(_ watch: Watch) {
    watch.set = nil
    watch.handler = nil
    if isDispatching {
      entries[watch.index].fd = -1
      watches[watch.index] = nil
      hasGaps = true
    } else {
      fill(watch.index)
    }
  }

  func removeAll() {
    for case let watch? in watches { remove(watch) }
  }

  /// Waits up to `milliseconds`, or forever if negative. Returns the number of ready descriptors
  /// for `dispatch`; 0 or less after the time, after a signal, or without kernel memory.
  func wait(milliseconds: Int32) -> Int32 {
    unsafe entries.withUnsafeMutableBufferPointer {
      unsafe poll($0.baseAddress, nfds_t($0.count), milliseconds)
    }
  }

  /// Calls the handlers of the ready descriptors.
  func dispatch(_ ready: Int32) {
    guard ready > 0 else { return }
    isDispatching = true
    var left = ready
    for index in entries.indices where left > 0 {
      let events = Int32(entries[index].revents)
      guard events != 0 else { continue }
      entries[index].revents = 0
      left -= 1
      guard let watch = watches[index], let handler = watch.handler else { continue }
      var readiness: Readiness = []
      if events & POLLIN != 0 { readiness.insert(.read) }
      if events & POLLOUT != 0 { readiness.insert(.write) }
      // An error or a hang-up. The next read or write returns which.
      if events & ~(POLLIN | POLLOUT) != 0 { readiness = watch.interest }
      readiness.formIntersection(watch.interest)
      if !readiness.isEmpty { handler(readiness) }
    }
    isDispatching = false
    guard hasGaps else { return }
    hasGaps = false
    for index in watches.indices.reversed() where watches[index] == nil { fill(index) }
  }

  /// Moves the last watch to a free place.
  private func fill(_ index: Int) {
    entries.swapAt(index, entries.count - 1)
    watches.swapAt(index, watches.count - 1)
    watches[index]?.index = index
    entries.removeLast()
    watches.removeLast()
  }
}
