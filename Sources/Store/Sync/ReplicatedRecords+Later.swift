public import Clinical

// Contents of fields that are known here, as a later program may write them.

extension ReplicatedRecords {
  /// Whether this program can hold a content, as it travels, in a field that it knows: the whole of it. What it can't hold is of a later
  /// program, and stays in the log.
  public static func holds(_ content: FieldContent, in field: String, of kind: String) -> Bool {
    guard let table = RecordTable(rawValue: kind), !references(of: table).contains(where: { $0.field == field }) else {
      return true
    }
    switch field {
    case "retraction" where table == .note: return keys(of: content).isSubset(of: ["at", "actor", "reason"])
    case "limits" where table == .appointment: return keys(of: content).isSubset(of: limitKeys)
    case _ where field.hasPrefix("step:"):
      return field.split(separator: ":").last.flatMap { VisitStage(rawValue: String($0)) } != nil
    default: break
    }
    switch table {
    case .client: return holds(content, field, Client(id: "", name: ""))
    case .patient: return holds(content, field, Patient(id: "", name: "", species: .other))
    case .location: return holds(content, field, Location(id: "", name: ""))
    case .staff: return holds(content, field, StaffMember(id: "", name: "", role: .nurse))
    case .resource: return holds(content, field, Resource(id: "", name: "", kind: ""))
    case .intake: return holds(content, field, blankIntake(""))
    case .note: return holds(content, field, blankNote("", at: Timestamp(seconds: 0)))
    case .appointment: return holds(content, field, blankAppointment(""))
    }
  }

  private static func holds<Record: StoredFields>(_ content: FieldContent, _ name: String, _ blank: Record) -> Bool {
    // Tags have no field, and are taken as they come.
    guard let field = Record.field(name) else { return true }
    if field.isRequired, content == .none { return false }
    var record = blank
    return field.write(&record, content) && !names(content, moreThan: field.read(record))
  }

  /// Whether objects in a content have keys that those which were read back of it lack.
  private static func names(_ content: FieldContent, moreThan kept: FieldContent) -> Bool {
    switch (content, kept) {
    case (.object(let said), .object(let kept)):
      said.contains { key, value in value != .none && (kept[key].map { names(value, moreThan: $0) } ?? true) }
    case (.list(let said), .list(let kept)):
      said.count == kept.count && zip(said, kept).contains { names($0, moreThan: $1) }
    default: false
    }
  }

  private static func keys(of content: FieldContent) -> Set<String> {
    if case .object(let values) = content { Set(values.keys) } else { [] }
  }

  private static let limitKeys: Set<String> = [
    "keeps_time", "keeps_clinician", "keeps_rooms", "lag_minutes", "travel_before_minutes", "travel_after_minutes",
    "window", "after_id", "urgency", "received_at", "location_id",
  ]
}
