import WireSystem

/// Highest random weight hashing: each resource belongs to the worker with the highest score for it. When a worker
/// leaves, only its resources move; when one joins, it takes an equal part of each other's.
struct RendezvousHash: Sendable, Hashable {
  let value: UInt64

  /// Hashes a name, the same in all processes (FNV-1a, then a finalizer).
  init(_ name: some StringProtocol) {
    value = Self.mixed(fnv1a(name.utf8))
  }

  /// The score of a worker for this resource.
  func score(of worker: RendezvousHash) -> UInt64 {
    Self.mixed(value ^ worker.value)
  }

  /// The finalizer of SplitMix64, a bijection.
  private static func mixed(_ hash: UInt64) -> UInt64 {
    var hash = hash &+ 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    return hash ^ (hash >> 31)
  }
}
