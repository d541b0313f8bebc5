extension [String] {
  /// Returns "trips, vehicles and tasks" for the conjunction "and".
  package func joined(conjunction: String) -> String {
    ([dropLast().joined(separator: ", ")].filter { !$0.isEmpty } + suffix(1))
      .joined(separator: " \(conjunction) ")
  }
}
