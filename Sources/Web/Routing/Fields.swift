import Clinical
import FoundationEssentials
import VetNet

/// The fields of a JSON body, read one by one so that what is wrong is said by its name.
struct Fields {
  private enum Value: Decodable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([String])
    case objects([[String: Value]])
    case nothing
    case other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .nothing
      } else if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let list = try? container.decode([String].self) {
        self = .list(list)
      } else if let objects = try? container.decode([[String: Value]].self) {
        self = .objects(objects)
      } else {
        self = .other
      }
    }
  }

  private let values: [String: Value]
  private let zone: PracticeTimeZone

  /// - Throws: ``ErrorBody`` for what is no JSON object, or has a field that nobody knows.
  init(_ call: Call, known: Set<String>) throws {
    zone = call.zone
    do {
      values = try JSONDecoder().decode([String: Value].self, from: Data(call.request.body))
    } catch {
      throw ErrorBody(400, "bad_json", "the body is not a JSON object", hint: "Send {\"field\": \"value\"}.")
    }
    if let stranger = values.keys.sorted().first(where: { !known.contains($0) }) {
      throw Self.wrong(
        String(stranger.prefix(40)), "is not a field of this request",
        hint: "There are \(known.sorted().joined(separator: ", ")).")
    }
  }

  private init(_ values: [String: Value], zone: PracticeTimeZone, known: Set<String>) throws {
    self.values = values
    self.zone = zone
    if let stranger = values.keys.sorted().first(where: { !known.contains($0) }) {
      throw Self.wrong(String(stranger.prefix(40)), "is not a field here")
    }
  }

  /// The objects of a list, at most 200, each with the fields that are known; none where it is missing.
  func objects(_ name: String, known: Set<String>) throws -> [Fields] {
    switch values[name] {
    case nil, .nothing: return []
    case .list(let list) where list.isEmpty: return []
    case .objects(let objects) where objects.count <= 200:
      return try objects.map { try Fields($0, zone: zone, known: known) }
    default: throw Self.wrong(name, "is not a list of at most 200 objects")
    }
  }

  private static func wrong(_ field: String, _ words: String, hint: String? = nil) -> ErrorBody {
    ErrorBody(400, "invalid_field", "'\(field)' \(words)", hint: hint, field: field)
  }

  /// Nil where the field is missing, null or empty.
  func text(_ name: String, atMost length: Int = 2000) throws -> String? {
    switch values[name] {
    case nil, .nothing: return nil
    case .text(let text):
      guard text.utf8.count <= length else { throw Self.wrong(name, "is longer than \(length) bytes") }
      return text.contains { !$0.isWhitespace } ? text : nil
    default: throw Self.wrong(name, "is not a text")
    }
  }

  /// Whether the body says anything of it, be it null.
  func names(_ name: String) -> Bool { values[name] != nil }

  func required(_ name: String, atMost length: Int = 2000) throws -> String {
    guard let text = try text(name, atMost: length) else { throw Self.wrong(name, "is needed") }
    return text
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    switch values[name] {
    case nil, .nothing: return nil
    case .number(let number):
      guard let whole = Int(exactly: number), range.contains(whole) else {
        throw Self.wrong(name, "is not a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return whole
    default: throw Self.wrong(name, "is not a number")
    }
  }

  func number(_ name: String, above least: Double, below most: Double) throws -> Double? {
    switch values[name] {
    case nil, .nothing: return nil
    case .number(let number):
      guard number > least, number < most else { throw Self.wrong(name, "is not between \(least) and \(most)") }
      return number
    default: throw Self.wrong(name, "is not a number")
    }
  }

  func flag(_ name: String) throws -> Bool {
    switch values[name] {
    case nil, .nothing: return false
    case .flag(let flag): return flag
    default: throw Self.wrong(name, "is not true or false")
    }
  }

  func list(_ name: String) throws -> [String]? {
    switch values[name] {
    case nil, .nothing: return nil
    case .list(let list): return list
    default: throw Self.wrong(name, "is not a list of texts")
    }
  }

  /// A time without an offset is the practice's.
  func moment(_ name: String) throws -> Timestamp? {
    guard let text = try text(name, atMost: 40) else { return nil }
    guard let time = ISODateTime(text), time.hasTime else {
      throw Self.wrong(name, "is not a time", hint: "Write 2026-11-23T09:30.")
    }
    if time.offsetMinutes == nil, zone.gap(around: time.local) != nil {
      throw Self.wrong(name, "does not exist: the clocks skip it")
    }
    return zone.timestamp(of: time)
  }

  func urgency(_ name: String) throws -> Urgency? {
    guard let text = try text(name, atMost: 20) else { return nil }
    guard let urgency = Urgency(rawValue: text) else {
      throw Self.wrong(name, "is no level", hint: "Write red, orange, yellow, green or blue.")
    }
    return urgency
  }

  func species(_ name: String) throws -> Species? {
    guard let text = try text(name, atMost: 60) else { return nil }
    guard let species = Species(field: text) else { throw Self.wrong(name, "is not known") }
    return species
  }

  func sex(_ name: String) throws -> Sex? {
    guard let text = try text(name, atMost: 20) else { return nil }
    guard let sex = Sex(describing: text) else {
      throw Self.wrong(name, "is not known", hint: "Write MN, FS, M, F or unknown.")
    }
    return sex
  }
}
