import FleetEngineAPI
import Testing

@testable import TripRelay

@Suite struct StreamLayoutTests {
  private let trip: ResourceName
  private let other: ResourceName
  private let task: ResourceName

  init() throws {
    trip = try ResourceName("providers/p/trips/t1")
    other = try ResourceName("providers/p/trips/t2")
    task = try ResourceName("providers/p/tasks/a.b")
  }

  @Test func onePartitionHasTheNamesOfTheFirstVersion() throws {
    let layout = StreamLayout.single
    #expect(layout.stream(of: trip) == "TRIPWIRE_TRIPS")
    #expect(layout.subject(of: trip) == "tripwire.v1.trips.p.t1")
    #expect(layout.stream(of: task) == "TRIPWIRE_TASKS")
    #expect(layout.subject(of: task) == "tripwire.v1.tasks.p.a=2Eb")
  }

  /// The numbers are those of the 32-bit FNV-1a hash of "pt1" and "pt2".
  @Test func partitionDependsOnTheProviderAndTheResource() throws {
    let layout = try #require(StreamLayout(partitions: 16))
    #expect(layout.partition(of: trip) == 0)
    #expect(layout.partition(of: other) == 9)
    #expect(layout.stream(of: other) == "TRIPWIRE_TRIPS_16_9")
    #expect(layout.subject(of: other) == "tripwire.v1.partitions.trips.16.9.p.t2")
  }

  @Test func eachResourceIsInAStreamOfItsKind() throws {
    for partitions in StreamLayout.choices {
      let layout = try #require(StreamLayout(partitions: partitions))
      for name in [trip, other, task] {
        let streams = layout.streams(of: name.kind)
        #expect(streams.count == partitions)
        #expect(Set(streams.map(\.name)).count == partitions)
        let stream = streams.first { $0.name == layout.stream(of: name) }
        #expect(stream.map { layout.subject(of: name).hasPrefix($0.subjects + ".") } == true)
      }
    }
    #expect(StreamLayout(partitions: 3) == nil)
  }

  @Test func layoutIsKnownFromAStream() throws {
    for partitions in StreamLayout.choices {
      let layout = try #require(StreamLayout(partitions: partitions))
      for name in [trip, task] {
        for (stream, _) in layout.streams(of: name.kind) {
          #expect(StreamLayout(stream: stream, of: name.kind) == layout)
        }
      }
    }
    for stream in [
      "", "TRIPWIRE_TASKS", "TRIPWIRE_TRIPS_3_0", "TRIPWIRE_TRIPS_16_16", "TRIPWIRE_TRIPS_16",
    ] {
      #expect(StreamLayout(stream: stream, of: .trip) == nil, "\(stream)")
    }
  }

  @Test func valueInNATSIsParsed() throws {
    let layout = try #require(StreamLayout(partitions: 16))
    #expect(layout.json == #"{"partitions":16}"#)
    #expect(StreamLayout(message(layout.json)) == layout)
    for json in ["", "{}", #"{"partitions":0}"#, #"{"partitions":1e99}"#, #"{"partitions":5}"#] {
      #expect(StreamLayout(message(json)) == nil, "\(json)")
    }
    let removal = NATSMessage("s", headers: ["KV-Operation": "DEL"], data: Array(layout.json.utf8))
    #expect(StreamLayout(removal) == nil)
  }

  private func message(_ json: String) -> NATSMessage {
    NATSMessage("s", data: Array(json.utf8))
  }
}
