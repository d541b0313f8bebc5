/// Options of grpcurl, buf curl and curl, and the options of tripwire that replace them.
package enum ForeignOption {
  /// Tripwire's options by foreign names, without dashes.
  private static let ours = [
    "insecure": "insecure-skip-verify",
    "max-time": "timeout", "m": "timeout", "connect-timeout": "timeout", "deadline": "timeout",
    "plain-text": "plaintext", "http2-prior-knowledge": "plaintext",
    "max-msg-sz": "max-message-size", "servername": "authority", "retry": "retries", "x": "proxy",
    "rpc-header": "header", "reflect-header": "header",
    "address": "endpoint", "addr": "endpoint", "host": "endpoint", "server": "endpoint",
    "port": "listen",
    "schema": "protoset", "descriptor-set": "protoset", "descriptor-set-in": "protoset",
    "proto_path": "import-path", "proto-path": "import-path",
    "key": "credentials", "key-file": "credentials", "body": "data", "request": "data",
    "format": "output", "V": "version",
  ]

  /// Hints for foreign options that no single option replaces.
  private static let advice = [
    "watch": watch, "w": watch,
    "format": "leave it out: requests and responses are JSON",
    "format-error": "did you mean --error-format json?",
    "unix": "did you mean --endpoint unix:PATH?",
    "unix-socket": "did you mean --endpoint unix:PATH?",
    "proto": protoset,
    "use-reflection": reflection, "reflection": reflection, "reflect": reflection,
    "msg-template": "did you mean: tripwire describe MESSAGE -o template",
    "expand-headers": "write the headers to a file or a pipe, and pass it with -H @FILE or -H @-",
    "protoset-out": "did you mean: tripwire describe SYMBOL --protoset-out FILE",
    "proto-out-dir": "did you mean: tripwire describe SYMBOL --proto-out-dir DIR",
    "replay": "use --replay with a command that makes a call, such as get, follow or call",
    "list-services": "did you mean: tripwire list",
    "list-methods": "did you mean: tripwire list SERVICE",
  ]

  private static let watch = "did you mean: tripwire follow NAME"
  private static let protoset =
    "compile the .proto files (protoc --include_imports --descriptor_set_out=FILE NAME.proto), and"
    + " pass --protoset FILE"
  private static let reflection =
    "leave it out: without --protoset, tripwire uses the reflection service of --endpoint"

  /// Returns the hint for an unknown option; nil if it is not a foreign option.
  static func hint<Values>(for word: String, among known: [Option<Values>]) -> String? {
    replacement(of: word, among: known).map { "did you mean \($0)?" } ?? advice[name(in: word)]
  }

  /// Returns the option that replaces a foreign one, with its argument: "--timeout TIME".
  package static func replacement<Values>(of word: String, among known: [Option<Values>]) -> String?
  {
    let name = name(in: word)
    let option =
      known.first { $0.long == name } ?? known.first { $0.long == ours[name] }
    // The formats of grpcurl are json and text.
    if name == "format", option?.description.choices.contains("text") != true { return nil }
    return option.map { "--\($0.long)\($0.argument.map { " " + $0 } ?? "")" }
  }

  /// Returns the name of an option, without dashes and value.
  private static func name(in word: String) -> String {
    String(LongOptions.name(in: word).drop { $0 == "-" })
  }

  /// Returns the hints of a command for foreign options.
  package static func hints<Values>(among known: [Option<Values>]) -> [(
    option: String, hint: String
  )] {
    Set(ours.keys).union(advice.keys).sorted().compactMap { name in
      let option = (name.count == 1 ? "-" : "--") + name
      guard !known.contains(where: { $0.long == name }) else { return nil }
      return hint(for: option, among: known).map { (option, $0) }
    }
  }

  /// Whether a word is a foreign or misspelled long option after one dash, which would otherwise be parsed as
  /// several options of one letter.
  static func isOneDashed<Values>(_ word: String, among known: [Option<Values>]) -> Bool {
    guard word.hasPrefix("-"), !word.hasPrefix("--"), name(in: word).count > 1 else { return false }
    if hint(for: word, among: known) != nil { return true }
    let first = word.dropFirst().first
    return name(in: word).count > 3 && first != "h" && !known.contains { $0.short == first }
      && nearest(to: name(in: word), among: known.map(\.long)) != nil
  }

  /// Returns the word with one dash that has an unknown option of one letter, if it was probably meant as one
  /// long option: "-user-agent" for "-u". Nil if no word has it.
  static func longWord<Values>(
    of typed: String, in words: some Sequence<String>, among known: [Option<Values>]
  ) -> String? {
    words.first { word in
      guard word.hasPrefix("-"), !word.hasPrefix("--"), name(in: word).count > 3 else {
        return false
      }
      let unknown = name(in: word).first { letter in !known.contains { $0.short == letter } }
      return unknown.map { "-\($0)" } == typed
    }
  }
}
