extension Array where Element: Comparable {
  /// Returns the smallest element that at least this part of the elements does not exceed (the nearest rank); nil if
  /// there is no element. The array has to be sorted.
  ///
  /// - Parameter percent: from 1 to 100.
  func percentile(_ percent: Int) -> Element? {
    isEmpty ? nil : self[(count * percent + 99) / 100 - 1]
  }
}
