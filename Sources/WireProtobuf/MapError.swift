/// Returns a value, or converts the error that its expression throws.
///
///     let file = try mapError(LocalFile(path)) { (error: IOError) in Failure("\(path): \(error)") }
package func mapError<Value: ~Copyable, From: Error, To: Error>(
  _ value: @autoclosure () throws(From) -> Value, _ transform: (From) -> To
) throws(To) -> Value {
  do throws(From) {
    return try value()
  } catch {
    throw transform(error)
  }
}
