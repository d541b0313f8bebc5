import CommandLine
import WireProtobuf
import WireSystem

/// The selected profile, and the option or variable that selects it.
package struct ProfileSelection {
  let name: String
  let source: ValueSource

  /// For errors: "--profile staging", "TRIPWIRE_PROFILE=staging".
  var text: String {
    source.text(of: "profile") + (source == .option ? " " : "=") + escaped(name)
  }
}

/// The configuration file, as it was read.
package struct ConfigFile {
  package static let standardProfile = "default"
  /// The largest size in bytes.
  static let limit = 1 << 20

  let path: String
  private let text: [UInt8]
  package let config: Config

  /// `$XDG_CONFIG_HOME/tripwire/config.json`, or else `~/.config/tripwire/config.json`; nil if neither
  /// variable has an absolute path.
  package static func path(_ environment: (String) -> String?) -> String? {
    // The XDG Base Directory Specification requires relative paths to be ignored.
    if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return folder + "/tripwire/config.json"
    }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.config/tripwire/config.json"
  }

  /// Returns nil if the file does not exist.
  ///
  /// - Throws: a report if the file cannot be read, is not valid, or can be changed by other users.
  package init?(_ path: String) throws(ErrorReport) {
    self.path = path
    guard let file = try Self.open(path) else { return nil }
    do throws(FileReadError) {
      text = JSONScanner.withoutByteOrderMark(
        try file.contents(limit: Self.limit, until: .now + LocalFile.defaultTimeout))
    } catch {
      throw Self.report(error, path)
    }
    config = try mapError(Config(jsonUTF8Bytes: text)) { (error: JSONDecodingError) in
      Self.report(error, path)
    }
  }

  private static func open(_ path: String) throws(ErrorReport) -> LocalFile? {
    let file: LocalFile
    do throws(IOError) {
      file = try LocalFile(path)
    } catch {
      // A part of the path may be a file.
      if error.code == .noSuchFile || error.code.rawValue == ENOTDIR { return nil }
      throw report(FileReadError(error), path)
    }
    if let problem = problem(file, path) { throw problem }
    return file
  }

  private static func report(_ error: FileReadError, _ path: String) -> ErrorReport {
    let hint =
      switch error {
      case .tooLarge: "remove the file"
      default: "check the type and the permissions of the file"
      }
    return ErrorReport(local: "\(escaped(path)): \(error)", hint: hint)
  }

  /// The file may name a command to run, so that only its owner may change it.
  private static func problem(_ file: LocalFile, _ path: String) -> ErrorReport? {
    guard file.size != nil, let (owner, permissions) = file.protection else {
      return ErrorReport(
        local: "\(escaped(path)): not a regular file", hint: "remove \(escaped(path))")
    }
    guard owner == geteuid() || owner == 0 else {
      return ErrorReport(
        local: "\(escaped(path)): the file belongs to another user, with the ID \(owner)",
        hint: (geteuid() == 0 ? "run" : "as root, run") + ": chown \(geteuid()) \(shellWord(path))")
    }
    guard permissions & 0o022 == 0 else {
      return ErrorReport(
        local: "\(escaped(path)): other users may write the file (mode"
          + " 0\(String(permissions, radix: 8)))",
        hint: "run: chmod 600 \(shellWord(path))")
    }
    return nil
  }

  private static func report(_ error: JSONDecodingError, _ path: String) -> ErrorReport {
    let (reason, hint): (String, String?) =
      switch error.reason {
      case .unknownField(let name, let suggestion):
        (
          "unknown field \"\(escaped(name))\"",
          suggestion.map { "did you mean \(escaped($0))?" } ?? "remove the field"
        )
      case .truncated: ("unexpected end of JSON", "complete the JSON")
      case .tooDeep, .tooMuchMemory: (error.reason.text, nil)
      default: (setting(error.fieldPath) + escaped(error.reason.text), nil)
      }
    let place = "line \(error.line), column \(error.column)"
    return ErrorReport(
      local: "\(escaped(path)):\(error.line):\(error.column): \(reason)",
      hint: hint ?? "correct \(escaped(path)) at \(place)")
  }

  /// Returns "profiles["a"]["color"]: " for `Config.profiles["a"].fields["color"]`; "" for the file itself.
  private static func setting(_ path: String) -> String {
    let steps = path.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
    guard !steps.isEmpty else { return "" }
    // Not String.replacing, which links regular expressions: 1.3 MB.
    let name = steps.map { step in
      step.hasPrefix("fields[") ? String(step.dropFirst("fields".count)) : ".\(step)"
    }.joined().dropFirst()
    return escaped(name == "current_profile" ? "currentProfile" : String(name)) + ": "
  }

  /// Returns the report for a member of a profile.
  func report(
    _ reason: String, at place: [JSONLocator.Step], of profile: String, hint: String? = nil
  ) -> ErrorReport {
    let found = JSONLocator.find([.key("profiles"), .key(profile)] + place, in: text)
    return ErrorReport(
      local: "\(escaped(path)):\(found): \(escaped(reason))",
      hint: hint.map(escaped)
        ?? "correct \(escaped(path)) at line \(found.line), column \(found.column)")
  }

  // MARK: Profiles

  /// Returns the selected profile; nil if none is selected and there is no current one.
  package static func profile(
    _ selection: ProfileSelection?, _ environment: (String) -> String?
  ) throws(ErrorReport) -> Profile? {
    guard let path = path(environment), let file = try ConfigFile(path) else {
      if let selection { throw missing(selection.text, selection.name, among: Config()) }
      return nil
    }
    let name = selection?.name ?? file.config.nameOfCurrentProfile
    if let fields = file.config.profiles[name] { return try Profile(name, fields, in: file) }
    if let selection { throw missing(selection.text, selection.name, among: file.config) }
    guard file.config.currentProfile.isEmpty else {
      throw ErrorReport(
        local: "\(escaped(path)): the current profile \(escaped(name)) does not exist",
        hint: "select another one: tripwire config use NAME")
    }
    return nil
  }

  /// The names of the profiles for completion, without those that a terminal cannot show; none if the
  /// file is invalid.
  static func profileNames(_ environment: (String) -> String?) -> [String] {
    guard let path = path(environment), let file = try? ConfigFile(path) else { return [] }
    return file.config.profiles.keys.filter { escaped($0) == $0 }.sorted()
  }

  /// Returns the error for a profile that does not exist.
  ///
  /// - Parameter text: the argument that names it: "--profile staging".
  package static func missing(_ text: String, _ name: String, among config: Config) -> ErrorReport {
    let names = config.profiles.keys.sorted()
    let hint =
      switch names.count {
      case 0:
        "create it: tripwire config set --profile \(name.isEmpty ? "NAME" : escaped(name)) KEY VALUE"
      case 1: "use the profile \(escaped(names[0]))"
      default: "use one of these profiles: \(names.map(escaped).joined(separator: ", "))"
      }
    return .usage("\(text): there is no such profile", hint: hint)
  }
}

extension Config {
  /// The name of the profile that is used if none is selected.
  package var nameOfCurrentProfile: String {
    currentProfile.isEmpty ? ConfigFile.standardProfile : currentProfile
  }
}
