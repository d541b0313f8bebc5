import WireGRPC

/// The version of this package, which `tripwire --version` prints and calls send in their headers.
package let libraryVersion = UserAgent.version
