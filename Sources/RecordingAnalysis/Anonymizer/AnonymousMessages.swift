import DynamicProtobuf
import ProtobufDescriptors
import Tripwire

/// Copies messages without the identities and places in them.
final class AnonymousMessages {
  var names = AnonymousNames()
  private var places = AnonymousPlaces()
  private let omissions: Omissions
  /// The names of all fields, to recognize paths.
  private let fieldNames: Set<String>

  init(_ pool: DescriptorPool, _ omissions: Omissions) {
    self.omissions = omissions
    func isOfFleetEngine(_ name: String) -> Bool {
      AnonymousFields.packages.contains(where: name.hasPrefix)
    }
    let messages = pool.messages.filter { isOfFleetEngine($0.fullName) }
    fieldNames = Set(messages.flatMap { $0.fields.flatMap { [$0.name, $0.jsonName] } })
    let enums = pool.enums.filter { isOfFleetEngine($0.fullName) }
    let services = pool.services.filter { isOfFleetEngine($0.fullName) }
    names.terms = fieldNames.union(messages.map(\.shortName))
      .union(enums.flatMap { $0.proto.value.compactMap(\.name) })
      .union(services.flatMap { [$0.proto.name ?? ""] + $0.methods.map(\.name) })
      .union((0...16).map { StatusCode(rawValue: $0).description })
  }

  func copy(_ message: DynamicMessage) -> DynamicMessage {
    noteUnknownFields(of: message)
    for field in message.setFields where field.cardinality == .map {
      omissions.add("\(message.descriptor.shortName).\(field.name)")
    }
    var result = message.mapping { field, value in
      switch copy(value, of: field, in: message) {
      case .success(let copy): return copy
      case .failure(let omission):
        omissions.add("\(message.descriptor.shortName).\(field.name)", because: omission.reason)
        return nil
      }
    }
    if ["VehicleLocation", "DeliveryVehicleLocation"].contains(message.descriptor.shortName) {
      turn("heading", at: "location", of: message, in: &result)
      turn("flp_heading_degrees", at: "flp_location", of: message, in: &result)
    }
    return result
  }

  private struct Omission: Error {
    /// Nil for a field that is never copied.
    var reason: String?
  }

  private func noteUnknownFields(of message: DynamicMessage) {
    guard !message.unknownFields.isEmpty else { return }
    omissions.add("unknown fields of \(message.descriptor.shortName)")
  }

  private func copy(
    _ value: DynamicValue, of field: DynamicProtobuf.FieldDescriptor, in message: DynamicMessage
  ) -> Result<DynamicValue, Omission> {
    let rule = AnonymousFields.rule(for: field, of: message.descriptor, in: message.pool)
    switch (rule, value) {
    case (.keep, .message(let inner)):
      noteUnknownFields(of: inner)
      return .success(.message(inner.mapping { $1 }))
    case (.enter, .message(let inner)): return .success(.message(copy(inner)))
    case (.point, .message(let inner)):
      noteUnknownFields(of: inner)
      guard let point = places.move(inner.point) else {
        return .failure(Omission(reason: "coordinates out of range"))
      }
      return .success(.message(inner.with(point)))
    case (.polyline, .bytes(let bytes)):
      return copy(String(decoding: bytes, as: UTF8.self), by: rule).map { .bytes(Array($0.utf8)) }
    case (_, .string(let text)): return copy(text, by: rule).map { .string($0) }
    case (.keep, .enum(let number)):
      guard case .enum(let index) = field.type,
        message.pool.enums[index].proto.value.contains(where: { $0.number ?? 0 == number })
      else { return .failure(Omission(reason: "unknown number")) }
      return .success(value)
    case (.keep, _): return .success(value)
    default: return .failure(Omission())
    }
  }

  private func copy(_ text: String, by rule: AnonymousFields.Rule) -> Result<String, Omission> {
    func unless(_ reason: String, _ copy: String?) -> Result<String, Omission> {
      copy.map { .success($0) } ?? .failure(Omission(reason: reason))
    }
    switch rule {
    case .id(let kind): return .success(names.replace(resource: text, orID: kind))
    case .polyline: return unless("not a valid polyline", places.move(polyline: text))
    case .text: return .success(names.replace(text: text))
    case .version:
      return unless(
        "not a number", text.utf8.allSatisfy { "0123456789.".utf8.contains($0) } ? text : nil)
    case .constant:
      let isConstant = text.utf8.count < 64 && text.utf8.allSatisfy { (0x41...0x5f).contains($0) }
      return unless("not a constant", isConstant ? text : nil)
    case .path:
      let isPath = text.split(separator: ".").allSatisfy { fieldNames.contains(String($0)) }
      return unless("not a known field", isPath ? text : nil)
    case .keep, .enter, .drop, .point: return .failure(Omission())
    }
  }

  /// Rotates a heading with its place. Without a place the rotation is not known.
  private func turn(
    _ name: String, at place: String, of message: DynamicMessage, in result: inout DynamicMessage
  ) {
    guard let field = message.descriptor[name],
      case .message(let heading)? = message.value(of: field), let number = heading.descriptor[1]
    else { return }
    var point = LatLng()
    if let field = message.descriptor[place], case .message(let inner)? = message.value(of: field) {
      point = inner.point
    }
    var degrees: Int32 = 0
    if case .int32(let value)? = heading.value(of: number) { degrees = value }
    // Many report 0 for a vehicle that stands. Rotated, all of these would show where north was.
    let isKnown = degrees != 0 || message.isMoving
    var turned = DynamicMessage(heading.descriptor, in: heading.pool)
    turned.set(number, .int32(isKnown ? places.turn(heading: degrees, at: point) ?? 0 : 0))
    result.set(field, .message(turned))
  }
}

extension DynamicMessage {
  /// For the location of a vehicle.
  fileprivate var isMoving: Bool {
    ["speed", "speed_kmph"].contains { name in
      guard let field = descriptor[name], case .message(let wrapper)? = value(of: field),
        let number = wrapper.descriptor[1]
      else { return false }
      switch wrapper.value(of: number) {
      case .double(let speed)?: return speed > 0
      case .int32(let speed)?: return speed > 0
      default: return false
      }
    }
  }

  /// For a google.type.LatLng.
  fileprivate var point: LatLng {
    func degrees(_ number: Int) -> Double {
      guard let field = descriptor[number], case .double(let value)? = value(of: field) else {
        return 0
      }
      return value
    }
    return LatLng(latitude: degrees(1), longitude: degrees(2))
  }

  fileprivate func with(_ point: LatLng) -> DynamicMessage {
    var message = DynamicMessage(descriptor, in: pool)
    for (number, value) in [(1, point.latitude), (2, point.longitude)] {
      if let field = descriptor[number] { message.set(field, .double(value)) }
    }
    return message
  }
}
