/// Options as grpcurl, buf curl and curl call them, for those who have their names in their fingers.
enum ForeignOption {
  /// By their names without dashes, ours.
  private static let ours = [
    "insecure": "insecure-skip-verify", "k": "insecure-skip-verify",
    "max-time": "timeout", "m": "timeout", "connect-timeout": "timeout", "deadline": "timeout",
    "plain-text": "plaintext", "http2-prior-knowledge": "plaintext",
    "max-msg-sz": "max-message-size", "servername": "authority", "retry": "retries", "x": "proxy",
    "rpc-header": "header", "reflect-header": "header",
    "address": "endpoint", "addr": "endpoint", "host": "endpoint", "server": "endpoint",
    "schema": "protoset", "descriptor-set": "protoset", "descriptor-set-in": "protoset",
    "key": "credentials", "key-file": "credentials", "body": "data", "request": "data",
    "format": "output", "V": "version",
  ]

  /// Where another name is not enough.
  private static let advice = [
    "format-error": "did you mean --error-format json?",
    "unix": "did you mean --endpoint unix:PATH?",
    "unix-socket": "did you mean --endpoint unix:PATH?",
    "import-path": protoset, "proto": protoset, "I": protoset,
    "use-reflection": reflection, "reflection": reflection, "reflect": reflection,
    "msg-template": "did you mean: tripwire describe MESSAGE -o template",
    "expand-headers": "let the shell expand variables: -H \"authorization: Bearer $TOKEN\"",
    "list-services": "did you mean: tripwire list",
    "list-methods": "did you mean: tripwire list SERVICE",
  ]

  private static let protoset =
    "compile the .proto files with protoc --include_imports --descriptor_set_out=FILE, and pass"
    + " --protoset FILE"
  private static let reflection =
    "leave it out: without --protoset, tripwire uses the reflection service of --endpoint"

  /// What to say to somebody who typed `word`, an option that is none of `known`; nil when it is no
  /// option of others either, nor one of ours with a dash too few.
  static func hint<Values>(for word: String, among known: [Option<Values>]) -> String? {
    let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
    if let option = known.first(where: { $0.long == name })
      ?? known.first(where: { $0.long == ours[name] })
    {
      return "did you mean --\(option.long)\(option.argument.map { " " + $0 } ?? "")?"
    }
    return advice[name]
  }

  /// Whether a word is an option of several letters behind one dash, which would else be taken for
  /// several options of a letter.
  static func isOneDashed<Values>(_ word: String, among known: [Option<Values>]) -> Bool {
    word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 2
      && hint(for: word, among: known) != nil
  }
}
