import Testing

/// `#expect(value == expected)` for values returned by noncopyable types, which the macro cannot
/// expand.
func check<Value: Equatable>(
  _ value: Value, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(value == expected, sourceLocation: sourceLocation)
}
