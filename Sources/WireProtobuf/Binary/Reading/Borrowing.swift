// Access to values in place, without copies.
//
// A loop over an array copies each element, and unwrapping an optional copies the value, which
// retains and releases every string and array in it. Generic code over `~Copyable` types cannot
// copy, so these functions are generic over `~Copyable`.

/// Calls a function with each element.
@inlinable @inline(__always)
func forEachBorrowed<Element: ~Copyable, Failure: Error>(
  _ elements: Span<Element>, _ body: (borrowing Element) throws(Failure) -> Void
) throws(Failure) {
  for index in elements.indices { try body(elements[index]) }
}

/// Whether an optional has a value.
@inlinable @inline(__always)
func isPresent<Wrapped: ~Copyable>(_ value: borrowing Wrapped?) -> Bool {
  switch value {
  case .none: false
  case .some: true
  }
}

/// Calls a function with the value of an optional, if there is one.
@inlinable @inline(__always)
func ifPresent<Wrapped: ~Copyable, Failure: Error>(
  _ value: borrowing Wrapped?, _ body: (borrowing Wrapped) throws(Failure) -> Void
) throws(Failure) {
  switch value {
  case .none: break
  case .some(let value): try body(value)
  }
}

/// Whether two spans have the same count and `isEqual` holds for each pair of elements.
@inlinable @inline(__always)
func allPairs<Element: ~Copyable>(
  _ a: Span<Element>, _ b: Span<Element>, _ isEqual: (borrowing Element, borrowing Element) -> Bool
) -> Bool {
  guard a.count == b.count else { return false }
  for index in a.indices where !isEqual(a[index], b[index]) { return false }
  return true
}

/// Whether two optionals are both nil, or `isEqual` holds for their values.
@inlinable @inline(__always)
func bothOrNone<Wrapped: ~Copyable>(
  _ a: borrowing Wrapped?, _ b: borrowing Wrapped?,
  _ isEqual: (borrowing Wrapped, borrowing Wrapped) -> Bool
) -> Bool {
  switch a {
  case .none:
    switch b {
    case .none: true
    case .some: false
    }
  case .some(let a):
    switch b {
    case .none: false
    case .some(let b): isEqual(a, b)
    }
  }
}
