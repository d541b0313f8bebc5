import ProtobufDescriptors

// Enums, and the ranges of numbers in messages and enums.

extension ProtoText {
  mutating func print(_ type: EnumDescriptorProto, at path: [Int32]) {
    let head = "\(type.unknownFields.visibility(6))enum \(type.name ?? "")"
    block(head, at: path) { printer in
      printer.options(type.options, "google.protobuf.EnumOptions")
      for (index, value) in type.value.enumerated() {
        printer.print(value, at: path + [2, Int32(index)])
      }
      printer.printReserved(
        type.reservedRange.map { Self.range($0.start, $0.end, max: Int32.max) },
        type.reservedName)
    }
  }

  mutating func print(_ value: EnumValueDescriptorProto, at path: [Int32]) {
    let options = bracketed(optionTexts(value.options, "google.protobuf.EnumValueOptions"))
    statement("\(value.name ?? "") = \(value.number ?? 0)\(options);", at: path)
  }

  mutating func printRanges(of message: DescriptorProto) {
    // The ends are exclusive.
    let max = Int32(clamping: message.greatestFieldNumber)
    for range in message.extensionRange {
      let options = bracketed(
        optionTexts(range.options, "google.protobuf.ExtensionRangeOptions"))
      line("extensions \(Self.range(range.start, (range.end ?? 0) &- 1, max: max))\(options);")
    }
    printReserved(
      message.reservedRange.map { Self.range($0.start, ($0.end ?? 0) &- 1, max: max) },
      message.reservedName)
  }

  private mutating func printReserved(_ ranges: [String], _ names: [String]) {
    if !ranges.isEmpty { line("reserved \(ranges.joined(separator: ", "));") }
    let names = syntax.isEdition ? names : names.map { quotedForProto($0) }
    if !names.isEmpty { line("reserved \(names.joined(separator: ", "));") }
  }

  /// - Parameter end: inclusive.
  private static func range(_ start: Int32?, _ end: Int32?, max: Int32) -> String {
    let (start, end) = (start ?? 0, end ?? 0)
    return start == end ? "\(start)" : "\(start) to \(end >= max ? "max" : String(end))"
  }
}
