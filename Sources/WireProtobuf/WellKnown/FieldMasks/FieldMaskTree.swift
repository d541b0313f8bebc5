/// The paths of a field mask, by their parts. A tree without children stands for a whole field.
struct FieldMaskTree {
  private(set) var children: [String: FieldMaskTree] = [:]

  var isLeaf: Bool { children.isEmpty }

  init() {}

  init(_ mask: FieldMask) {
    for path in mask.paths { add(Self.parts(of: path)) }
  }

  /// What is more than 100 deep, where no message is, is one part: each takes some of the stack.
  static func parts(of path: String) -> ArraySlice<String> {
    path.unicodeScalars.split(separator: ".", maxSplits: 100, omittingEmptySubsequences: false)
      .map(String.init)[...]
  }

  /// Adds a path, unless a path that is part of it is there; longer ones make way for it.
  mutating func add(_ parts: ArraySlice<String>) {
    guard let name = parts.first else {
      children = [:]
      return
    }
    if let child = children[name], child.isLeaf { return }
    children[name, default: FieldMaskTree()].add(parts.dropFirst())
  }

  /// Whether the field of a path is in the mask as a whole.
  func contains(_ parts: ArraySlice<String>) -> Bool {
    guard let name = parts.first, let child = children[name] else { return false }
    return child.isLeaf || child.contains(parts.dropFirst())
  }

  /// The fields that are in both.
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

  /// In alphabetical order.
  var paths: [String] {
    children.sorted { $0.key < $1.key }.flatMap { name, child in
      child.isLeaf ? [name] : child.paths.map { "\(name).\($0)" }
    }
  }
}
