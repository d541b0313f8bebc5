import TestSupport
import Testing
import WireProtobuf

#if canImport(Glibc)
  import Glibc

  /// How much memory inputs can make us take. Each test runs in a process of its own, in which
  /// nothing else allocates.
  @Suite struct MemoryTests {
    /// The most memory the process had at once since the last ``forgetPeak()``, in KiB.
    static func peak() -> Int { field("VmHWM:") }

    /// Returns free memory to the system; the peak is what is left.
    static func forgetPeak() {
      // The module Glibc leaves malloc.h out.
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

    @Test func everyShapeTakesASmallMultipleOfItsInput() async {
      await #expect(processExitsWith: .success) {
        for shape in Shape.all {
          // About 256 KiB, so that the first MiB is less than the rest.
          let probe = shape.input(1000).count
          let input = shape.input(262_144_000 / probe)
          Self.forgetPeak()
          let before = Self.peak()
          _ = try shape.decode(input)
          let taken = (Self.peak() - before) << 10
          let factor = Double(taken - 1 << 20) / Double(input.count)
          #expect(factor < 128, "\(shape.name): \(factor) times its size")
        }
      }
    }

    /// Lengths of 2 GB in messages of about ten bytes.
    static let claims = [
      "72 FFFFFFFF07 6162", "7A FFFFFFFF07 6162", "1A FFFFFFFF07 0102", "A206 FFFFFFFF07 01",
    ]
    static let repeatedClaims = [
      "1A FFFFFFFF07 0102", "0A FFFFFFFF07 0102", "2A FFFFFFFF07 0102", "32 FFFFFFFF07 0102",
      "3A FFFFFFFF07 0102", "5A FFFFFFFF07 0102", "62 FFFFFFFF07 0102", "6A FFFFFFFF07 0102",
      "A306 FAFFFFFF0F FFFFFFFF07 01",
    ]

    @Test func aClaimedLengthAllocatesNothing() async {
      await #expect(processExitsWith: .success) {
        func refuse() {
          for claim in Self.claims {
            #expect(throws: DecodingError.self) { try Scalars(serializedBytes: hex(claim)) }
            #expect(throws: DecodingError.self) { try Maps(serializedBytes: hex(claim)) }
          }
          for claim in Self.repeatedClaims {
            #expect(throws: DecodingError.self) { try Repeated(serializedBytes: hex(claim)) }
          }
        }
        // The first time brings what is there once only: code, metadata.
        refuse()
        Self.forgetPeak()
        let before = Self.peak()
        refuse()
        #expect(Self.peak() - before < 4096, "\(Self.peak() - before) KiB")
      }
    }
  }
#endif
