/// Where frames of a body have to end that share none with others: positions in it, ascending. One that
/// comes twice makes an empty frame.
///
/// Found as they are come to: the sizes of frames are kept as they are given, and so cost nothing that
/// somebody else has, too.
final class FrameBoundaries {
  private struct Run {
    let start: Int
    /// Whether what comes before it ends there.
    let cutsStart: Bool
    let sizes: [Int]
    let end: Int
  }

  private var runs: [Run] = []
  /// The one that the next position is in, whether it was begun, and its next size.
  private var current = 0
  private var hasBegun = false
  private var size = 0
  /// The last position that was found in it.
  private var cut = 0

  /// The next position; nil when there is none.
  private(set) var next: Int?

  /// Adds bytes of which so many are in each frame, and what is left over in one more.
  ///
  /// - Parameter isFirst: whether all bytes before them have been read.
  func append(_ bytes: Range<Int>, sizes: [Int], isFirst: Bool) {
    let cutsStart = !isFirst && runs.last?.end != bytes.lowerBound
    runs.append(
      Run(start: bytes.lowerBound, cutsStart: cutsStart, sizes: sizes, end: bytes.upperBound))
    if next == nil { advance() }
  }

  /// The next position was come to.
  func advance() { next = found() }

  private func found() -> Int? {
    while current < runs.count {
      let run = runs[current]
      if !hasBegun {
        hasBegun = true
        cut = run.start
        if run.cutsStart { return cut }
      }
      while size < run.sizes.count {
        size += 1
        guard run.sizes[size - 1] == 0 || cut < run.end else { continue }
        cut = min(cut + run.sizes[size - 1], run.end)
        return cut
      }
      if cut < run.end {
        cut = run.end
        return cut
      }
      current += 1
      hasBegun = false
      size = 0
    }
    runs = []
    current = 0
    return nil
  }
}
