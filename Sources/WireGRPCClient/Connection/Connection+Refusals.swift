import WireHTTP2
import WireIO

// Pauses when the peer refuses streams.

extension Connection {
  /// Opens no stream for a while if the peer refused one for lack of room, and returns whether it did.
  func makeRoom(refused id: StreamID) -> Bool {
    let cause = refusedStreams.refused(
      id, earlier: session.submittedStreams(before: id), limit: session.maxConcurrentStreams,
      lastOpened: session.lastSubmittedStream, lastAnswered: streams.lastAnswered)
    guard case .streamLimit(let pause) = cause else { return false }
    guard pause != nil || machine.isPausing else { return true }
    machine.pause()
    guard let pause else { return true }
    timers.pause?.cancel()
    timers.pause = context.loop.schedule(at: .now + pause) { [self] in
      perform(machine.resume())
      reportNotices()
    }
    return true
  }
}
