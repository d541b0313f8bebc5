import Testing

@testable import RecordingAnalysis

@Suite struct AnonymousMetadataTests {
  @Test(arguments: [
    ("x-goog-api-client", "gl-swift/6 gccl/0.1.0", "gl-swift/6 gccl/0.1.0"),
    ("x-goog-api-client", "gl-python/3.11.2 alice/1 pb/7-alice", "gl-python/3.11.2"),
    ("x-goog-api-client", "gl-go/20261122", nil), ("x-goog-api-client", "gl-go/1.2.3.4.5", nil),
    ("x-goog-api-client", "gl-go/1./2 gl-go/ /1", nil), ("x-goog-api-client", "", nil),
    ("x-goog-api-client", "gl-go/\u{661}", nil),
    ("x-goog-request-params", "provider_id=p&x=y", "provider_id=provider-1"),
    ("x-goog-request-params", "x=y", nil),
    ("google-cloud-resource-prefix", "providers/p", "providers/provider-1"),
    ("retry-after", "30", "30"), ("retry-after", "1234567", nil), ("retry-after", "", nil),
    ("server-timing", "gfet4t7; dur=56", "gfet4t7; dur=56"), ("server-timing", "x; dur=56", nil),
    ("tripwire-replay-miss", "resource", "resource"), ("tripwire-replay-miss", "t1", nil),
    ("server-timing", "gfet4t7; dur=", nil), ("content-disposition", "attachment", nil),
    ("user-agent", "grpc/1.2", nil),
    ("X-Goog-Api-Client", "gl-swift/6", nil), ("x-alice", "30", nil),
  ])
  func wellKnownValuesAreKept(name: String, value: String, kept: String?) {
    var names = AnonymousNames()
    let copy = AnonymousMetadata(Omissions()).copy(name, Array(value.utf8), &names)
    #expect(copy.map { String(decoding: $0, as: UTF8.self) } == kept)
  }

  @Test func omissionsNameOnlyWellKnownKeys() {
    let omissions = Omissions()
    let metadata = AnonymousMetadata(omissions)
    var names = AnonymousNames()
    for name in ["authorization", "x-alice", "x-alice", "traceparent", "retry-after"] {
      #expect(metadata.copy(name, Array("alice".utf8), &names) == nil)
    }
    #expect(
      omissions.contents.mapValues(\.count) == [
        "metadata authorization": 1, "unknown metadata": 2, "metadata retry-after": 1,
        "metadata traceparent": 1,
      ])
  }
}
