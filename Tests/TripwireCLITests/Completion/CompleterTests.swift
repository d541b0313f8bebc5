import Testing

@testable import TripwireCLI

@Suite struct CompleterTests {
  private func words(_ line: String...) -> [String]? {
    guard case .words(let candidates) = Completer().complete(line) else { return nil }
    return candidates.map(\.word)
  }

  @Test func completesCommands() {
    #expect(words("re") == ["relay", "report-billable", "replay"])
    #expect(words("he") == ["help"])
    #expect(words("help", "to") == ["token"])
    #expect(words("token", "") == ["mint", "inspect"])
    #expect(words("nothing", "") == [])
  }

  @Test func completesOptions() {
    #expect(words("get", "--plain") == ["--plaintext"])
    #expect(words("get", "-", "--plain") == ["--plaintext"])
    #expect(words("token", "mint", "--rol") == ["--role"])
    #expect(words("get", "--nothing") == [])
    #expect(words("get", "-plain") == ["-plaintext"])
    #expect(words("get", "-plaintext", "-plain") == [])
    #expect(words("get", "-output", "g") == ["geojson"])
    #expect(words("get", "-h") == [])
    #expect(words("ls", "--plain") == ["--plaintext"])
  }

  @Test func offersAnOptionOnceUnlessItMayBeRepeated() {
    #expect(words("get", "--plaintext", "--plain") == [])
    #expect(words("get", "--header", "a: b", "--head") == ["--header"])
    #expect(words("call", "--protoset", "a", "--protos") == ["--protoset"])
  }

  @Test func completesArguments() {
    #expect(words("get", "-o", "") == ["json", "text", "geojson", "svg"])
    #expect(words("get", "--output", "g") == ["geojson"])
    #expect(words("get", "--output=g") == ["geojson"])
    #expect(words("get", "--endpoint", "") == [])
    #expect(Completer().complete(["get", "--cacert=\u{301}x"]) == .files)
    #expect(Completer().complete(["get", "--cacert", "x"]) == .files)
    #expect(Completer().complete(["get", "--cacert=x"]) == .files)
    #expect(Completer().complete(["map", "--leaflet", "x"]) == .directories)
  }

  @Test func completesOperands() {
    #expect(
      words("get", "") == [
        "trips/", "vehicles/", "tasks/", "deliveryVehicles/", "taskTrackingInfo/", "providers/",
      ])
    #expect(words("follow", "tasks/t1", "de") == ["deliveryVehicles/"])
    #expect(words("call", "TripService/GetT") == ["TripService/GetTrip"])
    #expect(
      words("call", "maps.fleetengine.v1.TripService/GetT")
        == ["maps.fleetengine.v1.TripService/GetTrip"])
    #expect(
      words("list", "maps.") == [
        "maps.fleetengine.delivery.v1.DeliveryService", "maps.fleetengine.v1.TripService",
        "maps.fleetengine.v1.VehicleService",
      ])
    #expect(
      words("describe", "maps.fleetengine.v1.GetTrip") == [
        "maps.fleetengine.v1.GetTripRequest"
      ])
    #expect(words("completion", "") == ["bash", "zsh", "fish"])
    #expect(Completer().complete(["log", ""]) == .files)
  }

  @Test func completesNamesOfResourcesToChange() {
    #expect(
      words("create", "") == [
        "trips/", "vehicles/", "tasks/", "deliveryVehicles/", "tasks", "providers/",
      ])
    #expect(words("delete", "de") == ["deliveryVehicles/"])
    #expect(words("report-billable", "") == ["trips/", "providers/"])
    #expect(words("delete", "tasks/t1", "") == [])
    #expect(words("update", "--dry") == ["--dry-run"])
    #expect(words("create", "--ye") == [])
  }

  @Test func completesFieldsOfResourcesToChange() {
    #expect(words("update", "trips/t1", "trip_s") == ["trip_status="])
    #expect(
      words("update", "--provider", "p", "tasks/t1", "task_outcome") == [
        "task_outcome=", "task_outcome_time=", "task_outcome_location.",
        "task_outcome_location_source=",
      ])
    #expect(words("update", "--provider=p", "tasks/t1", "state=C") == ["state=CLOSED"])
    #expect(
      words("create", "providers/p/tasks/t1", "planned_location.point.la") == [
        "planned_location.point.latitude="
      ])
    #expect(
      words("update", "vehicles/v1", "back_to_back_enabled=") == [
        "back_to_back_enabled=true", "back_to_back_enabled=false",
      ])
    #expect(
      words("update", "vehicles/v1", "last_location.speed_a") == ["last_location.speed_accuracy="])
    #expect(words("report-billable", "t1", "country") == ["country_code="])
    for unknown in ["name", "none.x", "state.x", "none=", "trip_status=\u{301}"] {
      #expect(words("update", "trips/t1", unknown) == [], "\(unknown)")
    }
    #expect(words("update", "t1", "trip_s") == [])
  }

  @Test func wordsAfterTwoDashesAreOperands() {
    #expect(words("completion", "--", "b") == ["bash"])
    #expect(Completer().complete(["log", "--", "-"]) == .files)
  }

  /// A pipe without a writer would block the shell.
  @Test(arguments: ["/dev/null", "/none"])
  func unreadableProtosetOffersNothing(path: String) {
    #expect(words("call", "--protoset", path, "") == [])
  }

  @Test func printsALineForEachCandidate() {
    #expect(Completer().answer(["get", "--plaint"]) == "--plaintext\tuse HTTP/2 without TLS\n")
    #expect(Completer().answer(["get", "-o", "s"]) == "svg\n")
    #expect(Completer().answer(["log", ""]) == ":files\n")
    #expect(Completer().answer([]) == "")
  }
}
