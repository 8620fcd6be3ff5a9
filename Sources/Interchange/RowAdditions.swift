public import Clinical

/// What a row of the import format may say beside its record, under keys of its own that VetNet's export writes: what became of a
/// note, what an appointment is held to, how far it got and which event of a calendar it is, which levels people gave an intake, tags, ids that were
/// merged away. It is taken with a record that is new; of one that
/// is on file, the practice knows better.
public struct RowAdditions: Hashable, Sendable {
  /// What a note was before it was changed.
  public struct Version: Hashable, Sendable {
    public var replacedAt: Timestamp
    public var actor: String
    /// One of ``RowAdditions/causes``.
    public var cause: String
    public var reason: String?
    /// Whose it was; nil where that patient is not known any more.
    public var patientID: String?
    public var recordedAt: Timestamp
    public var author: String?
    public var kind: NoteKind
    public var text: String

    public init(
      replacedAt: Timestamp, actor: String, cause: String, reason: String?, patientID: String?, recordedAt: Timestamp,
      author: String?, kind: NoteKind, text: String
    ) {
      self.replacedAt = replacedAt
      self.actor = actor
      self.cause = cause
      self.reason = reason
      self.patientID = patientID
      self.recordedAt = recordedAt
      self.author = author
      self.kind = kind
      self.text = text
    }
  }

  /// That a note is not to be relied on.
  public struct Retraction: Hashable, Sendable {
    public var at: Timestamp
    public var actor: String
    public var reason: String

    public init(at: Timestamp, actor: String, reason: String) {
      self.at = at
      self.actor = actor
      self.reason = reason
    }
  }

  /// A person's level of urgency instead of the program's.
  public struct Override: Hashable, Sendable {
    public var at: Timestamp
    /// JSON: the versions of the models that it overruled.
    public var models: String
    /// JSON: the labelled case, with the person's reason.
    public var labelledCase: String

    public init(at: Timestamp, models: String, labelledCase: String) {
      self.at = at
      self.models = models
      self.labelledCase = labelledCase
    }
  }

  /// An id that a merge took, and that finds the patient.
  public struct FormerID: Hashable, Sendable {
    public var id: String
    /// Nil for the source that an import takes where none is named.
    public var source: String?
    public var at: Timestamp
    public var actor: String
    public var reason: String

    public init(id: String, source: String?, at: Timestamp, actor: String, reason: String) {
      self.id = id
      self.source = source
      self.at = at
      self.actor = actor
      self.reason = reason
    }
  }

  /// Which event of another program's calendar an appointment is.
  public struct CalendarLink: Hashable, Sendable {
    public var name: String
    /// The UID that all events of a series share.
    public var series: String
    /// False for time that is taken by something else.
    public var isCase: Bool
    /// When it was first missing there.
    public var goneAt: Timestamp?

    public init(name: String, series: String, isCase: Bool, goneAt: Timestamp?) {
      self.name = name
      self.series = series
      self.isCase = isCase
      self.goneAt = goneAt
    }
  }

  /// Of a patient, a note or an appointment.
  public var tags: [String] = []
  /// Of a patient, the oldest merge first.
  public var formerIDs: [FormerID] = []
  /// Of an appointment.
  public var calendar: CalendarLink?
  /// Of an appointment: how far it got, in the order in which people said so.
  public var steps: [VisitStep] = []
  /// Of a note, the oldest first.
  public var versions: [Version] = []
  public var retraction: Retraction?
  /// Of an appointment.
  public var limits: AppointmentOptions?
  /// Of an intake, the oldest first.
  public var overrides: [Override] = []

  public init() {}

  public var isEmpty: Bool { self == Self() }

  /// How a note came to be changed.
  public static let causes = ["import", "import undone", "amended", "moved"]

  /// The key under which a row of any kind names the source that its ids belong to.
  static let sourceKey = "source"

  /// The keys that rows of a kind may have.
  static func keys(for kind: ImportKind) -> [String] {
    switch kind {
    case .patients: ["tags", "merged"]
    case .notes: ["retracted", "versions", "tags"]
    case .appointments: ["limits", "location_id", "calendar", "steps", "tags"]
    case .intakes: ["overrides"]
    case .clients, .locations, .staff, .resources: []
    }
  }
}

// MARK: - In

extension RowAdditions {
  /// What a row says; nil where it says nothing. What can't be read of it is reported as lost.
  init?(_ row: Row, kind: ImportKind) {
    if Self.keys(for: kind).contains("tags") { tags = Self.tags(of: row) }
    switch kind {
    case .patients:
      for entry in row.rows("merged", fields: ["id", "source", "at", "actor", "reason"]) {
        if let former = entry.optional(try Self.formerID(entry)) { formerIDs.append(former) }
      }
    case .notes:
      for entry in row.rows("versions", fields: Self.versionKeys) {
        if let version = entry.optional(try Self.version(entry)) { versions.append(version) }
      }
      if let entry = Self.object("retracted", in: row, keys: ["at", "actor", "reason"]) {
        retraction = entry.optional(try Self.retraction(entry))
      }
    case .appointments:
      if let entry = Self.object("limits", in: row, keys: Self.limitKeys) {
        limits = entry.optional(try Self.limits(entry))
      }
      // Where an appointment is to be may stand beside its start, as other programs write it.
      if let id = row.optional(try row.identifier("location_id")) {
        limits = limits ?? AppointmentOptions()
        limits?.locationID = id
      }
      if let entry = Self.object("calendar", in: row, keys: ["name", "series", "is_case", "gone_at"]) {
        calendar = entry.optional(try Self.calendarLink(entry))
      }
      for entry in row.rows("steps", fields: ["stage", "at", "by"]) {
        if let step = entry.optional(try Self.step(entry)) { steps.append(step) }
      }
    case .intakes:
      for entry in row.rows("overrides", fields: ["at", "models", "case"]) {
        if let override = entry.optional(try Self.override(entry)) { overrides.append(override) }
      }
    case .clients, .locations, .staff, .resources: return nil
    }
    if isEmpty { return nil }
  }

  private static let versionKeys = [
    "replaced_at", "actor", "cause", "reason", "patient_id", "recorded_at", "author", "kind", "text",
  ]
  private static let limitKeys = [
    "keeps_time", "keeps_clinician", "keeps_rooms", "window_from", "window_to", "after_id", "lag_minutes",
    "travel_before_minutes", "travel_after_minutes", "urgency", "received_at",
  ]

  private static func object(_ field: String, in row: Row, keys: [String]) -> Row? {
    guard let value = row.values[field] else { return nil }
    guard case .object = value else {
      row.report.lose(row.wrongType(field, value, expected: "an object"))
      return nil
    }
    let list = Row(
      values: [field: .list([value])], format: row.format, dates: row.dates, vocabulary: row.vocabulary,
      tally: row.tally, report: row.report)
    return list.rows(field, fields: keys).first
  }

  /// In a list; in a cell between semicolons or bars.
  private static func tags(of row: Row) -> [String] {
    var words: [FieldValue]
    switch row.values["tags"] {
    case nil: return []
    case .list(let items)?: words = items
    case .cell(let text)?:
      if text.hasPrefix("["),
        case .list(let items)? = (try? JSONParser.parse(Array(text.utf8))).flatMap(FieldValue.init)
      {
        words = items
      } else {
        words = text.split { $0 == ";" || $0 == "|" }.map { .text(String($0)) }
      }
    case let value?:
      row.report.lose(row.wrongType("tags", value, expected: "a list of words"))
      return []
    }
    return words.compactMap { word in
      guard case .text(let text) = word else {
        row.report.lose(row.wrongType("tags", word, expected: "a list of words"))
        return nil
      }
      let tag = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard tag.count <= longestTag, !tag.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      else {
        row.report.lose(
          FieldError(
            row.path + "tags", value: nil, "has a tag that is no word", hint: "one line of at most 60 characters"))
        return nil
      }
      return tag.isEmpty ? nil : tag
    }
  }

  /// Characters of a tag.
  public static let longestTag = 60

  private static func formerID(_ row: Row) throws(FieldError) -> FormerID {
    guard let id = try row.identifier("id") else {
      throw .missing(row.path + "id", hint: "the id that finds this patient too")
    }
    return FormerID(
      id: id, source: try row.phrase("source"), at: try moment("at", row), actor: try row.phrase("actor") ?? "",
      reason: try row.text("reason") ?? "")
  }

  private static func calendarLink(_ row: Row) throws(FieldError) -> CalendarLink {
    guard let name = try row.phrase("name"), let series = try row.phrase("series") else {
      throw .missing(row.path + "series", hint: "the calendar's name, and the event's UID")
    }
    return CalendarLink(
      name: name, series: series, isCase: row.values["is_case"] != .truth(false),
      goneAt: try row.moment("gone_at")?.timestamp)
  }

  private static func step(_ row: Row) throws(FieldError) -> VisitStep {
    let word = try row.phrase("stage")
    guard let word, let stage = VisitStage(rawValue: word) else {
      throw FieldError(
        row.path + "stage", value: word.flatMap(Harmless.word), "is unknown",
        hint: "one of " + VisitStage.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return VisitStep(stage, at: try moment("at", row), actor: try row.phrase("by") ?? "")
  }

  private static func version(_ row: Row) throws(FieldError) -> Version {
    let cause = try row.phrase("cause") ?? causes[0]
    guard causes.contains(cause) else {
      throw FieldError(
        row.path + "cause", value: Harmless.word(cause), "is unknown",
        hint: "one of " + causes.joined(separator: ", "))
    }
    guard let text = try row.text("text") else { throw .missing(row.path + "text", hint: "what the note said") }
    return Version(
      replacedAt: try moment("replaced_at", row), actor: try row.phrase("actor") ?? "", cause: cause,
      reason: try row.text("reason"), patientID: try row.identifier("patient_id"),
      recordedAt: try moment("recorded_at", row), author: try row.phrase("author"),
      kind: try row.choice("kind", of: "note_kind", NoteKind.self) ?? .consult, text: text)
  }

  private static func retraction(_ row: Row) throws(FieldError) -> Retraction {
    guard let reason = try row.text("reason") else {
      throw .missing(row.path + "reason", hint: "why the note is not to be relied on")
    }
    return Retraction(at: try moment("at", row), actor: try row.phrase("actor") ?? "", reason: reason)
  }

  private static func limits(_ row: Row) throws(FieldError) -> AppointmentOptions {
    var limits = AppointmentOptions()
    limits.keepsTime = row.values["keeps_time"] == .truth(true)
    limits.keepsClinician = row.values["keeps_clinician"] == .truth(true)
    limits.keepsRooms = row.values["keeps_rooms"] == .truth(true)
    if let from = try row.moment("window_from")?.timestamp, let to = try row.moment("window_to")?.timestamp {
      guard from < to else {
        throw FieldError(row.path + "window_to", value: nil, "does not lie after 'window_from'", hint: "give it an end")
      }
      limits.window = from..<to
    }
    limits.afterID = try row.identifier("after_id")
    limits.lagMinutes = try row.integer("lag_minutes", in: 0...10_080) ?? 0
    limits.travelBefore = try row.integer("travel_before_minutes", in: 0...1440) ?? 0
    limits.travelAfter = try row.integer("travel_after_minutes", in: 0...1440) ?? 0
    limits.urgency = try row.choice("urgency", of: "urgency", Urgency.self)
    limits.receivedAt = try row.moment("received_at")?.timestamp
    return limits
  }

  private static func override(_ row: Row) throws(FieldError) -> Override {
    guard case .object(let labelled)? = row.values["case"] else {
      throw .missing(row.path + "case", hint: "the case as vetnet triage overrides prints it")
    }
    var models = "{}"
    if case .object(let versions)? = row.values["models"] { models = String(decoding: versions.asJSON, as: UTF8.self) }
    return Override(
      at: try moment("at", row), models: models, labelledCase: String(decoding: labelled.asJSON, as: UTF8.self))
  }

  private static func moment(_ field: String, _ row: Row) throws(FieldError) -> Timestamp {
    guard let moment = try row.moment(field) else { throw .missing(row.path + field, hint: "like 2024-03-05T10:40") }
    return moment.timestamp
  }
}

// MARK: - Out

extension RowAdditions {
  func write(to json: inout JSONText, in zone: PracticeTimeZone) {
    if !tags.isEmpty {
      json.key("tags")
      json.list(tags) { $0.text($1) }
    }
    if !formerIDs.isEmpty {
      json.key("merged")
      json.list(formerIDs) { json, former in
        json.object { json in
          json.pair("id", former.id)
          json.pair("source", former.source)
          json.pair("at", zone.iso8601(former.at))
          json.pair("actor", former.actor)
          json.pair("reason", former.reason)
        }
      }
    }
    if let calendar {
      json.key("calendar")
      json.object { json in
        json.pair("name", calendar.name)
        json.pair("series", calendar.series)
        json.key("is_case")
        json.truth(calendar.isCase)
        json.pair("gone_at", calendar.goneAt.map(zone.iso8601))
      }
    }
    if !steps.isEmpty {
      json.key("steps")
      json.list(steps) { json, step in
        json.object { json in
          json.pair("stage", step.stage.rawValue)
          json.pair("at", zone.iso8601(step.at))
          json.pair("by", step.actor)
        }
      }
    }
    if let retraction {
      json.key("retracted")
      json.object { json in
        json.pair("at", zone.iso8601(retraction.at))
        json.pair("actor", retraction.actor)
        json.pair("reason", retraction.reason)
      }
    }
    if !versions.isEmpty {
      json.key("versions")
      json.list(versions) { json, version in json.object { Self.write(version, to: &$0, in: zone) } }
    }
    json.pair("location_id", limits?.locationID)
    if var limits {
      limits.locationID = nil
      if !limits.isEmpty {
        json.key("limits")
        json.object { Self.write(limits, to: &$0, in: zone) }
      }
    }
    if !overrides.isEmpty {
      json.key("overrides")
      json.list(overrides) { json, override in
        json.object { json in
          json.pair("at", zone.iso8601(override.at))
          json.key("models")
          json.raw(Array(override.models.utf8))
          json.key("case")
          json.raw(Array(override.labelledCase.utf8))
        }
      }
    }
  }

  private static func write(_ version: Version, to json: inout JSONText, in zone: PracticeTimeZone) {
    json.pair("replaced_at", zone.iso8601(version.replacedAt))
    json.pair("actor", version.actor)
    json.pair("cause", version.cause)
    json.pair("reason", version.reason)
    json.pair("patient_id", version.patientID)
    json.pair("recorded_at", zone.iso8601(version.recordedAt))
    json.pair("author", version.author)
    json.pair("kind", version.kind.rawValue)
    json.pair("text", version.text)
  }

  private static func write(_ limits: AppointmentOptions, to json: inout JSONText, in zone: PracticeTimeZone) {
    for (key, truth) in [
      ("keeps_time", limits.keepsTime), ("keeps_clinician", limits.keepsClinician), ("keeps_rooms", limits.keepsRooms),
    ] where truth {
      json.key(key)
      json.truth(true)
    }
    json.pair("window_from", limits.window.map { zone.iso8601($0.lowerBound) })
    json.pair("window_to", limits.window.map { zone.iso8601($0.upperBound) })
    json.pair("after_id", limits.afterID)
    for (key, minutes) in [
      ("lag_minutes", limits.lagMinutes), ("travel_before_minutes", limits.travelBefore),
      ("travel_after_minutes", limits.travelAfter),
    ] where minutes != 0 {
      json.pair(key, Double(minutes))
    }
    json.pair("urgency", limits.urgency?.rawValue)
    json.pair("received_at", limits.receivedAt.map(zone.iso8601))
  }
}
