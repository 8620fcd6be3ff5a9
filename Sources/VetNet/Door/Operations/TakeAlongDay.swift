public import Clinical

/// A day of the book with what is needed of its patients where the practice file can't be reached: for a browser or a device that goes
/// where there is no network. Whoever may not read the record gets the book and the register alone.
public struct TakeAlongDay: Operation {
  public static let name = "record.take-along"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.client, .patient, .staff, .resource, .appointment, .note]

  /// Patients of a day, at most: those who come first.
  public static let mostPatients = 60
  /// The last notes of each.
  public static let notes = 3

  public var date: CalendarDate

  public init(date: CalendarDate) {
    self.date = date
  }

  public func run(_ passage: Passage) throws -> CarriedDay {
    let day = try passage.practice.briefs.carriedDay(
      date, withRecords: passage.actor.role.may(.readRecord), now: passage.now)
    passage.touch(.patient, day.schedule.entries.compactMap(\.patient?.id))
    passage.touch(.note, day.patients.flatMap { $0.notes.map(\.id) })
    return day
  }
}
