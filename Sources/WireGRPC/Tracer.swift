import WireHTTP2

/// Hands steps to the trace hook, and costs nothing without one.
struct Tracer {
  let sink: (@Sendable (TraceEvent) -> Void)?

  var isOn: Bool { sink != nil }

  func callAsFunction(call: UInt64? = nil, _ step: @autoclosure () -> TraceEvent.Step) {
    if isOn { tell(call, step()) }
  }

  /// Apart, so that nothing is set up where there is no hook.
  @inline(never)
  private func tell(_ call: UInt64?, _ step: TraceEvent.Step) {
    sink?(TraceEvent(time: .now, call: call, step: step))
  }

  /// The fields as they may be shown: no secret goes further than here.
  static func headers(_ fields: [HeaderField]) -> [TraceEvent.Header] {
    fields.map { field in
      TraceEvent.Header(
        name: field.name,
        value: MetadataRules.shown(
          field.value, of: field.name, isSensitive: field.isSensitive))
    }
  }
}
