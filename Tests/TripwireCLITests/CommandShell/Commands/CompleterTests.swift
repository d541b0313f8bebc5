import Testing

@testable import CommandShell
@testable import TripwireCLI

@Suite struct CompleterTests {
  private let completer = Completer(root: allCommands, console: TestConsole().console)

  private func words(_ line: String...) async -> [String]? {
    guard case .words(let candidates) = await completer.complete(line) else { return nil }
    return candidates.map(\.word)
  }

  @Test func completesCommands() async {
    #expect(await words("re") == ["relay", "report-billable", "replay"])
    #expect(await words("he") == ["help"])
    #expect(await words("help", "to") == ["token"])
    #expect(await words("token", "") == ["mint", "inspect"])
    #expect(await words("nothing", "") == [])
  }

  @Test func completesOptions() async {
    #expect(await words("get", "--plain") == ["--plaintext"])
    #expect(await words("get", "-", "--plain") == ["--plaintext"])
    #expect(await words("token", "mint", "--rol") == ["--role"])
    #expect(await words("get", "--nothing") == [])
    #expect(await words("get", "-plain") == ["-plaintext"])
    #expect(await words("get", "-plaintext", "-plain") == [])
    #expect(await words("get", "-output", "g") == ["geojson"])
    #expect(await words("get", "-h") == [])
    #expect(await words("ls", "--plain") == ["--plaintext"])
  }

  @Test func offersAnOptionOnceUnlessItMayBeRepeated() async {
    #expect(await words("get", "--plaintext", "--plain") == [])
    #expect(await words("get", "--header", "a: b", "--head") == ["--header"])
    #expect(await words("call", "--protoset", "a", "--protos") == ["--protoset"])
  }

  @Test func completesArguments() async {
    #expect(await words("get", "-o", "") == ["json", "text", "geojson", "svg"])
    #expect(await words("get", "--output", "g") == ["geojson"])
    #expect(await words("get", "--output=g") == ["geojson"])
    #expect(await words("get", "--endpoint", "") == [])
    #expect(await completer.complete(["get", "--cacert=\u{301}x"]) == .files)
    #expect(await completer.complete(["get", "--cacert", "x"]) == .files)
    #expect(await completer.complete(["get", "--cacert=x"]) == .files)
    #expect(await completer.complete(["get", "--access-token", "./k"]) == .files)
    #expect(await completer.complete(["map", "--leaflet", "x"]) == .directories)
    for option in ["--map", "--anonymize", "--mapping", "--export-cloud-logging"] {
      #expect(await completer.complete(["log", option, "x"]) == .files)
    }
  }

  @Test func completesOperands() async {
    #expect(
      await words("get", "") == [
        "trips/", "vehicles/", "tasks/", "deliveryVehicles/", "taskTrackingInfo/", "providers/",
      ])
    #expect(await words("follow", "tasks/t1", "de") == ["deliveryVehicles/"])
    #expect(await words("call", "TripService/GetT") == ["TripService/GetTrip"])
    #expect(
      await words("call", "maps.fleetengine.v1.TripService/GetT")
        == ["maps.fleetengine.v1.TripService/GetTrip"])
    #expect(
      await words("list", "maps.") == [
        "maps.fleetengine.delivery.v1.DeliveryService", "maps.fleetengine.v1.TripService",
        "maps.fleetengine.v1.VehicleService",
      ])
    #expect(
      await words("describe", "maps.fleetengine.v1.GetTrip") == [
        "maps.fleetengine.v1.GetTripRequest"
      ])
    #expect(await words("describe", "SearchTripsReq") == ["SearchTripsRequest"])
    #expect(await words("describe", "TripService/GetT") == ["TripService/GetTrip"])
    #expect(await words("describe", "m") == ["maps."])
    #expect(await words("list", "Veh") == ["VehicleService"])
    #expect(await words("call", "map") == ["maps."])
    #expect(await words("completion", "") == ["bash", "zsh", "fish"])
    #expect(await completer.complete(["log", ""]) == .files)
  }

  @Test func completesNamesOfResourcesToChange() async {
    #expect(
      await words("create", "") == [
        "trips/", "vehicles/", "tasks/", "deliveryVehicles/", "tasks", "providers/",
      ])
    #expect(await words("delete", "de") == ["deliveryVehicles/"])
    #expect(await words("report-billable", "") == ["trips/", "providers/"])
    #expect(await words("delete", "tasks/t1", "") == [])
    #expect(await words("update", "--dry") == ["--dry-run"])
    #expect(await words("create", "--ye") == [])
  }

  @Test func completesFieldsOfResourcesToChange() async {
    #expect(await words("update", "trips/t1", "trip_s") == ["trip_status="])
    #expect(
      await words("update", "--provider", "p", "tasks/t1", "task_outcome") == [
        "task_outcome=", "task_outcome_time=", "task_outcome_location.",
        "task_outcome_location_source=",
      ])
    #expect(await words("update", "--provider=p", "tasks/t1", "state=C") == ["state=CLOSED"])
    #expect(
      await words("create", "providers/p/tasks/t1", "planned_location.point.la") == [
        "planned_location.point.latitude="
      ])
    #expect(
      await words("update", "vehicles/v1", "back_to_back_enabled=") == [
        "back_to_back_enabled=true", "back_to_back_enabled=false",
      ])
    #expect(
      await words("update", "vehicles/v1", "last_location.speed_a") == [
        "last_location.speed_accuracy="
      ])
    #expect(await words("report-billable", "t1", "country") == ["country_code="])
    for unknown in ["name", "none.x", "state.x", "none=", "trip_status=\u{301}"] {
      #expect(await words("update", "trips/t1", unknown) == [], "\(unknown)")
    }
    #expect(await words("update", "t1", "trip_s") == [])
  }

  @Test func wordsAfterTwoDashesAreOperands() async {
    #expect(await words("completion", "--", "b") == ["bash"])
    #expect(await completer.complete(["log", "--", "-"]) == .files)
  }

  /// A pipe without a writer would block the shell.
  @Test(arguments: ["/dev/null", "/none"])
  func unreadableProtosetOffersNothing(path: String) async {
    #expect(await words("call", "--protoset", path, "") == [])
  }

  @Test func printsALineForEachCandidate() async {
    #expect(
      await completer.answer(["get", "--plaint"]) == "--plaintext\tuse HTTP/2 without TLS\n")
    #expect(await completer.answer(["get", "-o", "s"]) == "svg\n")
    #expect(await completer.answer(["log", ""]) == ":files\n")
    #expect(await completer.answer([]) == "")
  }
}
