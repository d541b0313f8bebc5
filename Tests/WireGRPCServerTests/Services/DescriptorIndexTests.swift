import ProtobufDescriptors
import TestSupport
import Testing
import WireProtobuf

@testable import WireGRPCServer

@Suite struct DescriptorIndexTests {
  let index = DescriptorIndex(Descriptors.all)

  @Test(arguments: [
    ("a.Outer", 0), ("a.Outer.inner", 0), ("a.Outer.choice", 0), ("a.Outer.Inner", 0),
    ("a.Outer.Inner.Kind", 0), ("a.Outer.Inner.KIND_NONE", 0), ("a.Color", 0), ("a.RED", 0),
    ("b.wide", 1), ("b.Holder.high", 1), ("b.Holder", 1), ("test.Echo", 2), ("test.Echo.Say", 2),
  ])
  func findsTheFileOfASymbol(symbol: String, file: Int) {
    #expect(index.file(declaring: symbol) == file)
  }

  @Test(arguments: ["", "a", "Outer", ".a.Outer", "a.Outer.", "a.Color.RED", "test.Echo.say"])
  func unknownSymbolsAreNil(symbol: String) {
    #expect(index.file(declaring: symbol) == nil)
  }

  @Test func findsFilesByName() {
    #expect(index.file(named: "b/options.proto") == 1)
    #expect(index.file(named: "absent.proto") == nil)
  }

  @Test func findsExtensions() {
    #expect(index.file(extending: "a.Outer", by: 51) == 1)
    #expect(index.file(extending: "a.Outer", by: 50) == 1)
    #expect(index.file(extending: "a.Outer", by: 1) == nil)
    #expect(index.extensionNumbers(of: "a.Outer") == [50, 51])
    #expect(index.extensionNumbers(of: "b.Holder") == [])
    #expect(index.extensionNumbers(of: "b.Absent") == nil)
  }

  @Test func includesImports() {
    #expect(index.closure(of: 2) == [2, 1, 0])
    #expect(index.closure(of: 0) == [0])
  }

  @Test func circularImportsAreAccepted() {
    var first = Descriptors.base
    first.dependency = ["b/options.proto"]
    #expect(DescriptorIndex([first, Descriptors.options]).closure(of: 0) == [0, 1])
  }

  @Test func firstFileOfANameCounts() throws {
    var other = Descriptors.base
    other.package = "other"
    let index = DescriptorIndex([Descriptors.base, other])
    #expect(index.file(declaring: "other.Outer") == nil)
    #expect(try FileDescriptorProto(serializedBytes: index.bytes(of: 0)) == Descriptors.base)
  }
}
