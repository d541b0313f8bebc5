/// The options of the commands of `tripwire token` that set or check one claim each.
package enum ClaimOption {
  package static let all: [(option: String, claim: String)] = [
    ("trip", "tripid"), ("vehicle", "vehicleid"), ("task", "taskid"),
    ("tracking", "trackingid"), ("delivery-vehicle", "deliveryvehicleid"),
  ]

  package static func name(for claim: String) -> String {
    all.first(where: { $0.claim == claim })?.option ?? "claim"
  }
}
