extension MethodDescriptor {
  /// The error of a call if a type that replaces a client, such as that of a test, lacks the method.
  public var unimplemented: CallError {
    var error = CallError.local(
      .unimplemented, "\(method) is not implemented by the type that replaces the client")
    error.path = path
    return error
  }
}
