import WireGRPC

/// The version of this package, as `tripwire --version` and the headers of its calls say it.
package let libraryVersion = UserAgent.version
