import WireSystem

/// The values of the fields that are set, by number.
///
/// An array, because most messages have few fields, and their encoders write them by number.
struct FieldValues: Sendable {
  struct Entry: Sendable {
    let field: FieldDescriptor
    var value: FieldValue
  }

  private(set) var all: [Entry] = []

  subscript(number: Int) -> FieldValue? {
    let index = index(of: number)
    return has(number, at: index) ? all[index].value : nil
  }

  subscript(field: FieldDescriptor) -> FieldValue? {
    get { self[field.number] }
    set {
      let index = index(of: field.number)
      switch (newValue, has(field.number, at: index)) {
      case (let value?, true): all[index].value = value
      case (let value?, false): all.insert(Entry(field: field, value: value), at: index)
      case (nil, true): all.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// Appends a value to a repeated field.
  mutating func append(_ value: DynamicValue, to field: FieldDescriptor) {
    guard case .list(var values)? = take(field) else {
      self[field] = .list([value])
      return
    }
    values.append(value)
    self[field] = .list(values)
  }

  /// Sets an entry of a map.
  mutating func set(_ key: MapKey, _ value: DynamicValue, of field: FieldDescriptor) {
    guard case .map(var entries)? = take(field) else {
      self[field] = .map([key: value])
      return
    }
    entries[key] = value
    self[field] = .map(entries)
  }

  /// Returns a value and leaves an empty one, so that changing it does not copy it.
  private mutating func take(_ field: FieldDescriptor) -> FieldValue? {
    let index = index(of: field.number)
    guard has(field.number, at: index) else { return nil }
    defer { all[index].value = .list([]) }
    return all[index].value
  }

  private func has(_ number: Int, at index: Int) -> Bool {
    index < all.count && all[index].field.number == number
  }

  /// Returns the place of a number, which may be new.
  private func index(of number: Int) -> Int {
    guard let last = all.last?.field.number, last >= number else { return all.count }
    return last == number ? all.count - 1 : all.partitioningIndex { $0.field.number >= number }
  }
}
