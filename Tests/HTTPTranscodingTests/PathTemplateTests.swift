import Testing

@testable import HTTPTranscoding

/// Path templates by the rules of google/api/http.proto.
struct PathTemplateTests {
  private func values(_ template: String, _ path: String) throws -> [String: String]? {
    try #require(PathTemplate(template)).values(in: path).map {
      Dictionary(uniqueKeysWithValues: $0.map { ($0.field, $0.value) })
    }
  }

  @Test(arguments: [
    (
      "/v1/{name=providers/*/trips/*}", "/v1/providers/p/trips/t1", ["name": "providers/p/trips/t1"]
    ),
    (
      "/v1/{task.name=providers/*/tasks/*}", "/v1/providers/p/tasks/x",
      ["task.name": "providers/p/tasks/x"]
    ),
    (
      "/v1/{parent=providers/*}/trips:search", "/v1/providers/p/trips:search",
      ["parent": "providers/p"]
    ),
    ("/v1/{id}", "/v1/a:b", ["id": "a:b"]), ("/v1/{id}:run", "/v1/a:b:run", ["id": "a:b"]),
    ("/v1/{a}/x/{b=*}", "/v1/1/x/2", ["a": "1", "b": "2"]),
    ("/v1/{name=files/**}", "/v1/files/a/b/c", ["name": "files/a/b/c"]),
    ("/v1/{name=files/**}", "/v1/files", ["name": "files"]),
    ("/v1/{name=**}:get", "/v1/a/b:get", ["name": "a/b"]),
    ("/v1/{parent=db/**}/docs/{id}", "/v1/db/a/b/docs/7", ["parent": "db/a/b", "id": "7"]),
    ("/v1/*/fixed/**", "/v1/x/fixed", [:]),
  ])
  func matchingPathsGiveValues(
    template: String, path: String, expected: [String: String]
  ) throws {
    #expect(try values(template, path) == expected)
  }

  @Test(arguments: [
    "/v1/providers/p/trips", "/v1/providers/p/trips/t/x", "/v1/providers//trips/t",
    "/v1/providers/p/trips/",
    "/v2/providers/p/trips/t", "v1/providers/p/trips/t", "//v1/providers/p/trips/t", "", "/",
  ])
  func otherPathsDoNotMatch(path: String) throws {
    #expect(try values("/v1/{name=providers/*/trips/*}", path) == nil)
  }

  @Test func verbsMustBeEqual() throws {
    let template = "/v1/{parent=providers/*}/trips:search"
    for path in [
      "/v1/providers/p/trips", "/v1/providers/p/trips:find", "/v1/providers/p/trips%3Asearch",
    ] {
      #expect(try values(template, path) == nil)
    }
    #expect(try values("/v1/{parent=providers/*}/trips", "/v1/providers/p/trips:search") == nil)
  }

  @Test func valuesAreDecodedOnce() throws {
    #expect(try values("/v1/{id}", "/v1/a%2Fb%20%2525")?["id"] == "a/b %25")
    #expect(try values("/v1/{id}", "/v1/%C3%BC+1")?["id"] == "ü+1")
    // Otherwise an ID with a slash would be two segments.
    #expect(try values("/v1/{name=a/*}", "/v1/a/b%2fc%2Fd%3A")?["name"] == "a/b%2fc%2Fd:")
    #expect(try values("/v1/{name=a/*}", "/v1/%61/b")?["name"] == "a/b")
  }

  @Test(arguments: [
    "", "v1", "/", "/v1//x", "/v1/{name", "/v1/{}", "/v1/{=a}", "/v1/{a=b/}", "/v1/{a={b}}",
    "/v1/{a}b", "/v1/a}",
    "/v1/x:", "/**/x/**", "/v1/***",
  ])
  func invalidTemplatesAreRefused(template: String) {
    #expect(PathTemplate(template) == nil)
  }

  @Test(arguments: [
    ("a,b", ["a", "b"]),
    ("trips(name,vehicleId),nextPageToken", ["trips.name", "trips.vehicleId", "nextPageToken"]),
    ("trips/name", ["trips.name"]), ("a(b(c,d),e),f", ["a.b.c", "a.b.d", "a.e", "f"]), ("*", []),
    ("a,*", []),
    ("trips/*", ["trips"]), ("a.b", ["a.b"]),
  ])
  func fieldsAreExpanded(text: String, paths: [String]) {
    #expect(FieldsParameter(text)?.paths == paths)
  }

  @Test(arguments: ["a(b", "a)", "(", "a(b))"])
  func parenthesesMustMatch(text: String) { #expect(FieldsParameter(text) == nil) }
}
