import Tripwire
import WireSystem

/// The settings of gcloud, in its variables and its files. gcloud itself takes a second to show them.
struct GcloudConfiguration {
  let environment: Environment

  var folder: String? {
    environment["CLOUDSDK_CONFIG"] ?? environment["HOME"].map { $0 + "/.config/gcloud" }
  }

  /// The member of IAM whose tokens gcloud prints; nil if nobody has logged in.
  var member: IAMMember? {
    // The last of several is the target; the others are delegates.
    let target = value("impersonate_service_account", in: "auth")?.split(separator: ",").last
    if let target { return .init(address: String(target)) }
    return value("account", in: "core").flatMap(IAMMember.init(address:))
  }

  private func value(_ name: String, in section: String) -> String? {
    if let value = environment["CLOUDSDK_\(section)_\(name)".uppercased()] { return value }
    let configuration = environment["CLOUDSDK_ACTIVE_CONFIG_NAME"] ?? text(of: "active_config")
    let file = text(of: "configurations/config_\(configuration ?? "default")") ?? ""
    var isInSection = false
    for line in file.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1).map { Array($0.utf8).trimmedText }
      if parts.first?.hasPrefix("[") == true {
        isInSection = parts[0] == "[\(section)]"
      } else if isInSection, parts.count == 2, parts[0] == name {
        return parts[1]
      }
    }
    return nil
  }

  private func text(of name: String) -> String? {
    guard let folder else { return nil }
    return (try? LocalFile.contents(of: "\(folder)/\(name)", limit: 1 << 16))?.trimmedText
  }
}

extension [UInt8] {
  fileprivate var trimmedText: String { String(decoding: trimmingWhitespace(), as: UTF8.self) }
}
