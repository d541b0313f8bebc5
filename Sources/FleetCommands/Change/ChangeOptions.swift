import CommandCalls
import CommandLine
import CommandShell
import Tripwire

struct ChangeOptions: ServerCommandOptions {
  /// The server and the data.
  var call = CallCommandOptions()
  var provider = ProviderOption()
  var isDryRun = false
  var isConfirmed = false
  /// The short forms of `update`.
  var stop: StopChange?
  var attributes: [VehicleAttribute] = []

  var server: ServerOptions {
    get { call.server }
    set { call.server = newValue }
  }

  static let all: [Option<ChangeOptions>] =
    [
      .value(
        "data", short: "d", "JSON", .common,
        "send this JSON; @FILE reads FILE, - reads stdin",
        parse: { (text) throws(InvalidValue) in try RequestData(text) },
        store: { $0.call.data.append($1) }),
      CallCommandOptions.output.described(
        "print json (indented) or ndjson (one line)\nDefault: json on a terminal, otherwise ndjson."
      ).inside(\.call),
      ResponseFields.option { $0.call.fields = $1 },
      .flag(
        "dry-run", .common, "print the request as JSON and do not send it",
        store: { $0.isDryRun = true }),
      .value(
        "stop", "STATE", .common,
        "change the next stop of a delivery vehicle\nSTATE is enroute, arrived or completed. Reads the vehicle and sends all its"
          + " stops again. completed removes the stop, so that Fleet Engine closes its tasks. The stop must be ARRIVED.",
        choice: Choice(StopChange.allCases.map { ($0.rawValue, $0) }), store: { $0.stop = $1 }),
      .value(
        "attribute", "KEY=VALUE", .common,
        "set an attribute of a vehicle (repeatable)\nCalls UpdateVehicleAttributes, which keeps the other attributes. VALUE is a"
          + " number, true, false or a string. Put a string of digits in quotes: 'plate=\"12\"'.",
        parse: Parse.attribute, store: { $0.attributes.append($1) }
      ).inFullHelpOnly(),
      .flag("yes", .common, "do not ask for confirmation", store: { $0.isConfirmed = true }),
    ] + ProviderOption.all.map { $0.inside(\.provider) }
    + ServerOptions.all.map { $0.inside(\.call.server) }

  static let attribute = "--attribute"
  private static let shortForms = ["stop", "attribute"]

  /// The short form on the command line, and the kind of resources that it changes.
  var shortForm: (option: String, kind: ResourceKind)? {
    stop != nil
      ? (StopChange.option, .deliveryVehicle)
      : attributes.isEmpty ? nil : (Self.attribute, .vehicle)
  }

  /// The first key that --attribute sets twice.
  var repeatedKey: String? {
    attributes.indices.first { index in
      attributes[..<index].contains { $0.key == attributes[index].key }
    }.map { attributes[$0].key }
  }

  /// The options of one command. The others are parsed, too, so that the error names the command.
  static func accepted(by verb: ChangeVerb) -> [Option<ChangeOptions>] {
    let refused =
      switch verb {
      case .update: ["yes"]
      case .create: ["yes"] + shortForms
      case .delete: ["data", "output", "fields"] + shortForms
      case .reportBillable: ["yes", "output", "fields"] + shortForms
      }
    return all.filter { !refused.contains($0.long) }
  }
}

extension Parse {
  /// Parses `KEY=VALUE`. VALUE is a number or a boolean in JSON, or a string.
  fileprivate static func attribute(_ text: String) throws(InvalidValue) -> VehicleAttribute {
    let form = "KEY=VALUE, such as color=red"
    let (key, _, value) = try namedValue(text, of: ChangeOptions.attribute, form: form)
    guard !key.isEmpty else { throw InvalidValue("expected \(form)") }
    guard !key.unicodeScalars.contains(":") else {
      throw InvalidValue("a key must not contain a colon")
    }
    var attribute = VehicleAttribute(key: key)
    switch value.kind {
    case .stringValue(let text): attribute.vehicleAttributeValue = .stringValue(text)
    case .numberValue(let number): attribute.vehicleAttributeValue = .numberValue(number)
    case .boolValue(let isSet): attribute.vehicleAttributeValue = .boolValue(isSet)
    default: throw InvalidValue("expected a string, a number or a boolean")
    }
    return attribute
  }
}
