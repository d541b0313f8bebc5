import Testing

@testable import Recording

@Suite struct RecordingFilterTests {
  typealias Limits = RecordingFilter.Limits

  @Test func methodPatternsTakePrecedence() throws {
    let filter = try RecordingFilter(
      "shop.Shop/Buy{h;m:256},*{h},-shop.Shop/Pay,shop.Shop/*{m},other.Shop/Pay{h:9}")
    #expect(filter.limits(for: "/shop.Shop/Buy") == Limits(metadata: .max, message: 256))
    #expect(filter.limits(for: "/shop.Shop/Pay") == nil)
    #expect(filter.limits(for: "/shop.Shop/Sell") == Limits(metadata: 0, message: .max))
    #expect(filter.limits(for: "/other.Shop/Pay") == Limits(metadata: 9, message: 0))
    #expect(filter.limits(for: "/other.Shop/Buy") == Limits(metadata: .max, message: 0))
  }

  @Test func unmatchedCallsAreNotRecorded() throws {
    let filter = try RecordingFilter("shop.Shop/Buy")
    #expect(filter.limits(for: "/shop.Shop/Buy") == .whole)
    #expect(filter.limits(for: "/shop.Shop/Sell") == nil)
    #expect(filter.limits(for: "/shop.Shop") == nil)
    #expect(filter.limits(for: "") == nil)
    #expect(try RecordingFilter("-shop.Shop/Buy").limits(for: "/shop.Shop/Sell") == nil)
    #expect(try RecordingFilter("shop.Shop/*").limits(for: "/shop.ShopX/Buy") == nil)
    #expect(RecordingFilter.all.limits(for: "/shop.Shop/Buy") == .whole)
  }

  @Test(arguments: [
    ("", "\"\": expected *, package.Service/* or package.Service/Method"),
    ("*,", "\"\": expected *, package.Service/* or package.Service/Method"),
    ("a.B", "\"a.B\": expected *, package.Service/* or package.Service/Method"),
    ("a.B/", "\"a.B/\": expected *, package.Service/* or package.Service/Method"),
    ("/a.B/C", "\"/a.B/C\": expected *, package.Service/* or package.Service/Method"),
    (" *", "\" *\": expected *, package.Service/* or package.Service/Method"),
    ("*,a.B/C,*{h}", "\"*{h}\": * occurs twice"),
    ("a/b,-a/b", "\"-a/b\": a/b occurs twice"),
    ("a/*,a/*{m}", "\"a/*{m}\": a/* occurs twice"),
    ("-*", "\"-*\": expected *, package.Service/* or package.Service/Method"),
    ("-a/*", "\"-a/*\": only a method can be excluded, not a service"),
    ("-a/b{h}", "\"-a/b{h}\": an exclusion must not have {…}"),
    ("a/b c", "\"a/b c\": a name must contain only letters, digits, _ and ."),
    ("*/b", "\"*/b\": a name must contain only letters, digits, _ and ."),
    ("a b/*", "\"a b/*\": a name must contain only letters, digits, _ and ."),
    ("*{}", "\"*{}\": expected {h}, {m} or {h;m} after the name, each with an optional :BYTES"),
    ("*{", "\"*{\": expected {h}, {m} or {h;m} after the name, each with an optional :BYTES"),
    (
      "*{m;h}",
      "\"*{m;h}\": expected {h}, {m} or {h;m} after the name, each with an optional :BYTES"
    ),
    ("*{h;}", "\"*{h;}\": expected {h}, {m} or {h;m} after the name, each with an optional :BYTES"),
    ("*{;h}", "\"*{;h}\": expected {h}, {m} or {h;m} after the name, each with an optional :BYTES"),
    ("*{h;m", "\"*{h;m\": expected {h}, {m} or {h;m} after the name, each with an optional :BYTES"),
    ("*{h:}", "\"*{h:}\": : is not a size in bytes, such as :256"),
    ("*{h:-1}", "\"*{h:-1}\": :-1 is not a size in bytes, such as :256"),
    ("*{hm}", "\"*{hm}\": m is not a size in bytes, such as :256"),
    (
      "*{m:99999999999999999999}",
      "\"*{m:99999999999999999999}\": :99999999999999999999 is not a size in bytes, such as :256"
    ),
  ])
  func invalidPatternsAreReported(_ text: String, _ problem: String) {
    let error = #expect(throws: RecordingFilterError.self) { try RecordingFilter(text) }
    #expect(error?.description == problem)
  }
}
