package import CommandLine
package import CommandShell
package import Tripwire

package struct PollOptions: Sendable {
  package var server = ServerOptions()
  package var view: TripView?
  package var routeFormat: PolylineFormatType?
  package var interval = TripModelOptions.defaultRefreshInterval

  package init() {}

  package static let all: [Option<PollOptions>] =
    [
      .value(
        "interval", "TIME", .request, "poll the server every TIME, from 100ms to 24h\nDefault: 5s.",
        parse: Parse.boundedDuration(
          .milliseconds(100) ... .seconds(86_400), "expected a duration from 100ms to 24h"),
        store: { $0.interval = $1 }
      ).inProfiles().excludedByFrom,
      TripView.option { $0.view = $1 }.excludedByFrom,
      PolylineFormatType.option { $0.routeFormat = $1 }.excludedByFrom,
    ]
    + ServerOptions.all.filter { $0.long != "retries" }.map { option in
      (option.long == "timeout" ? option.described(timeout) : option).inside(\.server)
    }

  private static let timeout =
    "wait up to TIME for each response, such as 500ms\nDefault: 15s (60s for deliveries)."
}

extension TripView {
  package static func option<Values>(
    store: @escaping @Sendable (inout Values, TripView) -> Void
  ) -> Option<Values> {
    .value(
      "view", "VIEW", .request,
      "request the fields of VIEW: sdk or journey-sharing-v1s\nApplies only to trips.",
      choice: Choice([("sdk", .sdk), ("journey-sharing-v1s", .journeySharingV1s)]), store: store)
  }
}

extension PolylineFormatType {
  package static func option<Values>(
    store: @escaping @Sendable (inout Values, PolylineFormatType) -> Void
  ) -> Option<Values> {
    .value(
      "route-format", "FORMAT", .request,
      "request routes as lat-lng-list or encoded-polyline\nApplies only to trips.",
      choice: Choice([
        ("lat-lng-list", .latLngListType), ("encoded-polyline", .encodedPolylineType),
      ]), store: store
    ).inFullHelpOnly()
  }
}
