import CommandCalls
import CommandShell
import RecordingAnalysis

extension MessageTypes {
  /// - Parameter protosets: files with more types than the embedded ones.
  init(protosets: [String]) throws(ErrorReport) {
    let schema =
      protosets.isEmpty ? try EmbeddedSchema.schema() : try Schema(protosets: protosets)
    self.init(pool: schema.pool)
  }
}
