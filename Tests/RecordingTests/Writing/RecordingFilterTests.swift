import Testing

@testable import Recording

@Suite struct RecordingFilterTests {
  typealias Limits = RecordingFilter.Limits

  @Test func whatNamesTheMethodCountsFirst() throws {
    let filter = try RecordingFilter(
      "shop.Shop/Buy{h;m:256},*{h},-shop.Shop/Pay,shop.Shop/*{m},other.Shop/Pay{h:9}")
    #expect(filter.limits(for: "/shop.Shop/Buy") == Limits(metadata: .max, message: 256))
    #expect(filter.limits(for: "/shop.Shop/Pay") == nil)
    #expect(filter.limits(for: "/shop.Shop/Sell") == Limits(metadata: 0, message: .max))
    #expect(filter.limits(for: "/other.Shop/Pay") == Limits(metadata: 9, message: 0))
    #expect(filter.limits(for: "/other.Shop/Buy") == Limits(metadata: .max, message: 0))
  }

  @Test func whatIsNotNamedIsNotRecorded() throws {
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
    ("", "\"\": write *, package.Service/* or package.Service/Method"),
    ("*,", "\"\": write *, package.Service/* or package.Service/Method"),
    ("a.B", "\"a.B\": write *, package.Service/* or package.Service/Method"),
    ("a.B/", "\"a.B/\": write *, package.Service/* or package.Service/Method"),
    ("/a.B/C", "\"/a.B/C\": write *, package.Service/* or package.Service/Method"),
    (" *", "\" *\": write *, package.Service/* or package.Service/Method"),
    ("*,a.B/C,*{h}", "\"*{h}\": * is named twice"),
    ("a/b,-a/b", "\"-a/b\": a/b is named twice"),
    ("a/*,a/*{m}", "\"a/*{m}\": a/* is named twice"),
    ("-*", "\"-*\": write *, package.Service/* or package.Service/Method"),
    ("-a/*", "\"-a/*\": only a method can be left out, not a service"),
    ("-a/b{h}", "\"-a/b{h}\": what is left out has no {…}"),
    ("a/b c", "\"a/b c\": a name has letters, digits, _ and . only"),
    ("*/b", "\"*/b\": a name has letters, digits, _ and . only"),
    ("a b/*", "\"a b/*\": a name has letters, digits, _ and . only"),
    ("*{}", "\"*{}\": after the name comes {h}, {m} or {h;m}, each perhaps with :BYTES"),
    ("*{", "\"*{\": after the name comes {h}, {m} or {h;m}, each perhaps with :BYTES"),
    ("*{m;h}", "\"*{m;h}\": after the name comes {h}, {m} or {h;m}, each perhaps with :BYTES"),
    ("*{h;}", "\"*{h;}\": after the name comes {h}, {m} or {h;m}, each perhaps with :BYTES"),
    ("*{;h}", "\"*{;h}\": after the name comes {h}, {m} or {h;m}, each perhaps with :BYTES"),
    ("*{h;m", "\"*{h;m\": after the name comes {h}, {m} or {h;m}, each perhaps with :BYTES"),
    ("*{h:}", "\"*{h:}\": : is no number of bytes, as :256"),
    ("*{h:-1}", "\"*{h:-1}\": :-1 is no number of bytes, as :256"),
    ("*{hm}", "\"*{hm}\": m is no number of bytes, as :256"),
    (
      "*{m:99999999999999999999}",
      "\"*{m:99999999999999999999}\": :99999999999999999999 is no number of bytes, as :256"
    ),
  ])
  func whatIsNoFilterIsNamed(_ text: String, _ problem: String) {
    let error = #expect(throws: RecordingFilterError.self) { try RecordingFilter(text) }
    #expect(error?.description == problem)
  }
}
