/// What of a stream's window is to be given back to the peer: all that has arrived but for the
/// messages that wait to be read.
///
/// So a slow reader stops its peer. The bytes of a message that is not complete do not wait for
/// anybody: with nothing before it, a message longer than the window comes through.
package struct ReceiveWindow {
  private var received = 0
  private var givenBack = 0

  package init() {}

  package mutating func receive(_ count: Int) {
    received += count
  }

  /// How many bytes to give back now, when messages of so many bytes wait.
  package mutating func credit(held: Int) -> Int {
    let due = received - held - givenBack
    guard due > 0 else { return 0 }
    givenBack += due
    return due
  }
}
