import Testing

@testable import WireGRPCClient

@Suite struct AddressRaceTests {
  private func race(_ addresses: [String]) -> AddressRace<String> {
    AddressRace(addresses) { $0.first }
  }

  /// "dial 6a +timer", "wait" or "give up".
  private func text(_ action: AddressRace<String>.Action) -> String {
    switch action {
    case .dial(let address, let timer):
      "dial \(address) +\(timer)"
    case .wait: "wait"
    case .giveUp: "give up"
    }
  }

  @Test func alternatesAddressFamilies() {
    var race = race(["6a", "6b", "6c", "4a", "4b"])
    var order: [String] = [text(race.start())]
    for _ in 0..<5 { order.append(text(race.timerFired())) }
    let timer = "+\(Duration.milliseconds(250))"
    #expect(
      order == [
        "dial 6a \(timer)", "dial 4a \(timer)", "dial 6b \(timer)", "dial 4b \(timer)",
        "dial 6c +2.0 seconds", "dial 6a \(timer)",
      ])
  }

  /// The client may have moved to another network, where answers to its old address never arrive.
  @Test func redialsAddressesThatDoNotRespond() {
    var race = race(["4a", "4b", "4c"])
    var lines = [text(race.start()), text(race.failed("4a"))]
    for _ in 0..<6 { lines.append(text(race.timerFired())) }
    #expect(
      lines == [
        "dial 4a +0.25 seconds", "dial 4b +0.25 seconds", "dial 4c +2.0 seconds",
        "dial 4b +0.25 seconds", "dial 4c +4.0 seconds",
        "dial 4b +0.25 seconds", "dial 4c +8.0 seconds", "dial 4b +0.25 seconds",
      ])
    // The first connection of each address counts.
    check(race.connected("4c"), .seconds(1))
    check(text(race.timerFired()), "dial 4b +16.0 seconds")
    check(text(race.failed("4b")), "wait")
    check(text(race.failed("4c")), "give up")
  }

  @Test func doesNotRedialWhileOneIsConnected() {
    var race = race(["4a", "4b"])
    _ = race.start()
    check(race.connected("4a"), .seconds(1))
    check(text(race.timerFired()), "dial 4b +2.0 seconds")
    check(text(race.timerFired()), "wait")
    check(text(race.failed("4b")), "wait")
    check(text(race.failed("4a")), "give up")
  }

  @Test func failureStartsTheNextDialAtOnce() {
    var race = race(["4a", "4b"])
    _ = race.start()
    check(text(race.failed("4a")), "dial 4b +2.0 seconds")
    check(text(race.failed("4b")), "give up")
  }

  @Test func givesUpOnlyWhenAllHaveFailed() {
    var race = race(["4a", "6b"])
    _ = race.start()
    _ = race.timerFired()
    check(text(race.failed("4a")), "wait")
    check(text(race.failed("6b")), "give up")
  }

  @Test func connectedAddressPausesTheOthersForASecond() {
    var race = race(["4a", "6b", "4c"])
    _ = race.start()
    _ = race.timerFired()
    check(race.connected("6b"), .seconds(1))
    // 4a was abandoned, and is dialed next if 6b does not become ready.
    let timer = "+\(Duration.milliseconds(250))"
    check(text(race.timerFired()), "dial 4a \(timer)")
    check(race.connected("4a"), .seconds(1))
    check(text(race.failed("6b")), "dial 4c +2.0 seconds")
    check(text(race.failed("4c")), "wait")
    check(text(race.failed("4a")), "give up")
  }

  @Test func lastConnectedAddressHasNoTimer() {
    var race = race(["4a"])
    _ = race.start()
    check(race.connected("4a"), nil)
    check(text(race.timerFired()), "wait")
    check(text(race.failed("4a")), "give up")
  }

  @Test func givesUpWithoutAddresses() {
    var race = race([])
    check(text(race.start()), "give up")
  }
}
