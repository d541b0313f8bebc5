import WireSystem

/// The watched descriptors, in the shape poll(2) takes.
///
/// Handlers may add, change and cancel any watch while a round is dispatched: cancelled places stay
/// empty until the round is over, and new watches come after those that are dispatched. So a
/// descriptor number that is closed and used again within the round is not mistaken for the old.
final class PollSet {
  private var entries: [pollfd] = []
  /// Parallel to `entries`; `nil` where a watch was cancelled during a round.
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
    // poll(2) passes over negative descriptors; otherwise a hang-up nobody asked about would be
    // reported again and again.
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

  /// Waits up to `milliseconds`, for ever if negative. Returns how many descriptors are ready, for
  /// `dispatch`: 0 or less when the time has passed, after a signal, or for want of kernel memory.
  func wait(milliseconds: Int32) -> Int32 {
    unsafe entries.withUnsafeMutableBufferPointer {
      unsafe poll($0.baseAddress, nfds_t($0.count), milliseconds)
    }
  }

  /// Calls the handlers of what is ready.
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
      // An error or a hang-up: the next read or write tells which.
      if events & ~(POLLIN | POLLOUT) != 0 { readiness = watch.interest }
      readiness.formIntersection(watch.interest)
      if !readiness.isEmpty { handler(readiness) }
    }
    isDispatching = false
    guard hasGaps else { return }
    hasGaps = false
    for index in watches.indices.reversed() where watches[index] == nil { fill(index) }
  }

  /// Moves the last watch to a place that has become free.
  private func fill(_ index: Int) {
    entries.swapAt(index, entries.count - 1)
    watches.swapAt(index, watches.count - 1)
    watches[index]?.index = index
    entries.removeLast()
    watches.removeLast()
  }
}
