import TestSupport
import WireSystem

/// Creates a file with a service account's key, or other JSON, and returns its path. The caller
/// removes it.
func keyFile(_ json: String = RSATestKey.json()) throws -> String {
  var template = Array("/tmp/tripwire-key-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  guard descriptor != -1 else { throw NoTemporaryFile() }
  defer { close(descriptor) }
  let json = Array(json.utf8)
  guard write(descriptor, json, json.count) == json.count else { throw NoTemporaryFile() }
  return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func removeKeyFile(_ path: String) { unlink(path) }
