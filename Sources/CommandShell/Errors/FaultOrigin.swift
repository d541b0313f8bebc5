package import CommandLine
import WireGRPC
import WireProtobuf

/// The sources of the options that caused a failure: variables and profiles, but not the command line, which
/// the user sees.
package struct FaultOrigin {
  private let found: [(option: String, source: String)]

  package init(_ options: [String], _ sources: [String: ValueSource]) {
    found = options.compactMap { option in
      guard let source = sources[option], source != .option else { return nil }
      return (option, source.text(of: option))
    }
  }

  /// Returns lines such as "--cacert comes from profile default".
  ///
  /// - Parameter message: may name the source itself.
  package func lines(besides message: String) -> [String] {
    found.filter { !message.mentions($0.source) }.map { "--\($0.option) comes from \($0.source)" }
  }

  /// `{"cacert":"profile default"}`; nil if there is nothing to show.
  package var json: String? {
    guard !found.isEmpty else { return nil }
    return JSONWriter.object { json in
      for (option, source) in found { json.member(option, source) }
    }
  }
}
