/// The delegate of a map view.
///
/// `@unchecked Sendable`: the map view calls it on the main queue only, and other code uses its
/// own reference. A weak reference may be released on any thread.
struct WeakDelegate: @unchecked Sendable {
  weak var delegate: (any GMTCMapViewDelegate)?
}
