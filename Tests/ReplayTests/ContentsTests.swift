import Testing
import WireGRPC

@testable import Replay

@Suite struct ContentsTests {
  @Test func listsMethodsForAMethodThatIsNotThere() {
    var contents = Contents()
    contents.add("/a.B/C", nil)
    contents.add("/a.B/D", nil)
    contents.add("/a.B/C", nil)
    let refusal = contents.refusal("/a.B/E", nil)
    #expect(refusal.status.code == .unimplemented)
    #expect(refusal.status.message == "/a.B/E is not in this recording, which has /a.B/C, /a.B/D")
  }

  @Test func listsResourcesForAResourceThatIsNotThere() {
    var contents = Contents()
    for name in ["t1", "t2", "t1"] { contents.add("/a.B/C", name) }
    let refusal = contents.refusal("/a.B/C", "t3")
    #expect(refusal.status.code == .notFound)
    #expect(refusal.status.message == "t3 is not in this recording, which has t1, t2")
  }

  @Test func countsRequestsItCanNotRead() {
    var contents = Contents()
    contents.add("/a.B/C", nil)
    for resource in [nil, ""] {
      let refusal = contents.refusal("/a.B/C", resource)
      #expect(refusal.status.code == .notFound)
      #expect(
        refusal.status.message
          == "this request is not in the recording, which has 1 other of /a.B/C")
    }
  }

  @Test func staysWithinAHeader() {
    let snow = String(repeating: "☃", count: 10_000)
    var contents = Contents()
    for index in 0..<1000 { contents.add("/a.B/C", "\(index)\(snow)") }
    let message = contents.refusal("/a.B/C", snow).status.message
    #expect(message.hasSuffix("and 992 more"))
    #expect(StatusMessage.encode(message).utf8.count < 8192)
  }
}
