package import CommandLine
import CommandResources
import CommandShell

package struct MapCommandOptions: ServerCommandOptions {
  var isLongRunning: Bool { true }
  var follow = FollowOptions()
  var map = MapOptions()
  var listen = PageAddress()
  var allowsRemote = false
  var opensBrowser = false

  var server: ServerOptions {
    get { follow.server }
    set { follow.server = newValue }
  }
  var callsServer: Bool { follow.callsServer }

  package static let all: [Option<MapCommandOptions>] =
    [
      .value(
        "listen", "HOST:PORT", .common,
        "serve the page at this address\nPort 0 selects a free port. An address that other machines can"
          + " reach requires --allow-remote. Default: 127.0.0.1:0.",
        parse: Parse.pageAddress, store: { $0.listen = $1 }),
      .flag(
        "allow-remote", .common,
        "let other machines open the page\nIts URL then contains a random key. Anyone with the URL sees"
          + " the map. The page is not encrypted.",
        store: { $0.allowsRemote = true }),
      .flag(
        "open", .common, "open the page in the browser", store: { $0.opensBrowser = true }),
    ]
    + FollowOptions.all.filter { !["output", "fields"].contains($0.long) }.map {
      $0.inside(\.follow)
    }
    + MapOptions.all.map { $0.inside(\.map) }
}
