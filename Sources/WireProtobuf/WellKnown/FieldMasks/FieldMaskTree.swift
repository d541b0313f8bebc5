/// The paths of a field mask as a tree. A node without children stands for a whole field.
struct FieldMaskTree {
  private(set) var children: [String: FieldMaskTree] = [:]

  var isLeaf: Bool { children.isEmpty }

  init() {}

  init(_ mask: FieldMask) {
    for path in mask.paths { add(Self.parts(of: path)) }
  }

  /// Splits a path. Parts deeper than 100 stay joined to limit the recursion; no message is deeper.
  static func parts(of path: String) -> ArraySlice<String> {
    path.unicodeScalars.split(separator: ".", maxSplits: 100, omittingEmptySubsequences: false)
      .map(String.init)[...]
  }

  /// Adds a path, unless a prefix of it is present. Paths that it is a prefix of are removed.
  mutating func add(_ parts: ArraySlice<String>) {
    guard let name = parts.first else {
      children = [:]
      return
    }
    if let child = children[name], child.isLeaf { return }
    children[name, default: FieldMaskTree()].add(parts.dropFirst())
  }

  /// Whether the mask contains the whole field of a path.
  func contains(_ parts: ArraySlice<String>) -> Bool {
    guard let name = parts.first, let child = children[name] else { return false }
    return child.isLeaf || child.contains(parts.dropFirst())
  }

  func intersection(_ other: FieldMaskTree) -> FieldMaskTree {
    var both = FieldMaskTree()
    for (name, child) in children {
      guard let otherChild = other.children[name] else { continue }
      if child.isLeaf || otherChild.isLeaf {
        both.children[name] = child.isLeaf ? otherChild : child
      } else {
        let inner = child.intersection(otherChild)
        if !inner.isLeaf { both.children[name] = inner }
      }
    }
    return both
  }

  /// The paths in alphabetical order.
  var paths: [String] {
    children.sorted { $0.key < $1.key }.flatMap { name, child in
      child.isLeaf ? [name] : child.paths.map { "\(name).\($0)" }
    }
  }
}
