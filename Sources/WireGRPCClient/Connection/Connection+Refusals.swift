import WireHTTP2
import WireIO

// What a connection does about streams that its peer refuses.

extension Connection {
  /// Opens no stream for a while when the peer refused one for want of room; returns whether it did.
  func makeRoom(refused id: StreamID) -> Bool {
    let meaning = refusedStreams.refused(
      id, earlier: session.submittedStreams(before: id), limit: session.maxConcurrentStreams,
      lastOpened: session.lastSubmittedStream, lastAnswered: lastAnswered)
    guard case .noRoom(let pause) = meaning else { return false }
    guard pause != nil || machine.isPausing else { return true }
    machine.pause()
    guard let pause else { return true }
    pauseTimer?.cancel()
    pauseTimer = context.loop.schedule(at: .now + pause) { [self] in
      perform(machine.resume())
      tellDispatcher()
    }
    return true
  }
}
