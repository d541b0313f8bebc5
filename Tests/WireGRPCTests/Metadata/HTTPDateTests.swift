import Testing
import WireGRPC

@Suite struct HTTPDateTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Fri, 31 Dec 1999 23:59:59 GMT", 946_684_799),
    ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
    ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_799),
    ("Sat, 21 Nov 2026 09:30:00 GMT", 1_795_253_400),
  ])
  func readsDates(text: String, seconds: Int64) {
    #expect(HTTPDate.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "now", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 32 Nov 1994 08:49:37 GMT",
    "Sun, 06 nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
  ])
  func invalidDatesHaveNoSeconds(text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }
}
