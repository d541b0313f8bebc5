import FleetEngineAPI
import Testing

@Suite struct ResourceNameTests {
  @Test func parsesNames() throws {
    let trip = try TripName("providers/my-project/trips/t1")
    #expect(trip.providerID == "my-project")
    #expect(trip.tripID == "t1")
    #expect(trip.description == "providers/my-project/trips/t1")
    let vehicle = try VehicleName(providerID: "my-project", vehicleID: "v-42")
    #expect(vehicle.description == "providers/my-project/vehicles/v-42")
  }

  @Test func distinguishesTripsAndVehicles() throws {
    #expect(
      try ResourceName("providers/p/trips/t") == .trip(TripName(providerID: "p", tripID: "t")))
    let vehicle = try ResourceName("providers/p/vehicles/v")
    #expect(vehicle == .vehicle(try VehicleName(providerID: "p", vehicleID: "v")))
    #expect(vehicle.providerID == "p")
    #expect(vehicle.description == "providers/p/vehicles/v")
  }

  @Test(arguments: [
    "providers/p/trips/t",
    "providers/example.com:my-project/trips/t",  // a project of an old domain
    "providers/p/trips/" + String(repeating: "x", count: 64),
    "providers/p/trips/" + String(repeating: "ж", count: 64),
    "providers/p/trips/Zürich – Genève 東京 서울",
    "providers/p/trips/a b;c&d=e%2F",
    "providers/p/trips/\u{1F695}",
  ])
  func acceptsValidNames(name: String) throws {
    #expect(try TripName(name).description == name)
  }

  /// Name, start and length of the invalid part, and a part of the reason.
  @Test(arguments: [
    ("", 0, 0, "does not begin with \"providers/\""),
    ("t1", 0, 2, "does not begin with \"providers/\""),
    ("provider/p/trips/t", 0, 8, "does not begin with \"providers/\""),
    ("/providers/p/trips/t", 0, 0, "does not begin with \"providers/\""),
    ("providers", 9, 0, "provider (the Cloud project) is missing"),
    ("providers//trips/t", 10, 0, "provider (the Cloud project) is missing"),
    ("providers/my project/trips/t", 12, 1, "must not contain a space"),
    ("providers/pröject/trips/t", 12, 1, "must not contain a \"ö\""),
    ("providers/p\n/trips/t", 11, 1, "must not contain a control character"),
    ("providers/p", 11, 0, "expected \"trips\" after the provider"),
    ("providers/p/trip/t", 12, 4, "expected \"trips\" after the provider"),
    ("providers/p/vehicles/v", 12, 8, "expected \"trips\" after the provider"),
    ("providers/p/trips", 17, 0, "the trip ID is missing"),
    ("providers/p/trips/", 18, 0, "the trip ID is missing"),
    ("providers/p/trips/a/b", 19, 1, "a trip ID must not contain a \"/\""),
    ("providers/p/trips/t/", 19, 1, "a trip ID must not contain a \"/\""),
    ("providers/p/trips/a:b", 19, 1, "a trip ID must not contain a \":\""),
    ("providers/p/trips/é?", 19, 1, "a trip ID must not contain a \"?\""),
    ("providers/p/trips/,", 18, 1, "a trip ID must not contain a \",\""),
    ("providers/p/trips/12#", 20, 1, "a trip ID must not contain a \"#\""),
    ("providers/p/trips/cafe\u{301}", 21, 1, "normalization form C"),
    ("providers/p/trips/a:\u{301}", 19, 1, "a combining mark must not follow a \":\""),
    ("providers/p/trips/t/\u{301}u", 19, 1, "a combining mark must not follow a \"/\""),
  ])
  func reportsTheInvalidPart(name: String, start: Int, length: Int, reason: String) {
    let error = #expect(throws: ResourceNameError.self) { try TripName(name) }
    #expect(error?.range == start..<(start + length))
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    #expect(error?.name == name)
  }

  /// A name may come from a stranger. Quadratic time would be hours; the limit includes the wait for a thread.
  @Test(.timeLimit(.minutes(20))) func longNamesAreCheckedInLinearTime() {
    let name = "providers/p/trips/t" + String(repeating: "/", count: 1_000_000)
    let error = #expect(throws: ResourceNameError.self) { try TripName(name) }
    #expect(error?.range == 19..<20)
  }

  @Test func countsTheCharactersOfAnID() {
    let id = String(repeating: "x", count: 65)
    let error = #expect(throws: ResourceNameError.self) {
      try TripName(providerID: "p", tripID: id)
    }
    #expect(error?.reason == "a trip ID has at most 64 characters, this one has 65")
    #expect(error?.range == 18..<83)
  }

  @Test(arguments: [
    "providers/p/trips/t", "providers/p/vehicles/v", "providers/p/tasks/t",
    "providers/p/deliveryVehicles/v", "providers/p/taskTrackingInfo/S-1",
  ])
  func parsesEachKindOfName(name: String) throws {
    let parsed = try ResourceName(name)
    #expect(parsed.description == name)
    #expect(parsed.providerID == "p")
  }

  @Test func createsTheNamesOfDeliveries() throws {
    let task = try TaskName(providerID: "p", taskID: "t1")
    #expect(task.description == "providers/p/tasks/t1")
    #expect(try TaskName(task.description).taskID == "t1")
    let vehicle = try DeliveryVehicleName(providerID: "p", deliveryVehicleID: "v1")
    #expect(vehicle.description == "providers/p/deliveryVehicles/v1")
    #expect(try DeliveryVehicleName(vehicle.description).deliveryVehicleID == "v1")
    let tracking = try TaskTrackingInfoName(providerID: "p", trackingID: "S-1")
    #expect(tracking.description == "providers/p/taskTrackingInfo/S-1")
    #expect(try TaskTrackingInfoName(tracking.description).trackingID == "S-1")
  }

  /// Name, start and length of the invalid part, and the reason.
  @Test(arguments: [
    ("providers/p/deliveryVehicles/", 29, 0, "the delivery vehicle ID is missing"),
    ("providers/p/tasks/a:b", 19, 1, "a task ID must not contain a \":\""),
    ("providers/p/taskTrackingInfo/a,b", 30, 1, "a tracking ID must not contain a \",\""),
  ])
  func reportsTheInvalidPartOfDeliveryNames(
    name: String, start: Int, length: Int, reason: String
  ) {
    let error = #expect(throws: ResourceNameError.self) { try ResourceName(name) }
    #expect(error?.range == start..<(start + length))
    #expect(error?.reason == reason)
  }

  @Test func listsAllCollectionsInTheError() {
    let error = #expect(throws: ResourceNameError.self) { try ResourceName("providers/p/tirps/t") }
    #expect(
      error?.reason
        == "expected one of \"trips\", \"vehicles\", \"tasks\", \"deliveryVehicles\","
        + " \"taskTrackingInfo\" after the provider (as in providers/PROJECT/trips/TRIP)")
    #expect(
      error?.description.hasSuffix("(at character 13 of providers/p/tirps/t)") == true)
  }
}
