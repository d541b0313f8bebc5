/// Computes the credit to return to the peer: all received bytes except those of unread messages.
///
/// A slow reader thus stops its peer. The bytes of an incomplete message are returned at once, so a
/// message may be longer than the window.
struct ReceiveWindow {
  private var received = 0
  private var returned = 0

  mutating func receive(_ count: Int) {
    received += count
  }

  /// Returns the number of bytes to return to the peer now.
  ///
  /// - Parameter held: the bytes of the messages that wait to be read.
  mutating func credit(held: Int) -> Int {
    let due = received - held - returned
    guard due > 0 else { return 0 }
    returned += due
    return due
  }
}
