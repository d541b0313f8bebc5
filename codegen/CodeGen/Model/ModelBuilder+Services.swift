import ProtobufDescriptors
import WireProtobuf

extension ModelBuilder {
  func service(
    _ descriptor: ServiceDescriptorProto, at path: [Int32]
  ) throws(GenerationError) -> ServiceModel {
    let fullName = String((packageScope + "." + (descriptor.name ?? "")).dropFirst())
    let names = SwiftNames.methods(descriptor.method.map { $0.name ?? "" })
    var methods: [ServiceModel.Method] = []
    for (index, method) in descriptor.method.enumerated() {
      methods.append(
        try self.method(
          method, named: names[index], of: fullName, at: path + [2, Int32(index)]))
    }
    let typeNames = SwiftNames.types(
      ["Methods", "Client", "ClientProtocol"].map {
        (name: (descriptor.name ?? "") + $0, suffix: "Service")
      },
      prefix: types.prefixes[file.name ?? ""] ?? "",
      taken: types.visibleNames[file.name ?? ""] ?? [])
    return ServiceModel(
      name: typeNames[0], clientName: typeNames[1], protocolName: typeNames[2], fullName: fullName,
      docs: docs(at: path, isDeprecated: descriptor.options?.deprecated), methods: methods)
  }

  private func method(
    _ descriptor: MethodDescriptorProto, named name: String, of service: String, at path: [Int32]
  ) throws(GenerationError) -> ServiceModel.Method {
    guard let request = types.messages[descriptor.inputType ?? ""],
      let response = types.messages[descriptor.outputType ?? ""]
    else {
      let unknown = [descriptor.inputType, descriptor.outputType].compactMap(\.self)
        .first { types.messages[$0] == nil }
      throw GenerationError(
        "\(file.name ?? ""): \(descriptor.name ?? ""): unknown type \(unknown ?? "")")
    }
    return ServiceModel.Method(
      name: name, kind: kind(of: descriptor), protoName: descriptor.name ?? "",
      docs: docs(at: path, isDeprecated: descriptor.options?.deprecated),
      request: request.swiftName, response: response.swiftName,
      routing: try routing(descriptor, request.descriptor),
      config: config.method(descriptor.name ?? "", of: service))
  }

  private func kind(of method: MethodDescriptorProto) -> ServiceModel.Kind {
    switch (method.clientStreaming ?? false, method.serverStreaming ?? false) {
    case (false, false): .unary
    case (false, true): .serverStreaming
    case (true, false): .clientStreaming
    case (true, true): .bidirectional
    }
  }

  /// The last parameter of google.api.routing, an extension that arrives as an unknown field.
  private func routing(
    _ method: MethodDescriptorProto, _ request: DescriptorProto
  ) throws(GenerationError) -> ServiceModel.Routing? {
    guard let options = method.options,
      let rule = try? MethodExtensions(serializedBytes: options.unknownFields.bytes).routing,
      let parameter = rule.routingParameters.last
    else { return nil }
    guard let expression = stringExpression(parameter.field, of: request) else {
      throw GenerationError(
        "\(file.name ?? ""): \(method.name ?? ""): google.api.routing names \(parameter.field), "
          + "which is not a singular string field of \(request.name ?? "")")
    }
    let template =
      parameter.pathTemplate.isEmpty ? "{\(parameter.field)=**}" : parameter.pathTemplate
    return ServiceModel.Routing(
      field: parameter.field, template: template, expression: expression)
  }

  /// Returns the Swift expression for a singular string field of a message `$0`; nil if there is no such field.
  ///
  /// - Parameter path: names of fields joined by dots, such as `task.name`.
  private func stringExpression(_ path: String, of message: DescriptorProto) -> String? {
    var message = message
    var expression = "$0"
    let names = path.split(separator: ".", omittingEmptySubsequences: false)
    for (depth, name) in names.enumerated() {
      guard let index = message.field.firstIndex(where: { $0.name ?? "" == name }),
        message.field[index].label != .repeated
      else { return nil }
      let property = SwiftNames.escaped(propertyNames(of: message)[index])
      expression += ".\(property)"
      if depth == names.count - 1 {
        guard message.field[index].scalarType == .string else { return nil }
      } else {
        guard let next = types.messages[message.field[index].typeName ?? ""] else { return nil }
        message = next.descriptor
        expression += "?"
      }
    }
    return names.count > 1 ? expression + " ?? \"\"" : expression
  }
}
