import Foundation
import Testing
import Tripwire

@testable import RidesharingConsumer

@Suite struct GMTCTripServiceTests {
  private func service() throws -> GMTCTripService {
    let fleet = try FleetServices(
      providerID: "p", endpoint: "127.0.0.1:1",
      configuration: ChannelConfiguration(security: .plaintext))
    return GMTCTripService(fleet)
  }

  @Test func sameNameYieldsTheSameModel() throws {
    let service = try service()
    let model = service.tripModel(forTripName: "providers/p/trips/t1")
    #expect(service.tripModel(forTripName: "providers/p/trips/t1") === model)
    #expect(service.hasTripModel(forTripName: "providers/p/trips/t1"))
    #expect(!service.hasTripModel(forTripName: "providers/p/trips/t2"))
    #expect(service.allTripModels() == [model])
    #expect(service.activeTripModels().isEmpty)
    #expect(model.tripName == "providers/p/trips/t1")
    #expect(model.currentTrip == nil)
    #expect(model.state == .inactive)
  }

  @Test func unheldModelIsReleased() throws {
    let service = try service()
    weak var model: GMTCTripModel?
    do {
      let held = service.tripModel(forTripName: "providers/p/trips/t1")
      held.options.autoRefreshTimeInterval = 1
      model = held
    }
    #expect(model == nil)
    #expect(service.allTripModels().isEmpty)
  }

  @Test func optionsReachTheTripModel() throws {
    let model = try service().tripModel(forTripName: "providers/p/trips/t1")
    #expect(model.model.options.refreshInterval == .seconds(5))
    model.options.autoRefreshTimeInterval = 2.5
    #expect(model.model.options.refreshInterval == .milliseconds(2500))
    model.options.tripRequestHeader = .defaultHeader
    #expect(model.model.options.header?.sdkType == .consumer)
    #expect(model.model.options.refreshInterval == .milliseconds(2500))

    let options = GMTCMutableTripModelOptions()
    options.autoRefreshTimeInterval = 9
    model.options = options
    #expect(model.model.options.refreshInterval == .seconds(9))
    #expect(model.model.options.header == nil)
    options.autoRefreshTimeInterval = 10
    #expect(model.options.autoRefreshTimeInterval == 9)
  }

  @Test func lastOptionsApply() throws {
    let model = try service().tripModel(forTripName: "providers/p/trips/t1")
    for round in 0..<500 {
      DispatchQueue.concurrentPerform(iterations: 8) { index in
        model.options.autoRefreshTimeInterval = Double(round * 8 + index + 1)
      }
      let interval = model.options.autoRefreshTimeInterval
      #expect(model.model.options.refreshInterval == .seconds(interval))
    }
  }

  @Test(
    arguments: [
      (0, 5), (-1, 5), (.nan, 5), (0.25, 0.25), (.infinity, 86_400), (1e300, 86_400),
    ] as [(TimeInterval, Double)])
  func invalidIntervalsAreReplaced(interval: TimeInterval, seconds: Double) throws {
    let model = try service().tripModel(forTripName: "providers/p/trips/t1")
    model.options.autoRefreshTimeInterval = interval
    #expect(model.model.options.refreshInterval == .seconds(seconds))
  }
}
