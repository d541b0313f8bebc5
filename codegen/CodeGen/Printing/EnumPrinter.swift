extension Printer {
  mutating func printEnum(_ model: EnumModel) {
    docs(model.docs)
    block("\(typeAccess)enum \(model.name): ProtoEnum, CaseIterable {") { p in
      for value in model.values {
        p.docs(value.docs)
        p.line("case \(value.name)")
      }
      p.line("/// A number without a name in this version of the enum.")
      p.line("case unrecognized(Int32)")
      if !model.aliases.isEmpty { p.line() }
      for alias in model.aliases {
        p.docs(alias.docs)
        p.line(
          "\(p.access)static var \(alias.name): Self { Self(rawValue: \(Printer.literal(Int(alias.number)))) }"
        )
      }
    }
  }

  mutating func printEnumCodec(_ model: EnumModel) {
    block("nonisolated extension \(model.qualifiedName) {") { p in
      p.braced("\(p.access)static var enumName: String", "\"\(model.fullName)\"")
      p.line()
      p.array("\(p.access)static let allCases: [Self] = ", model.values.map { "." + $0.name })
      p.line()
      p.block("\(p.access)init(rawValue: Int32) {") { p in
        p.line("switch rawValue {")
        for value in model.values {
          p.switchCase(Printer.literal(Int(value.number)), "self = .\(value.name)")
        }
        p.line("default: self = .unrecognized(rawValue)")
        p.line("}")
      }
      p.line()
      p.block("\(p.access)init?(name: String) {") { p in
        p.line("switch name {")
        for value in model.values + model.aliases {
          p.switchCase("\"\(value.protoName)\"", "self = .\(value.name)")
        }
        p.line("default: return nil")
        p.line("}")
      }
      p.line()
      p.block("\(p.access)var rawValue: Int32 {") { p in
        p.line("switch self {")
        for value in model.values {
          p.switchCase("." + value.name, Printer.literal(Int(value.number)))
        }
        p.line("case .unrecognized(let number): number")
        p.line("}")
      }
      p.line()
      p.block("\(p.access)var name: String? {") { p in
        p.line("switch self {")
        for value in model.values {
          p.switchCase("." + value.name, "\"\(value.protoName)\"")
        }
        p.line("case .unrecognized(let number):")
        p.line("  switch Self(rawValue: number) {")
        p.line("  case .unrecognized: nil")
        p.line("  case let known: known.name")
        p.line("  }")
        p.line("}")
      }
    }
  }
}
