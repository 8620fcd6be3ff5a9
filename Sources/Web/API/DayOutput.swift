import Clinical
import Presentation
import VetNet

/// An appointment as `schedule show --json` prints it, with the revision that a change is based on and names for showing.
struct RevisedEntry: Encodable, Sendable {
  let entry: DaySchedule.Entry
  let zone: PracticeTimeZone

  private enum CodingKeys: String, CodingKey {
    case revision
    case patientName = "patient_name"
    case clinicianName = "clinician_name"
  }

  func encode(to encoder: any Encoder) throws {
    try EntryOutput(entry, zone: zone).encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entry.revision, forKey: .revision)
    try container.encodeIfPresent(entry.patient?.name, forKey: .patientName)
    try container.encodeIfPresent(entry.clinicianName, forKey: .clinicianName)
  }

  /// `"7"`
  var tag: String { "\"\(entry.revision)\"" }
}

/// A day of the book.
struct DayOutput: Encodable {
  struct Clinician: Encodable {
    let id: String
    let name: String
    let visits: Int
    let booked_minutes: Int
    let working_minutes: Int
    /// Minutes of the day, in pairs of from and to.
    let hours: [[Int]]
  }

  let date: String
  let appointments: [RevisedEntry]
  let clinicians: [Clinician]

  init(_ day: DaySchedule, zone: PracticeTimeZone) {
    date = "\(day.date)"
    appointments = day.entries.map { RevisedEntry(entry: $0, zone: zone) }
    clinicians = day.workload.map {
      Clinician(
        id: $0.clinicianID, name: $0.name, visits: $0.visits, booked_minutes: $0.bookedMinutes,
        working_minutes: $0.workingMinutes, hours: $0.hours.map { [$0.lowerBound, $0.upperBound] })
    }
  }
}

/// Some of a long list, and where it goes on.
struct PageOutput<Item: Encodable>: Encodable {
  let name: String
  let items: [Item]
  let total: Int
  let next: Int?

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(_ name: String, _ all: [some Any], _ page: Paging, _ item: (Int) -> Item) {
    self.name = name
    total = all.count
    let range = page.range(of: all.count)
    items = range.map(item)
    next = range.upperBound < all.count ? range.upperBound : nil
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(items, forKey: Key(stringValue: name))
    try container.encode(total, forKey: Key(stringValue: "total"))
    try container.encode(next, forKey: Key(stringValue: "next_offset"))
  }
}

/// `limit` and `offset` of a request.
struct Paging {
  let limit: Int
  let offset: Int

  /// - Throws: ``ErrorBody`` for what is no number in its range.
  init(_ request: Request, limit standard: Int = 50, most: Int = 500) throws {
    func number(_ name: String, _ range: ClosedRange<Int>, _ standard: Int) throws -> Int {
      guard let text = request.parameter(name) else { return standard }
      guard let number = Int(text), range.contains(number) else {
        throw ErrorBody(
          400, "invalid_field", "'\(name)' is not a whole number from \(range.lowerBound) to \(range.upperBound)",
          field: name)
      }
      return number
    }
    limit = try number("limit", 1...most, standard)
    offset = try number("offset", 0...10_000_000, 0)
  }

  /// What is asked for, be there so many or not.
  var places: Range<Int> { offset..<offset + limit }

  func range(of count: Int) -> Range<Int> {
    let start = min(offset, count)
    return start..<min(start + limit, count)
  }
}
