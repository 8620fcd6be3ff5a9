import Foundation

/// What stands under one key of a row.
enum FieldValue: Equatable {
  /// A cell of a table or a line of front matter: text that may mean a number or a date.
  case cell(String)
  /// A JSON string.
  case text(String)
  /// A JSON number and how to write it without loss.
  case number(Double, String)
  case truth(Bool)
  case list([FieldValue])
  case object([String: FieldValue])

  /// For messages: "found a number".
  var description: String {
    switch self {
    case .cell, .text: "text"
    case .number: "a number"
    case .truth: "true or false"
    case .list: "a list"
    case .object: "an object"
    }
  }

  /// What a cell of a table would hold; nil where none could.
  var cellText: String? {
    switch self {
    case .cell(let text), .text(let text), .number(_, let text): text
    case .truth(let truth): "\(truth)"
    case .list, .object: nil
    }
  }

  /// Nil for JSON's null, which is the same as a missing key.
  init?(json value: Any) {
    switch value {
    case let text as String: self = .text(text)
    case let list as [Any]: self = .list(list.compactMap { FieldValue(json: $0) })
    case let object as [String: Any]: self = .object(object.compactMapValues { FieldValue(json: $0) })
    case let number as NSNumber:
      // Foundation keeps JSON's true and false in a number of C type `char`; numbers never have that type.
      if String(cString: number.objCType) == "c" {
        self = .truth(number.boolValue)
      } else {
        // Long fractions come as decimals, whose own conversion is off by a bit; their digits are not.
        let text = number.stringValue
        self = .number(Double(text) ?? number.doubleValue, text)
      }
    default: return nil
    }
  }
}

extension [String: FieldValue] {
  /// One line of JSON, keys in order.
  var asJSON: [UInt8] {
    var json = JSONText()
    json.object { $0.pairs(self) }
    return json.bytes
  }
}

/// A line of JSON that is no object.
struct JSONLineError: Error {
  let reason: String
  let hint: String
}

/// The keys and values of a line of JSON, and the keys whose value is null.
///
/// - Precondition: `bytes` are UTF-8.
func parseJSONObject(
  _ bytes: [UInt8]
) throws(JSONLineError) -> (values: [String: FieldValue], nulls: Set<String>) {
  let value: Any
  do {
    value = try JSONSerialization.jsonObject(with: Data(bytes))
  } catch {
    // Foundation's wording can quote the text; only the place is taken from it.
    let description = (error as NSError).userInfo["NSDebugDescription"] as? String ?? ""
    let digits = description.components(separatedBy: "character ").last?.prefix { $0.isASCII && $0.isNumber } ?? ""
    let place = description.contains("character ") && !digits.isEmpty ? " (near character \(digits))" : ""
    throw JSONLineError(
      reason: "not valid JSON\(place)", hint: "write one JSON object a line, line breaks inside text as \\n")
  }
  guard let object = value as? [String: Any] else {
    throw JSONLineError(reason: "a JSON list, not an object", hint: "write one JSON object a line")
  }
  let values = object.compactMapValues { FieldValue(json: $0) }
  return (values, values.count == object.count ? [] : Set(object.keys).subtracting(values.keys))
}
