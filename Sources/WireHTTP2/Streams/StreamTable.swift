/// Values of streams by stream ID.
///
/// An open-addressing hash table, whose hash is the low bits of an ID. The IDs of one side differ by two, so
/// every second place stays free. A search ends at a free place and is short. A dictionary would compute
/// SipHash a dozen times for each call (docs/decisions/calls/header-lists.md).
///
/// Public, so that other modules can inline and specialize it.
public struct StreamTable<Value> {
  /// 0 marks a free place. At least half of the places are free.
  @usableFromInline var ids: [StreamID]
  @usableFromInline var values: [Value?]
  @usableFromInline var used = 0

  @inlinable public init() {
    ids = [StreamID](repeating: 0, count: 16)
    values = [Value?](repeating: nil, count: 16)
  }

  @inlinable public var count: Int { used }

  @inlinable public var isEmpty: Bool { used == 0 }

  /// All IDs, in no order.
  public var keys: [StreamID] { ids.filter { $0 != 0 } }

  /// The value of a stream. An ID below 1 has none.
  @inlinable public subscript(id: StreamID) -> Value? {
    get {
      let place = place(of: id)
      return ids[place] == id ? values[place] : nil
    }
    set {
      if let newValue { insert(newValue, id) } else { removeValue(forKey: id) }
    }
  }

  /// Returns the place of an ID, or the free place where it belongs.
  @inlinable func place(of id: StreamID) -> Int {
    var place = home(of: id)
    while ids[place] != id, ids[place] != 0 { place = (place &+ 1) & (ids.count &- 1) }
    return place
  }

  @inlinable func home(of id: StreamID) -> Int {
    Int(truncatingIfNeeded: id) & (ids.count &- 1)
  }

  @inlinable mutating func insert(_ value: Value, _ id: StreamID) {
    guard id > 0 else { return }
    let place = place(of: id)
    if ids[place] == 0 {
      guard 2 * (used + 1) <= ids.count else {
        grow()
        insert(value, id)
        return
      }
      ids[place] = id
      used += 1
    }
    values[place] = value
  }

  @inlinable mutating func grow() {
    let old = zip(ids, values)
    ids = [StreamID](repeating: 0, count: 2 * ids.count)
    values = [Value?](repeating: nil, count: ids.count)
    used = 0
    for case (let id, let value?) in old { insert(value, id) }
  }

  /// Removes a stream. Returns its value.
  @discardableResult
  @inlinable public mutating func removeValue(forKey id: StreamID) -> Value? {
    var free = place(of: id)
    guard let value = values[free] else { return nil }
    used -= 1
    // Later entries move forward unless that would put them before their home.
    let mask = ids.count - 1
    var next = (free + 1) & mask
    while ids[next] != 0 {
      if (next - home(of: ids[next])) & mask >= (next - free) & mask {
        ids[free] = ids[next]
        values[free] = values[next]
        free = next
      }
      next = (next + 1) & mask
    }
    ids[free] = 0
    values[free] = nil
    return value
  }
}
