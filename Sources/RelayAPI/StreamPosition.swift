package import WireProtobuf

/// The place of a state in the order of all states of its resource.
///
/// A stream that has lost its data is created again, and numbers its messages from 1.
package struct StreamPosition: Sendable, Hashable {
  /// When the stream was created; nil if the state does not contain it.
  package let time: Timestamp?
  /// The number of the message in the stream; 0 if it is not known.
  package let sequence: UInt64

  package init(time: Timestamp? = nil, sequence: UInt64 = 0) {
    self.time = time
    self.sequence = sequence
  }

  package init(_ state: ResourceState) {
    self.init(time: state.streamTime, sequence: state.streamSequence)
  }

  /// Whether a state at this position is older than one at another position.
  package func precedes(_ other: StreamPosition) -> Bool {
    if let time, let last = other.time, time != last {
      return (time.seconds, time.nanos) < (last.seconds, last.nanos)
    }
    return sequence < other.sequence
  }

  /// Whether two streams are known to be different.
  package func isInOtherStream(than other: StreamPosition) -> Bool {
    time != nil && other.time != nil && time != other.time
  }
}
