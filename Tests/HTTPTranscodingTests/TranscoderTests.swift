import CommandShell
import DynamicProtobuf
import Testing
import WireGRPC
import WireProtobuf

@testable import HTTPTranscoding

/// Requests for the methods of Fleet Engine.
struct TranscoderTests {
  private let pool: DescriptorPool
  private let transcoder: Transcoder

  init() throws {
    pool = try DescriptorPool(EmbeddedSchema.files)
    transcoder = try Transcoder(pool)
  }

  /// Returns the method and the JSON of its request.
  private func call(
    _ target: String, _ body: String = "", _ change: (inout HTTPCallRequest) -> Void = { _ in }
  ) throws -> (method: String, request: String) {
    let call = try transcoder.call(Self.request(target, body, change))
    let name = call.path.dropFirst().split(separator: "/").joined(separator: ".")
    guard case .method(let method, _)? = pool[name] else { return (call.path, "") }
    var unknown = 0
    let message = try DynamicMessage(
      serializedBytes: call.request, as: method.input, in: pool, unknownFieldCount: &unknown)
    #expect(unknown == 0)
    return (method.name, message.json ?? "")
  }

  /// - Parameter target: the method, the path and the query.
  private static func request(
    _ target: String, _ body: String = "", _ change: (inout HTTPCallRequest) -> Void = { _ in }
  ) -> HTTPCallRequest {
    let parts = target.split(separator: " ").map(String.init)
    let url = parts[1].split(separator: "?", maxSplits: 1).map(String.init)
    var request = HTTPCallRequest(method: parts[0], path: url[0])
    request.query = url.count > 1 ? url[1] : ""
    request.body = Array(body.utf8)
    change(&request)
    return request
  }

  private func error(
    _ target: String, _ body: String = "", _ change: (inout HTTPCallRequest) -> Void = { _ in }
  ) throws -> RPCStatus {
    try #require(
      #expect(throws: TranscodingError.self) {
        _ = try transcoder.call(Self.request(target, body, change))
      }
    ).status
  }

  @Test(arguments: [
    (
      "GET /v1/providers/p/trips/t1?view=SDK", "", "GetTrip",
      #"{"name":"providers/p/trips/t1","view":"SDK"}"#
    ),
    (
      "GET /v1/providers/p/trips/t1?view=1", "", "GetTrip",
      #"{"name":"providers/p/trips/t1","view":"SDK"}"#
    ),
    ("HEAD /v1/providers/p/trips/t1", "", "GetTrip", #"{"name":"providers/p/trips/t1"}"#),
    (
      "GET /v1/providers/p/trips/t1?header.languageCode=de&header.region_code=DE", "", "GetTrip",
      #"{"header":{"languageCode":"de","regionCode":"DE"},"name":"providers/p/trips/t1"}"#
    ),
    (
      "GET /v1/providers/p/trips/t1?currentRouteSegmentVersion=2026-11-21T10:00:00Z", "", "GetTrip",
      #"{"name":"providers/p/trips/t1","currentRouteSegmentVersion":"2026-11-21T10:00:00Z"}"#
    ),
    (
      "POST /v1/providers/p/trips?tripId=t%2B1+", #"{"tripType":"SHARED"}"#, "CreateTrip",
      #"{"parent":"providers/p","trip":{"tripType":"SHARED"},"tripId":"t+1 "}"#
    ),
    (
      "POST /v1/providers/p/trips?trip_id=t1", "", "CreateTrip",
      #"{"parent":"providers/p","tripId":"t1"}"#
    ),
    (
      "PUT /v1/providers/p/trips/t1?updateMask=tripStatus,vehicle_id",
      #"{"tripStatus":2,"name":"x"}"#, "UpdateTrip",
      #"{"name":"providers/p/trips/t1","trip":{"name":"x","tripStatus":"ENROUTE_TO_PICKUP"},"#
        + #""updateMask":"tripStatus,vehicleId"}"#
    ),
    ("DELETE /v1/providers/p/trips/t1", "", "DeleteTrip", #"{"name":"providers/p/trips/t1"}"#),
    (
      "POST /v1/providers/p/trips:search", #"{"minimumStaleness":"1.5s","parent":"providers/q"}"#,
      "SearchTrips",
      #"{"parent":"providers/p","minimumStaleness":"1.500s"}"#
    ),
    (
      "POST /v1/providers/p/billableTrips/b:report", "{}", "ReportBillableTrip",
      #"{"name":"providers/p/billableTrips/b"}"#
    ),
    (
      "GET /v1/providers/p/vehicles?pageSize=2&tripTypes=SHARED&tripTypes=EXCLUSIVE&onTripOnly=true&minimumCapacity=4&maximumStaleness=60s",
      "",
      "ListVehicles",
      #"{"parent":"providers/p","pageSize":2,"minimumCapacity":4,"tripTypes":["SHARED","EXCLUSIVE"],"maximumStaleness":"60s","onTripOnly":true}"#
    ),
    (
      "POST /v1/providers/p/vehicles/v1:updateAttributes",
      #"{"attributes":[{"key":"a","value":"b"}]}"#,
      "UpdateVehicleAttributes",
      #"{"name":"providers/p/vehicles/v1","attributes":[{"key":"a","value":"b"}]}"#
    ),
    (
      "PATCH /v1/providers/p/tasks/k?updateMask=taskOutcome",
      #"{"name":"other","taskOutcome":"SUCCEEDED"}"#,
      "UpdateTask",
      #"{"task":{"name":"providers/p/tasks/k","taskOutcome":"SUCCEEDED"},"updateMask":"taskOutcome"}"#
    ),
    (
      "PATCH /v1/providers/p/deliveryVehicles/d?update_mask=attributes", "{}",
      "UpdateDeliveryVehicle",
      #"{"deliveryVehicle":{"name":"providers/p/deliveryVehicles/d"},"updateMask":"attributes"}"#
    ),
    (
      "POST /v1/providers/p/tasks:batchCreate", #"{"requests":[{"taskId":"k"}]}"#,
      "BatchCreateTasks",
      #"{"parent":"providers/p","requests":[{"taskId":"k"}]}"#
    ),
    (
      "GET /v1/providers/p/deliveryVehicles?filter=attributes.a%3D%22b%22&viewport.low.latitude=-1.5",
      "",
      "ListDeliveryVehicles",
      #"{"parent":"providers/p","filter":"attributes.a=\"b\"","viewport":{"low":{"latitude":-1.5}}}"#
    ),
    (
      "GET /v1/providers/p/taskTrackingInfo/x", "", "GetTaskTrackingInfo",
      #"{"name":"providers/p/taskTrackingInfo/x"}"#
    ),
    ("GET /v1/providers/p/trips/t%20%C3%BC", "", "GetTrip", #"{"name":"providers/p/trips/t ü"}"#),
    (
      "GET /v1/providers/p/trips/t?key=k&prettyPrint=false&$alt=json;enum-encoding%3Dint&quotaUser=u",
      "", "GetTrip",
      #"{"name":"providers/p/trips/t"}"#
    ),
  ])
  func requestsAreCalls(target: String, body: String, method: String, request: String) throws {
    let call = try call(target, body)
    #expect(call.method == method)
    #expect(call.request == request)
  }

  @Test func everyMethodOfFleetEngineHasARule() throws {
    for service in pool.services where service.fullName.hasPrefix("maps.fleetengine.") {
      for method in service.methods {
        #expect(try HTTPBinding.all(of: method, in: pool).count == 1, "\(method.path)")
      }
    }
  }

  @Test(arguments: [
    ("GET /v1/providers/p/flights/t1", "no method has the path \"/v1/providers/p/flights/t1\""),
    ("GET /", "no method has the path \"/\""),
    (
      "PATCH /v1/providers/p/trips/t1",
      "\"/v1/providers/p/trips/t1\" has no method PATCH, only DELETE, GET, PUT"
    ),
    ("POST /v1/providers/p/trips:fly", "no method has the path \"/v1/providers/p/trips:fly\""),
  ])
  func unknownPathsAreNotFound(target: String, message: String) throws {
    let status = try error(target)
    #expect(status.code == 5)
    #expect(status.message == message)
  }

  @Test(arguments: [
    (
      "GET /v1/providers/p/trips/t?vew=SDK", "vew",
      "vew is not a field of maps.fleetengine.v1.GetTripRequest"
    ),
    (
      "GET /v1/providers/p/trips/t?view=FAR", "view",
      "view is \"FAR\": maps.fleetengine.v1.TripView has no value"
    ),
    ("GET /v1/providers/p/trips/t?view=SDK&view=SDK", "view", "view has several values"),
    ("GET /v1/providers/p/trips/t?name=x", "name", "name is in the path or the body"),
    (
      "GET /v1/providers/p/trips/t?header=x", "header",
      "header is a message; name one of its fields"
    ),
    (
      "GET /v1/providers/p/trips/t?view=%zz", "view=%zz",
      "view=%zz is not valid percent-encoding of UTF-8"
    ),
    (
      "GET /v1/providers/p/trips/t?view=%FF", "view=%FF",
      "view=%FF is not valid percent-encoding of UTF-8"
    ),
    ("GET /v1/providers/p/trips/%4", "", "the path is not valid percent-encoding of UTF-8"),
    ("GET /v1/providers/p/vehicles?pageSize=many", "pageSize", "pageSize is \"many\": "),
    (
      "POST /v1/providers/p/trips:search?pageSize=1", "pageSize",
      "pageSize is in the path or the body"
    ),
    (
      "PUT /v1/providers/p/trips/t?trip.vehicleId=v", "trip.vehicleId",
      "trip.vehicleId is in the path or the body"
    ),
    ("GET /v1/providers/p/trips/t?alt=media", "alt", "alt must be json"),
    ("GET /v1/providers/p/trips/t?callback=f", "callback", "callback is not supported"),
    ("GET /v1/providers/p/trips/t?$unknown=f", "$unknown", "$unknown is not a field"),
    ("GET /v1/providers/p/trips/t?fields=nam", "fields", "fields has the path \"nam\""),
    ("GET /v1/providers/p/trips/t?fields=a(b", "fields", "fields has parentheses"),
    (
      "GET /v1/providers/p/trips/t?currentRouteSegmentVersion=now", "currentRouteSegmentVersion",
      "currentRoute"
    ),
    ("GET /v1/providers/p/trips/t?a.b.c", "a.b.c", "a.b.c is not a field"),
    ("GET /v1/providers/p/trips/t?=", "", "is not a field"),
  ])
  func invalidParametersAreNamed(target: String, field: String, message: String) throws {
    let status = try error(target)
    #expect(status.code == 3)
    #expect(status.message.contains(message), "\(status.message)")
    let details = try #require(try status.details.first?.unpack(BadRequest.self))
    #expect(details.fieldViolations.map(\.field) == [field])
  }

  @Test(arguments: [
    "{", "{}}", "[]", "null", #"{"tripTyp":1}"#, #"{"tripType":"FAST"}"#, #"{"name":1}"#,
    #"{"name":"a","name":"b"}"#,
    "\u{FEFF}{}", #"{"trip":{}}"#, String(repeating: #"{"remainingWaypoints":["#, count: 200),
    #"{"tripType":"SHARED"}, "parent": "providers/q""#,
  ])
  func invalidBodiesAreRefused(body: String) throws {
    let status = try error("POST /v1/providers/p/trips?tripId=t", body)
    #expect(status.code == 3)
    #expect(status.message.hasPrefix("invalid JSON in the body: "), "\(status.message)")
  }

  @Test func bodiesMustBeJSON() throws {
    let target = "POST /v1/providers/p/trips?tripId=t"
    for type in [
      "application/json", "application/json; charset=UTF-8", "Application/JSON;charset=\"utf-8\"",
    ] {
      _ = try call(target, "{}") { $0.contentType = type }
    }
    for type in [
      "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "",
    ] {
      let status = try error(target, "{}") { $0.contentType = type }
      #expect(status.message.hasSuffix("must be application/json"))
    }
    // Without a body, there is no type.
    _ = try call(target) { $0.contentType = "text/plain" }
  }

  @Test func methodsWithoutABodyRefuseOne() throws {
    #expect(
      try error("DELETE /v1/providers/p/trips/t", "{}").message
        == "DELETE /v1/providers/p/trips/t has no body")
  }

  // MARK: Responses

  private func response(
    _ query: String, _ json: String, _ change: (inout HTTPCallRequest) -> Void = { _ in }
  ) throws -> String {
    let type = try #require(pool.message("maps.fleetengine.v1.SearchTripsResponse"))
    let message = try DynamicMessage(jsonUTF8Bytes: Array(json.utf8), as: type, in: pool)
    let call = try transcoder.call(
      Self.request("POST /v1/providers/p/trips:search?\(query)", "", change))
    return String(decoding: try call.json(message.serializedBytes()), as: UTF8.self)
  }

  private let trips =
    #"{"trips":[{"name":"n","vehicleId":"v","tripType":"SHARED","numberOfPassengers":2}],"nextPageToken":"x"}"#

  @Test func responsesAreJSON() throws {
    #expect(
      try response("prettyPrint=false", trips)
        == #"{"trips":[{"name":"n","vehicleId":"v","tripType":"SHARED","numberOfPassengers":2}],"nextPageToken":"x"}"#
    )
    #expect(try response("", "{}") == "{}")
    #expect(try response("", #"{"nextPageToken":"x"}"#) == "{\n  \"nextPageToken\": \"x\"\n}")
    #expect(
      try response(
        "$alt=json%3Benum-encoding%3Dint&$prettyPrint=0", #"{"trips":[{"tripType":"SHARED"}]}"#)
        == #"{"trips":[{"tripType":1}]}"#)
  }

  @Test(arguments: [
    "fields=trips(name),nextPageToken", "$fields=trips.name,next_page_token",
    "fields=trips/name,nextPageToken",
  ])
  func responsesMayBePartial(query: String) throws {
    let expected = #"{"trips":[{"name":"n"}],"nextPageToken":"x"}"#
    #expect(try response("prettyPrint=false&\(query)", trips) == expected)
    #expect(
      try response("prettyPrint=false", trips) { $0.fieldMask = "trips.name,nextPageToken" }
        == expected)
  }

  @Test func errorsAreGooglesJSON() throws {
    let error = transcoder.error(try error("GET /v1/providers/p/trips/t?vew=1"))
    #expect(error.httpStatus == 400)
    #expect(
      String(decoding: error.json, as: UTF8.self) == """
        {
          "error": {
            "code": 400,
            "message": "vew is not a field of maps.fleetengine.v1.GetTripRequest",
            "status": "INVALID_ARGUMENT",
            "details": [
              {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [
                  {
                    "field": "vew",
                    "description": "is not a field of maps.fleetengine.v1.GetTripRequest"
                  }
                ]
              }
            ]
          }
        }
        """)
  }

  @Test func tokensInParametersAreSeen() throws {
    let target = "GET /v1/providers/p/trips/t"
    #expect(try transcoder.call(Self.request(target + "?access_token=x")).token == "x")
    #expect(try transcoder.call(Self.request(target + "?key=x")).token == nil)
    #expect(try transcoder.call(Self.request(target + "?access_token=")).token == nil)
  }
}
