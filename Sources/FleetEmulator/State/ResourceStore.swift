/// Keeps the resources of an engine outside of the process.
package protocol ResourceStore {
  /// Saves all changes or, if that fails, none.
  ///
  /// - Parameter changes: the resources by their names; nil for those that were deleted.
  func save(_ changes: [String: ResourceRecord?]) throws(EngineError)
}
