import WireProtobuf

extension Struct {
  /// Removes the innermost value that exists at a path such as "remainingWaypoints[0].eta".
  ///
  /// - Returns: whether there was a value.
  mutating func removeValue(at path: String) -> Bool {
    let steps = path.split { ".[]".contains($0) }.map(String.init)
    guard let name = steps.first, var value = fields[name] else { return false }
    fields[name] = value.removeValue(at: steps.dropFirst()) ? value : nil
    return true
  }
}

extension Value {
  fileprivate mutating func removeValue(at steps: ArraySlice<String>) -> Bool {
    guard let step = steps.first else { return false }
    switch kind {
    case .structValue(var object):
      guard var value = object.fields[step] else { return false }
      object.fields[step] = value.removeValue(at: steps.dropFirst()) ? value : nil
      kind = .structValue(object)
    case .listValue(var list):
      guard let index = Int(step), list.values.indices.contains(index) else { return false }
      if !list.values[index].removeValue(at: steps.dropFirst()) { list.values.remove(at: index) }
      kind = .listValue(list)
    default:
      return false
    }
    return true
  }
}
