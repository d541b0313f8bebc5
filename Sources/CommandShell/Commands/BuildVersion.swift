import CBuildInfo
import Tripwire
import WireHTTP2
import WireProtobuf
import WireTLS

/// The version of this build and of the libraries that it uses.
package struct BuildVersion {
  let version = libraryVersion
  /// Empty, as is the date, unless `make` built a release from a Git checkout.
  let commit = String(cString: CBuildInfo_commit())
  let commitDate = String(cString: CBuildInfo_commitDate())
  let nghttp2 = nghttp2Version
  let openSSL = openSSLVersion

  package init() {}

  /// The first line is `tripwire VERSION`, with the commit and its date in parentheses.
  package var text: String {
    let source = commit.isEmpty ? "" : " (\(commit), \(commitDate))"
    return "tripwire \(version)\(source)\nnghttp2 \(nghttp2), OpenSSL \(openSSL)\n"
  }

  /// One object on one line. Members without a value are left out.
  package var json: String {
    let members = [
      ("version", version), ("commit", commit), ("commitDate", commitDate), ("nghttp2", nghttp2),
      ("openssl", openSSL),
    ]
    return JSONWriter.object { json in
      for (name, value) in members where !value.isEmpty { json.member(name, value) }
    } + "\n"
  }
}
