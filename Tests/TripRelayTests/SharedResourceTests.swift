import FleetEngineAPI
import RelayAPI
import Testing
import Tripwire

@testable import TripRelay

/// The decisions about one resource of a worker, at given instants.
@Suite struct SharedResourceTests {
  private let start = ContinuousClock.now
  private let model: any AnyResourceModel
  private let resource: SharedResource

  init() throws {
    let fleet = try FleetServices(providerID: "p", source: RelaySource())
    let name = ResourceName.trip(try TripName(providerID: "p", tripID: "t"))
    model = fleet.model(of: name)
    resource = SharedResource(key: "p.t", name: name)
  }

  @Test func failedLoadIsRepeatedAfterASecond() {
    #expect(!resource.isLoadDue(at: start + .seconds(60)))
    resource.loadFailed(at: start)
    #expect(!resource.isLoadDue(at: start + .milliseconds(999)))
    #expect(resource.isLoadDue(at: start + .seconds(1)))
    resource.startLoading()
    #expect(!resource.isLoadDue(at: start + .seconds(1)))
  }

  @Test func failedLoadIsRepeatedWhenNATSIsBack() {
    resource.loadFailed(at: start)
    resource.reconnected(at: start)
    #expect(resource.isLoadDue(at: start))
  }

  @Test func resourceIsLoadedAfterItYielded() {
    resource.startPolling(model)
    resource.stop(until: start + .seconds(5))
    resource.reconnected(at: start)
    #expect(!resource.isLoadDue(at: start + .seconds(4)))
    #expect(resource.isLoadDue(at: start + .seconds(5)))
    resource.stop()
    #expect(!resource.isLoadDue(at: start + .seconds(5)))
  }

  @Test func stateIsPublishedOnceUnlessItChangesMeanwhile() {
    resource.setChanged()
    #expect(resource.nextStep(at: start) == nil, "it is not polled")
    resource.startPolling(model)
    #expect(resource.nextStep(at: start) == .publish)
    resource.beginPublication(1)
    #expect(resource.nextStep(at: start) == nil)
    #expect(resource.isPublishing(1) && !resource.isPublishing(2))
    resource.setChanged()
    resource.published(made(1), in: 7)
    #expect(resource.lastMessage == 7)
    #expect(resource.nextStep(at: start) == .publish)
    resource.beginPublication(2)
    resource.published(made(2), in: 8)
    #expect(resource.nextStep(at: start) == nil)
  }

  @Test(arguments: [NATSError.Kind.disconnected, .timeout])
  func lastMessageIsResolvedIfItsFateIsUnknown(kind: NATSError.Kind) {
    let error = NATSError(kind, "lost")
    #expect(failed(error) == .wait(report: kind == .timeout ? error : nil))
    #expect(resource.nextStep(at: start) == .resolve)
    resource.resolutionFailed(at: start)
    #expect(resource.nextStep(at: start) == nil)
    #expect(resource.nextStep(at: start + .seconds(1)) == .resolve)
  }

  @Test func conflictIsResolvedAtOnce() {
    #expect(failed(NATSError(.wrongLastSequence, "7")) == .resolve)
  }

  @Test func missingStreamIsReportedTheSecondTime() {
    let error = NATSError(.noStream, "none")
    #expect(failed(error) == .findStreams(report: nil))
    #expect(resource.nextStep(at: start) == nil)
    #expect(resource.nextStep(at: start + .seconds(1)) == .publish)
    #expect(failed(error) == .findStreams(report: error))
    resource.beginPublication(3)
    resource.published(made(1), in: 7)
    #expect(failed(error) == .findStreams(report: nil))
  }

  @Test func tooLargeResourceIsReportedOnceAndPublishedWithoutIt() {
    let error = NATSError(.tooLarge, "9 bytes are too many")
    let report = NATSError(
      .tooLarge, "providers/p/trips/t cannot be published: 9 bytes are too many", hint: error.hint)
    #expect(failed(error, made(1, trip: true)) == .publishWithoutResource(report: report))
    #expect(resource.nextStep(at: start) == .publish)
    #expect(failed(error, made(1, trip: true)) == .publishWithoutResource(report: nil))
    // An error without a resource may be too large, too.
    #expect(failed(error, made(1)) == .publishWithoutResource(report: nil))
    #expect(failed(error, made(1, replacesOversize: true)) == .wait(report: error))
    #expect(resource.nextStep(at: start + .milliseconds(4_999)) == nil)
    #expect(resource.nextStep(at: start + .seconds(5)) == .publish)
  }

  @Test func failureThatLastsIsReportedAndTriedAgain() {
    let error = NATSError(.full, "no room")
    #expect(failed(error) == .wait(report: error))
    resource.setChanged()
    #expect(resource.nextStep(at: start + .milliseconds(4_999)) == nil)
    resource.reconnected(at: start)
    #expect(resource.nextStep(at: start) == .resolve)
  }

  @Test func workerYieldsToTheOneThatPublishedLast() {
    resource.startPolling(model)
    let end = start + .seconds(1)
    #expect(resource.resolved(nil, worker: "w1", yieldingUntil: end))
    #expect(resource.resolved(found(7, by: "w1"), worker: "w1", yieldingUntil: end))
    #expect(resource.lastMessage == 7)
    #expect(resource.resolved(found(7, by: "w2"), worker: "w1", yieldingUntil: end))
    #expect(resource.nextStep(at: start) == .publish)
    #expect(!resource.resolved(found(8, by: "w2"), worker: "w1", yieldingUntil: end))
    #expect(resource.model == nil)
    #expect(resource.nextStep(at: end) == nil)
    #expect(resource.isLoadDue(at: end))
  }

  private func failed(_ error: NATSError, _ new: NewState? = nil) -> SharedResource.Reaction {
    resource.startPolling(model)
    resource.beginPublication(1)
    return resource.publicationFailed(error, of: new ?? made(1), at: start)
  }

  private func made(
    _ sequence: UInt64, trip: Bool = false, replacesOversize: Bool = false
  ) -> NewState {
    var state = ResourceState(name: "providers/p/trips/t")
    state.sequence = sequence
    let resource = trip ? EncodedResource(Trip(name: "providers/p/trips/t")) : nil
    return NewState(
      state: state, resource: resource, refreshed: start, replacesOversize: replacesOversize)
  }

  private func found(_ message: UInt64, by worker: String) -> LastState {
    LastState(
      state: ResourceState(name: "providers/p/trips/t", worker: worker), message: message, time: 0)
  }
}
