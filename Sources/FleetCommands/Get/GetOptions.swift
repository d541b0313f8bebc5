import CommandCalls
package import CommandLine
import CommandResources
import CommandShell
import Tripwire

package struct GetOptions: ServerCommandOptions {
  var server = ServerOptions()
  var provider = ProviderOption()
  var view: TripView?
  var routeFormat: PolylineFormatType?
  var output = OutputFormat.json
  /// The paths of --fields; nil prints all fields.
  var fields: [String]?

  enum OutputFormat {
    case json
    case text
    case geojson
    case svg
  }

  package static let all: [Option<GetOptions>] =
    [
      .value(
        "output", short: "o", "FORMAT", .common,
        "print json (default), text, geojson or svg\njson is protobuf's JSON format (ProtoJSON)."
          + " text is human-readable, with local times. geojson has the routes, the stops and the"
          + " vehicle. svg is a picture of the same.",
        choice: Choice([
          ("json", OutputFormat.json), ("text", .text), ("geojson", .geojson), ("svg", .svg),
        ]),
        store: { $0.output = $1 }
      ).inProfiles(),
      ResponseFields.option { $0.fields = $1 },
      TripView.option { $0.view = $1 },
      PolylineFormatType.option { $0.routeFormat = $1 },
    ] + ProviderOption.all.map { $0.inside(\.provider) }
    + ServerOptions.all.map { $0.inside(\.server) }
}
