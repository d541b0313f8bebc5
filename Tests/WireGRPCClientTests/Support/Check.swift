import Testing

/// `#expect(value == expected)` for values that noncopyable machines return, which the macro cannot
/// take apart.
func check<Value: Equatable>(
  _ value: Value, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(value == expected, sourceLocation: sourceLocation)
}
