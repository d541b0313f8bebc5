/// Adds up the size of a message's binary form, and remembers the sizes of its sub-messages in
/// the order in which ``WireWriter`` will ask for them.
@safe
public struct SizeCounter {
  public typealias Failure = Never

  @usableFromInline var total = 0
  /// Where the sizes go: borrowed memory first, then memory of its own when that is full.
  @usableFromInline var sizes: UnsafeMutableBufferPointer<Int>
  @usableFromInline var count = 0
  @usableFromInline var ownsSizes = false

  @usableFromInline
  init(_ scratch: UnsafeMutableBufferPointer<Int>) {
    unsafe sizes = scratch
  }

  /// Counts plain messages, which have no sub-messages.
  @inlinable
  init() {
    unsafe sizes = UnsafeMutableBufferPointer(start: nil, count: 0)
  }

  @usableFromInline
  func deallocate() {
    if ownsSizes { unsafe sizes.deallocate() }
  }

  @inlinable
  mutating func add(_ size: Int) {
    total &+= size
  }

  @usableFromInline
  struct OpenMessage {
    @usableFromInline let slot: Int
    @usableFromInline let start: Int

    @inlinable
    init(slot: Int, start: Int) {
      self.slot = slot
      self.start = start
    }
  }

  @inlinable
  mutating func openMessage() -> OpenMessage {
    if unsafe count == sizes.count { grow() }
    let open = OpenMessage(slot: count, start: total)
    count &+= 1
    return open
  }

  /// Ends a sub-message: notes its size and counts the length before it.
  @inlinable
  mutating func closeMessage(_ open: OpenMessage) {
    let size = total &- open.start
    unsafe sizes[open.slot] = size
    total &+= varintSize(UInt64(truncatingIfNeeded: size))
  }

  @usableFromInline
  mutating func grow() {
    let larger = UnsafeMutableBufferPointer<Int>.allocate(capacity: max(256, count * 2))
    _ = unsafe larger.initialize(from: sizes[..<count])
    deallocate()
    unsafe sizes = larger
    ownsSizes = true
  }
}

extension PlainMessage {
  /// The size of the binary form.
  @inlinable
  var plainSize: Int {
    var counter = SizeCounter()
    measure(with: &counter)
    return counter.total
  }
}
