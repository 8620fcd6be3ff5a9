import Clinical
import FoundationEssentials
import Interchange
import Store

/// A calendar of another program that is kept in step.
public struct CalendarStatus: Encodable, Sendable {
  public let name: String
  public let path: String
  /// Whose it is; nil where only addresses tell.
  public let clinicianID: String?
  /// Events in the book that are about an animal.
  public let cases: Int
  /// Events that only take time.
  public let blocks: Int
  /// The appointments whose events are no longer there, by time.
  public let gone: [String]

  private enum CodingKeys: String, CodingKey {
    case name, path, cases, blocks, gone
    case clinicianID = "clinician_id"
  }
}

/// What a calendar brought.
public struct CalendarSyncReport: Encodable, Sendable {
  public let name: String
  public internal(set) var inserted = 0
  public internal(set) var updated = 0
  public internal(set) var unchanged = 0
  public internal(set) var rejected = 0
  public internal(set) var totals = CalendarTotals()
  /// Why it was not read; nil where it was.
  public internal(set) var problem: String?

  public var ok: Bool { problem == nil && rejected == 0 }

  /// For a person.
  public var lines: [String] {
    if let problem { return ["\(name): \(problem)"] }
    let rejects = rejected > 0 ? ", \(rejected) rejected" : ""
    return ["\(name): \(inserted) new, \(updated) changed, \(unchanged) unchanged\(rejects)"]
      + totals.lines.map { "  \($0)" }
  }
}

extension Practice.Exchange {
  /// Days after the present moment up to which repeating events are written out.
  static let daysOfSeries = 366

  /// What is read of calendars of other programs at a moment.
  func calendarWindow(now: Timestamp) throws -> CalendarWindow {
    let days =
      try practice.settings.setting(.calendarDaysBack).flatMap(Int.init) ?? PracticeSetting.standardCalendarDaysBack
    let today = timeZone.interval(of: timeZone.date(of: now)).lowerBound
    return CalendarWindow(from: today.adding(days: -days), repeatsUntil: today.adding(days: Self.daysOfSeries))
  }

  func calendarStatuses() throws -> [CalendarStatus] {
    try reading {
      let counts = try connection.calendars.counts()
      return try connection.calendars.sources().map { source in
        let count = counts[source.name] ?? .init()
        let gone = try connection.calendars.gone(source.name).compactMap {
          try connection.recordIDs.shown(.appointment, $0)
        }
        return CalendarStatus(
          name: source.name, path: source.path, clinicianID: source.clinicianID, cases: count.cases,
          blocks: count.blocks, gone: gone)
      }
    }
  }

  /// Adds a calendar, or gives the one of that name another place or clinician.
  ///
  /// - Throws: ``PracticeError`` for an empty name or path, for a clinician who isn't on file, and for a path where nothing is.
  func keepCalendar(_ name: String, path: String, clinician: String?) throws {
    let isPlain = !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard !name.isEmpty, name.utf8.count <= 100, isPlain else {
      throw PracticeError(.invalidArgument, "the calendar's name is empty, too long or not on one line")
    }
    let path = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path) else {
      throw PracticeError(.notFound, "there is no file or folder '\(path)'; nothing was added")
    }
    try writing { try connection.calendars.keep(.init(name: name, path: path, clinicianID: clinician)) }
  }

  func removeCalendar(_ name: String) throws {
    try writing {
      _ = try calendarSource(name)
      try connection.calendars.remove(name)
    }
  }

  private func calendarSource(_ name: String) throws -> CalendarStore.Source {
    let sources = try connection.calendars.sources()
    guard let source = sources.first(where: { $0.name == name }) else {
      throw PracticeError(
        .notFound, "there is no calendar '\(name)'",
        hint: sources.isEmpty
          ? "Add one: vetnet calendar add NAME PATH" : "There are \(sources.map(\.name).joined(separator: ", ")).")
    }
    return source
  }

  /// Says under which address somebody is invited; nil for nobody.
  ///
  /// - Throws: ``PracticeError`` for what is no address.
  func setStaffAddress(_ address: String, of staff: String?) throws {
    let address = address.lowercased()
    guard address.utf8.count <= 320, address.contains(/^[^\s@<>,;]+@[^\s@<>,;]+$/) else {
      throw PracticeError(.invalidArgument, "that is no mail address", hint: "Write name@example.org.")
    }
    try writing { try connection.calendars.setAddress(address, staffID: staff) }
  }

  /// Reads calendars anew; nil for all. One that can't be read keeps none of the others from it.
  ///
  /// - Throws: ``PracticeError`` for a name that is none, when the practice file can't be written, and when it is stopped.
  func syncCalendars(_ names: [String]?, now: Timestamp, message: (String) -> Void) throws -> [CalendarSyncReport] {
    let sources = try reading {
      try names.map { try $0.map(calendarSource) } ?? connection.calendars.sources()
    }
    return try sources.map { source in
      var report = CalendarSyncReport(name: source.name)
      do {
        let files = try CalendarFiles.files(at: source.path)
        var options = ImportOptions(kind: ImportKind.appointments.rawValue, indexes: false)
        options.calendar = source.name
        let summary = try importFiles(files, options: options, now: now, progress: { _ in }, message: message)
        let counts = summary.records[ImportKind.appointments.rawValue] ?? .init()
        report.inserted = counts.inserted
        report.updated = counts.updated
        report.unchanged = counts.unchanged
        report.rejected = summary.rejected
        report.totals = summary.calendar ?? .init()
        if summary.refusedFiles > 0 { report.problem = "a file can't be read as a calendar; what is on file stays" }
      } catch let error as PracticeError where error.isAboutFile {
        report.problem = error.description
      }
      return report
    }
  }
}

extension PracticeError {
  /// Whether another calendar may yet be read.
  fileprivate var isAboutFile: Bool {
    switch code {
    case .failed, .notFound, .invalidArgument: true
    default: false
    }
  }
}

/// Where a calendar lies, and whether it is as it was.
public enum CalendarFiles {
  /// A file itself, or the calendars of a folder, by name.
  static func files(at path: String) throws -> [String] {
    var isFolder = false
    guard let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType else {
      throw PracticeError(.notFound, "there is no file or folder '\(path)'")
    }
    isFolder = kind == .typeDirectory
    guard isFolder else { return [path] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let files = names.filter { $0.lowercased().hasSuffix(".ics") && !$0.hasPrefix(".") }.sorted().map {
      "\(path)/\($0)"
    }
    guard !files.isEmpty else { throw PracticeError(.notFound, "there is no calendar (.ics) in '\(path)'") }
    return files
  }

  /// What tells one state of a calendar's files from another without reading them; nil where there are none.
  public static func state(at path: String) -> String? {
    guard let files = try? files(at: path) else { return nil }
    return files.map { file in
      let attributes = (try? FileManager.default.attributesOfItem(atPath: file)) ?? [:]
      let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      return "\(file) \(attributes[.size] ?? 0) \(changed)"
    }.joined(separator: "\n")
  }
}
