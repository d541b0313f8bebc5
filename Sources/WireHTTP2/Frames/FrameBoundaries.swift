/// The ascending ends of frames in a body. A position that occurs twice makes an empty frame.
///
/// Positions are computed when they are reached, so the sizes of the frames are shared and not copied.
final class FrameBoundaries {
  private struct Run {
    let start: Int
    /// Whether the bytes before it end there.
    let cutsStart: Bool
    let sizes: [Int]
    let end: Int
  }

  private var runs: [Run] = []
  /// The run of frames that has the next position, whether it was begun, and its next size.
  private var current = 0
  private var hasBegun = false
  private var size = 0
  /// The last position that was computed in it.
  private var cut = 0

  private(set) var next: Int?

  /// Adds bytes in frames of the given sizes; the rest goes into one more frame.
  ///
  /// - Parameter isFirst: whether all bytes before them have been read.
  func append(_ bytes: Range<Int>, sizes: [Int], isFirst: Bool) {
    let cutsStart = !isFirst && runs.last?.end != bytes.lowerBound
    runs.append(
      Run(start: bytes.lowerBound, cutsStart: cutsStart, sizes: sizes, end: bytes.upperBound))
    if next == nil { advance() }
  }

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
