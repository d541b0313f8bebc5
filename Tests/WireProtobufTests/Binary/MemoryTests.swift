import TestSupport
import Testing

@testable import WireProtobuf

#if canImport(Glibc)
  import Glibc

  /// Measures how much memory an input can consume. Each test runs in its own process, in which
  /// nothing else allocates.
  @Suite struct MemoryTests {
    /// The peak memory of the process since the last ``resetPeak()``, in KiB.
    static func peak() -> Int { field("VmHWM:") }

    /// Returns free memory to the system and resets the peak to the present usage.
    static func resetPeak() {
      // The module Glibc does not include malloc.h.
      typealias Trim = @convention(c) (Int) -> CInt
      if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
      guard let file = fopen("/proc/self/clear_refs", "w") else { return }
      fputs("5", file)
      fclose(file)
    }

    static func field(_ name: String) -> Int {
      guard let file = fopen("/proc/self/status", "r") else { return 0 }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      while fgets(&line, 256, file) != nil {
        let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        if text.hasPrefix(name) { return Int(text.filter(\.isNumber)) ?? 0 }
      }
      return 0
    }

    @Test func memoryIsLimitedForEveryShape() async {
      await #expect(processExitsWith: .success) {
        for shape in Shape.all {
          // About 256 KiB, so that the fixed 1 MiB of the budget matters less.
          let probe = shape.input(1000).count
          let input = shape.input(262_144_000 / probe)
          Self.resetPeak()
          let before = Self.peak()
          _ = try shape.decode(input)
          let taken = (Self.peak() - before) << 10
          let factor = Double(taken - 1 << 20) / Double(input.count)
          #expect(factor < 128, "\(shape.name): \(factor) times its size")
        }
      }
    }

    /// Messages of about ten bytes that declare lengths of 2 GB.
    static let oversizedLengths = [
      "72 FFFFFFFF07 6162", "7A FFFFFFFF07 6162", "1A FFFFFFFF07 0102", "A206 FFFFFFFF07 01",
    ]
    static let repeatedOversizedLengths = [
      "1A FFFFFFFF07 0102", "0A FFFFFFFF07 0102", "2A FFFFFFFF07 0102", "32 FFFFFFFF07 0102",
      "3A FFFFFFFF07 0102", "5A FFFFFFFF07 0102", "62 FFFFFFFF07 0102", "6A FFFFFFFF07 0102",
      "A306 FAFFFFFF0F FFFFFFFF07 01",
    ]

    @Test func oversizedLengthAllocatesNothing() async {
      await #expect(processExitsWith: .success) {
        func reject() {
          for input in Self.oversizedLengths {
            #expect(throws: DecodingError.self) { try Scalars(serializedBytes: hex(input)) }
            #expect(throws: DecodingError.self) { try Maps(serializedBytes: hex(input)) }
          }
          for input in Self.repeatedOversizedLengths {
            #expect(throws: DecodingError.self) { try Repeated(serializedBytes: hex(input)) }
          }
        }
        // The first run also allocates code and metadata that are allocated only once.
        reject()
        Self.resetPeak()
        let before = Self.peak()
        reject()
        #expect(Self.peak() - before < 4096, "\(Self.peak() - before) KiB")
      }
    }
  }
#endif
