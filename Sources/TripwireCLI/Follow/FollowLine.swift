import Tripwire

/// What programs are told of a change, an object a line.
enum FollowLine {
  /// `{"time":…,"changed":[…],"trip":{…}}`, the whole trip as it is now. Nothing has changed when an
  /// error has passed.
  static func change(
    of trip: Trip, _ changed: TripPropertyFields, at time: Timestamp
  ) throws(JSONEncodingError) -> String {
    let names = changed.names.map { "\"\($0)\"" }.joined(separator: ",")
    return "{\"time\":\(try time.jsonString()),\"changed\":[\(names)],"
      + "\"trip\":\(try trip.jsonString())}\n"
  }

  /// `{"time":…,"name":…,"error":{…}}`, the error as --error-format json has it.
  static func error(
    _ report: ErrorReport, of name: String, at time: Timestamp
  ) throws(JSONEncodingError) -> String {
    "{\"time\":\(try time.jsonString()),\"name\":\(quoted(name)),"
      + "\"error\":\(report.json.dropLast())}\n"
  }
}
