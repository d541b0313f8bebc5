import Testing

/// Waits until a condition holds. Records an issue if it never does.
func waitUntil(_ condition: () async -> Bool, _ what: Comment? = nil) async {
  let end = ContinuousClock.now + .seconds(1200)
  while await !condition() {
    guard ContinuousClock.now < end, (try? await Task.sleep(for: .milliseconds(1))) != nil else {
      Issue.record("the condition never held: \(what ?? "")")
      return
    }
  }
}
