/// The two texts that describe a command.
package enum HelpForm: Equatable, Sendable {
  /// `-h`: at most 40 lines.
  case brief
  /// `--help`: everything.
  case full
}
