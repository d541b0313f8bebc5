/// The version of this package, as `tripwire --version` and `x-goog-api-client` say it.
public let libraryVersion = "0.1.0"
