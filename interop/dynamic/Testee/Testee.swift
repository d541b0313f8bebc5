import DynamicProtobuf
import WireProtobuf

/// Handles a conformance.ConformanceRequest with dynamic messages.
///
/// It decodes the message in the request and encodes it in the requested format. Fields of requests and
/// responses are accessed by number.
struct Testee {
  private let pool: DescriptorPool
  private let request: MessageDescriptor
  private let response: MessageDescriptor

  struct Missing: Error {}

  init(_ pool: DescriptorPool) throws {
    self.pool = pool
    guard let request = pool.message("conformance.ConformanceRequest"),
      let response = pool.message("conformance.ConformanceResponse")
    else { throw Missing() }
    self.request = request
    self.response = response
  }

  func answer(_ bytes: [UInt8]) -> [UInt8] {
    var count = 0
    guard
      let request = try? DynamicMessage(
        serializedBytes: bytes, as: request, in: pool, unknownFieldCount: &count)
    else { return encoded(2, .string("the request")) }
    let (number, value) = result(of: request)
    return encoded(number, value)
  }

  private func encoded(_ number: Int, _ value: DynamicValue) -> [UInt8] {
    var message = DynamicMessage(response, in: pool)
    if let field = response[number] { message.set(field, value) }
    return message.serializedBytes()
  }

  private func result(of request: DynamicMessage) -> (Int, DynamicValue) {
    func value(_ number: Int) -> DynamicValue? {
      request.descriptor[number].flatMap { request.value(of: $0) }
    }
    guard case .string(let name)? = value(4), let type = pool.message(name) else {
      return (5, .string("a type that is not in the pool"))
    }
    let message: DynamicMessage
    do {
      if case .bytes(let bytes)? = value(1) {
        var count = 0
        message = try DynamicMessage(
          serializedBytes: bytes, as: type, in: pool, unknownFieldCount: &count)
      } else if case .string(let text)? = value(2) {
        var options = DynamicMessage.jsonOptions
        if case .enum(3)? = value(5) { options.ignoresUnknownFields = true }
        message = try DynamicMessage(
          jsonUTF8Bytes: Array(text.utf8), as: type, in: pool, options: options)
      } else {
        return (5, .string("binary and JSON only"))
      }
    } catch {
      return (1, .string("\(error)"))
    }
    switch value(3) {
    case .enum(1)?: return (3, .bytes(message.serializedBytes()))
    case .enum(2)?:
      do {
        return (4, .string(String(decoding: try message.jsonUTF8Bytes(), as: UTF8.self)))
      } catch {
        return (6, .string("\(error)"))
      }
    default: return (5, .string("binary and JSON only"))
    }
  }
}
