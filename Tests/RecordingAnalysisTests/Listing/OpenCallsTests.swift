import Recording
import Testing

@testable import RecordingAnalysis

@Suite struct OpenCallsTests {
  private var numbers = CallNumbers()

  private mutating func entry(
    _ id: UInt64, _ type: BinlogGrpcLogEntry.EventType
  ) -> LoggedEntry {
    var entry = BinlogGrpcLogEntry(callId: id)
    entry.type = type
    if type == .serverTrailer { entry.payload = .trailer(BinlogTrailer()) }
    return LoggedEntry(entry, of: numbers.call(of: entry))
  }

  @Test mutating func trailerEndsACallAndACancelDoesNot() {
    var calls = OpenCalls<String>()
    for (number, state) in [(1, "canceled"), (2, "open")] {
      #expect(entry(UInt64(number), .clientHeader).call.number == number)
      calls[number] = state
    }
    for type in [BinlogGrpcLogEntry.EventType.cancel, .serverHeader, .cancel] {
      #expect(calls.end(at: entry(1, type)) == nil)
    }
    #expect(calls.all == ["canceled", "open"])
    let trailer = entry(1, .serverTrailer)
    #expect(calls.end(at: trailer) == "canceled")
    #expect(calls.end(at: trailer) == nil)
    #expect(calls.all == ["open"])
  }

  @Test mutating func canceledCallEndsWhenNoStatusCanFollow() {
    var calls = OpenCalls<Int>()
    for id in 1...3_000 {
      let number = entry(UInt64(id), .clientHeader).call.number
      calls[number] = number
      let ended = calls.end(at: entry(UInt64(id), .cancel))
      #expect(ended == (id > CallNumbers.endedLimit ? id - CallNumbers.endedLimit : nil))
    }
    #expect(calls.all == Array(1_977...3_000))
    #expect(!entry(1_977, .serverTrailer).call.isNew)
    #expect(entry(1_976, .serverTrailer).call.isNew)
  }

  /// A status may still follow the others.
  @Test mutating func onlyWantedCanceledCallsEndAtAPause() {
    var calls = OpenCalls<Int>()
    for id in 1...3 {
      calls[entry(UInt64(id), .clientHeader).call.number] = id
      if id < 3 { #expect(calls.end(at: entry(UInt64(id), .cancel)) == nil) }
    }
    #expect(calls.endCanceled { $0 != 1 } == [2])
    #expect(calls.end(at: entry(1, .serverTrailer)) == 1)
    #expect(calls.all == [3])
  }

  @Test func limitsTheHeldBytes() throws {
    var calls = OpenCalls<Int>()
    let half = OpenCallsOverflow.limit / 2
    for number in 1...3 {
      calls[number] = number
      try calls.hold(half, in: number)
      if number == 1 { #expect(calls.remove(1) == 1) }
    }
    #expect(throws: OpenCallsOverflow.self) { try calls.hold(1, in: 3) }
  }
}
