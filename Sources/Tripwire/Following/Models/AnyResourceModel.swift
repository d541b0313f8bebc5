/// The model of a resource of any kind.
package protocol AnyResourceModel: AnyObject, Sendable {
  associatedtype Resource: FleetMessage

  /// The model itself, with its type.
  var typed: ResourceModel<Resource> { get }
  var name: String { get }
  var pollStatus: PollStatus { get }

  func suspend()
  func resume()
  func delayPoll(until instant: ContinuousClock.Instant)
  func unsubscribe(_ id: ObjectIdentifier)
}

extension AnyResourceModel {
  package func configure(
    interval: Duration, _ options: TripRequestOptions, _ callOptions: CallOptions
  ) {
    typed.updateOptions {
      $0.refreshInterval = interval
      $0.requestOptions = Resource.requestOptions(options)
      $0.callOptions = callOptions
    }
  }
}

extension ResourceModel: AnyResourceModel where Resource: FleetMessage {
  package var typed: ResourceModel<Resource> { self }
}
