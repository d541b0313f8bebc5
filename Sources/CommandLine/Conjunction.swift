extension [String] {
  /// Joins words as in "trips, vehicles and tasks".
  ///
  /// - Parameter conjunction: the word before the last one, such as "and".
  package func joined(conjunction: String) -> String {
    ([dropLast().joined(separator: ", ")].filter { !$0.isEmpty } + suffix(1))
      .joined(separator: " \(conjunction) ")
  }
}
