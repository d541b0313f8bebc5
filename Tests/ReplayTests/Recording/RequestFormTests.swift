import FleetEngineAPI
import Testing
import WireGRPC

@testable import Replay

@Suite struct RequestFormTests {
  @Test func everyMethodIsSupported() {
    #expect(RequestReader.all.count == 25)
  }

  /// A header is field 1 of all requests but two; name or parent is one of fields 1 to 3, or field 1 of the resource
  /// in field 3.
  @Test(arguments: RequestReader.all.keys.sorted())
  func parsesTheNameAndDropsTheHeader(path: String) throws {
    let name = Array("providers/p".utf8)
    let resource = [0x0a, UInt8(name.count)] + name
    let requests =
      [0x0a, 0x12, 0x1a].map { [$0, UInt8(name.count)] + name }
      + [[0x1a, UInt8(resource.count)] + resource]
    let forms = requests.compactMap { RequestReader.form(path, $0) }
    let named = try #require(forms.first { $0.resource.hasPrefix("providers/p") })
    let canonical = named.canonical
    // language_code "en" in field 1 or 12.
    let withHeader = [0x0a, 0x62].compactMap { tag in
      RequestReader.form(path, [tag, 4, 0x0a, 2, 0x65, 0x6e] + canonical)
    }
    let hasHeader = !path.hasSuffix("ReportBillableTrip")
    #expect(withHeader.contains { $0.canonical == canonical } == hasHeader)
  }

  @Test func invalidBytesAndOtherMethodsAreNil() {
    #expect(RequestReader.form(TripServiceMethods.getTrip.path, [0xff]) == nil)
    #expect(RequestReader.form("/test.Echo/Say", []) == nil)
  }
}
