extension RandomAccessCollection {
  /// Returns the index of the first element for which the condition holds, which then holds for all later ones; the end
  /// index if it holds for none. Calls the condition a logarithmic number of times.
  @inlinable package func partitioningIndex(where condition: (Element) -> Bool) -> Index {
    var (low, count) = (startIndex, count)
    while count > 0 {
      let middle = index(low, offsetBy: count / 2)
      if condition(self[middle]) {
        count /= 2
      } else {
        low = index(after: middle)
        count -= count / 2 + 1
      }
    }
    return low
  }
}
