/// A map view's delegate.
///
/// `@unchecked Sendable`: the map view calls it on the main thread only, and what others do with it is
/// what they would with their own reference. A weak reference may be let go on any thread.
struct WeakDelegate: @unchecked Sendable {
  weak var delegate: (any GMTCMapViewDelegate)?
}
