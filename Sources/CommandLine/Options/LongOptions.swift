@preconcurrency import CGetopt
import WireSystem

/// Parses a command line with getopt_long(3).
package enum LongOptions {
  enum Token: Equatable {
    /// The option at `index`; `typed` is its spelling, "--timeout" or "-v".
    case option(index: Int, typed: String, argument: String?)
    case unknown(typed: String)
    case missingArgument(index: Int, typed: String)
    case unexpectedArgument(index: Int)
  }

  /// getopt keeps its state in globals of the process.
  private static let getoptState = Locked(())

  /// Splits `arguments` (without the program's name) into options and operands. Options and
  /// operands may be mixed; `--` ends the options. A long option must be complete: getopt accepts any
  /// unambiguous prefix, and then a new option would break old scripts.
  static func scan(_ arguments: [String], for names: [OptionDescription]) -> (
    [Token], operands: [String]
  ) {
    let argv = ["tripwire"] + arguments
    let words = argv.map { strdup($0) } + [nil]
    let longNames = names.map { strdup($0.long) }
    defer { for pointer in words + longNames { free(pointer) } }

    var options = zip(names, longNames).enumerated().map { index, pair in
      option(
        name: UnsafePointer(pair.1), has_arg: pair.0.argument != nil ? 1 : 0, flag: nil,
        val: longBase + Int32(index))
    }
    options.append(option())
    let shortNames =
      ":"
      + names.map { name in name.short.map { "\($0)\(name.argument != nil ? ":" : "")" } ?? "" }
      .joined()

    return getoptState.withLock { _ in
      restart()
      var tokens: [Token] = []
      var permuted = words
      while true {
        let value = getopt_long(Int32(argv.count), &permuted, shortNames, options, nil)
        guard value != -1 else { break }
        tokens.append(token(value, permuted, names))
      }
      let operands = permuted[Int(optind)..<argv.count].compactMap {
        $0.map { String(cString: $0) }
      }
      return (tokens, operands)
    }
  }

  /// Returns the arguments that are neither options nor their values.
  package static func operands(
    in arguments: [String], for names: [OptionDescription]
  ) -> [String] {
    scan(arguments, for: names).operands
  }

  /// Values of long options start here, above every character.
  private static let longBase: Int32 = 256

  private static func restart() {
    opterr = 0
    #if canImport(Darwin)
      optreset = 1
      optind = 1
    #else
      optind = 0
    #endif
  }

  private static func token(
    _ value: Int32, _ words: [UnsafeMutablePointer<CChar>?], _ names: [OptionDescription]
  ) -> Token {
    let last = words[Int(optind) - 1]
    if value == Int32(UInt8(ascii: ":")), let (index, typed) = name(optopt, names) {
      return .missingArgument(index: index, typed: typed)
    }
    if value == Int32(UInt8(ascii: "?")) {
      if optopt >= longBase { return .unexpectedArgument(index: Int(optopt - longBase)) }
      if optopt == 0 { return .unknown(typed: flag(last)) }
      let character = UnicodeScalar(UInt8(truncatingIfNeeded: optopt))
      // getopt reports the first byte of a character outside ASCII: show the whole word.
      return .unknown(typed: character.isASCII ? "-\(character)" : flag(words[Int(optind)]))
    }
    guard let (index, spelled) = name(value, names) else { return .unknown(typed: flag(last)) }
    var typed = spelled
    if value >= longBase {
      let isSeparate = optarg != nil && optarg == last
      typed = flag(isSeparate ? words[Int(optind) - 2] : last)
      guard typed == "--" + names[index].long else { return .unknown(typed: typed) }
    }
    var argument = optarg.map { String(cString: $0) }
    // `-o=json` means `-o json`, as for kubectl and gh.
    if value < longBase, let text = argument?.unicodeScalars, text.first == "=", optarg != last {
      argument = String(text.dropFirst())
    }
    return .option(index: index, typed: typed, argument: argument)
  }

  /// Returns the option for a value of getopt, and its spelling.
  private static func name(_ value: Int32, _ names: [OptionDescription]) -> (
    index: Int, typed: String
  )? {
    if value >= longBase {
      let index = Int(value - longBase)
      return (index, "--" + names[index].long)
    }
    let short = Character(UnicodeScalar(UInt8(truncatingIfNeeded: value)))
    return names.firstIndex { $0.short == short }.map { ($0, "-\(short)") }
  }

  private static func flag(_ word: UnsafeMutablePointer<CChar>?) -> String {
    word.map { name(in: String(cString: $0)) } ?? ""
  }

  /// Returns `--name` for `-name`, the form of grpcurl, if that is the long name of an option. No such word
  /// is a group of short options with a valid value.
  package static func withTwoDashes(_ word: String, among names: [String]) -> String {
    guard word.hasPrefix("-"), !word.hasPrefix("--") else { return word }
    return names.contains(String(name(in: word).dropFirst())) ? "-" + word : word
  }

  /// Returns `name` for `--name` and `--name VALUE`, and `output` for `-o VALUE`; nil for other texts.
  package static func longName(_ text: String) -> String? {
    if text.hasPrefix("-o ") { return "output" }
    return text.hasPrefix("--") ? String(text.dropFirst(2).prefix { $0 != " " }) : nil
  }

  /// Returns `--name` for `--name=value`.
  package static func name(in word: String) -> String {
    // A grapheme may join the "=" and a combining character.
    String(word.unicodeScalars.prefix { $0 != "=" })
  }
}
