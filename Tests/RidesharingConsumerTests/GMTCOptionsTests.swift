import Foundation
import RidesharingConsumer
import Testing
import Tripwire

@Suite struct GMTCOptionsTests {
  @Test func optionsAreCopied() {
    let none = GMTCTripModelOptions()
    #expect(none.autoRefreshTimeInterval == 0)
    #expect(none.tripRequestHeader == nil)
    let options = GMTCTripModelOptions(autoRefreshTimeInterval: 3, trip: .defaultHeader)
    let mutable = GMTCMutableTripModelOptions(options: options)
    #expect(mutable == options)
    #expect(options.mutableCopy() as? GMTCMutableTripModelOptions == mutable)
    mutable.autoRefreshTimeInterval = 4
    #expect(mutable != options)
    #expect(options.autoRefreshTimeInterval == 3)
    #expect(GMTCMutableTripModelOptions(options: nil) == none)
  }

  @Test func requestsAreCopied() throws {
    let request = GMTCTripRequest(
      requestHeader: .defaultHeader, tripName: nil, autoRefreshTimeInterval: 1)
    #expect(request.tripName.isEmpty)
    let mutable = try #require(request.mutableCopy() as? GMTCMutableTripRequest)
    #expect(mutable == request)
    mutable.tripName = "providers/p/trips/t1"
    mutable.autoRefreshTimeInterval = 2
    mutable.requestHeader = nil
    #expect(mutable != request)
    #expect(request.tripName.isEmpty)
    #expect((mutable.copy() as? GMTCTripRequest)?.tripName == "providers/p/trips/t1")
  }

  @Test func malformedEndpointIsRejected() {
    #expect(throws: CallError.self) { try GMTCServices.setEndpoint("127.0.0.1:99999") }
  }

  @Test func versionIsThePackages() {
    #expect(!GMTCServices.SDKVersion().isEmpty)
    #expect(GMTCServices.SDKLongVersion().hasPrefix(GMTCServices.SDKVersion()))
  }
}
