/// What becomes of a field that several devices changed.
public enum FieldRule: String, CaseIterable, Hashable, Sendable {
  /// The later change is shown, by ``Stamp``; where its author didn't know of the other one, a person is told of both.
  case latest
  /// The same, and nobody is told.
  case latestQuietly = "latest quietly"
  /// Both texts are kept as versions of the record, the later one shown; a person is told of both.
  case bothKept = "both kept"
  /// A word that the record is not to be relied on stands against whoever didn't know of it.
  case withdrawalStands = "withdrawal stands"
  /// As the hub last said: a device's word is a request to it.
  case hubDecides = "hub decides"
  /// Such as the status of a visit: the hub takes a step forward, and none back.
  case onlyForward = "only forward"

  /// In words, for a person.
  public var words: String {
    switch self {
    case .latest:
      "the later change is shown; of two that didn't know of each other both are kept, and listed for a person"
    case .latestQuietly: "the later change is shown"
    case .bothKept:
      "of two changes that didn't know of each other both texts are kept as versions, the later shown, and listed"
    case .withdrawalStands: "a retraction stands against whoever didn't know of it"
    case .hubDecides: "as the hub says; a device asks"
    case .onlyForward: "forward only, never back by a sync; what would go back is listed for a person"
    }
  }
}

/// How a kind of record is merged.
public struct KindRule: Hashable, Sendable {
  /// Where it may be changed.
  public enum Place: String, Hashable, Sendable {
    case anywhere
    /// A device asks, and the hub judges each request by the book.
    case judgedAtHub = "judged at the hub"
    case hubOnly = "at the hub only"
  }

  public var place: Place
  /// By name; `tag:` stands for all names that begin so.
  public var fields: [String: FieldRule]
  /// Of the fields that aren't named.
  public var others: FieldRule
  /// What a person should know beside the fields.
  public var remarks: [String]

  public init(_ place: Place, others: FieldRule, fields: [String: FieldRule] = [:], remarks: [String] = []) {
    self.place = place
    self.others = others
    self.fields = fields
    self.remarks = remarks
  }

  public func rule(of field: String) -> FieldRule {
    if let rule = fields[field] { return rule }
    guard let colon = field.firstIndex(of: ":") else { return others }
    return fields[String(field[...colon])] ?? others
  }
}

/// The rules of merging, kind by kind.
public struct MergeRules: Hashable, Sendable {
  public var kinds: [String: KindRule]
  /// Of kinds that aren't known here: they are kept and passed on.
  public static let unknown = KindRule(.anywhere, others: .latestQuietly)

  public init(kinds: [String: KindRule]) {
    self.kinds = kinds
  }

  public func rule(of kind: String) -> KindRule { kinds[kind] ?? Self.unknown }

  /// The kind of an entry that tells a person of changes that disagree.
  public static let conflictKind = "conflict"

  public static let standard = MergeRules(kinds: [
    "client": KindRule(
      .anywhere, others: .latest, fields: ["tag:": .latestQuietly],
      remarks: ["deleted, merged and erased at the hub only; what comes late of an erased one is not kept"]),
    "patient": KindRule(
      .anywhere, others: .latest, fields: ["tag:": .latestQuietly],
      remarks: [
        "a deleted patient comes back with a note or visit whose author didn't know of it",
        "erased at the hub only, and for good: the words leave every log, and what comes late is not kept",
      ]),
    "note": KindRule(
      .anywhere, others: .latest,
      fields: ["text": .bothKept, "retraction": .withdrawalStands, "tag:": .latestQuietly],
      remarks: ["never overwritten: what an amendment replaces stays as a version"]),
    "intake": KindRule(
      .anywhere, others: .latest,
      remarks: ["of one that names no patient the hub's inbox is told"]),
    "appointment": KindRule(
      .judgedAtHub, others: .hubDecides,
      fields: [
        "status": .onlyForward, "reason": .latest, "visit_type": .latest, "tag:": .latestQuietly,
        "step:": .latestQuietly,
      ],
      remarks: [
        "the hub owns the book: a booking made elsewhere is a request, confirmed when it arrives",
        "where its time is gone it waits, with the nearest free ones and why; a move that can't be leaves the old time",
        "a booking that the hub has confirmed is never taken away by a later sync",
      ]),
    "staff": KindRule(.hubOnly, others: .hubDecides),
    "resource": KindRule(.hubOnly, others: .hubDecides),
    "location": KindRule(.hubOnly, others: .hubDecides),
    conflictKind: KindRule(
      .anywhere, others: .latestQuietly, remarks: ["told by the hub; settled by a person on any device"]),
  ])

  /// What doesn't travel, and why.
  public static let stays: [(what: String, why: String)] = [
    ("encounters", "unsigned ones stay where they are written; a signed one is a note, which travels"),
    ("photos", "stay where they were added; a clone has those that were there when it was made"),
    ("inbox", "stays where it came in; what is filed from it travels as what it became"),
    ("chunks, vectors, facts", "are made anew on each device by the model that it has"),
    ("plan changes, undo", "stay where they were made; the appointments travel"),
    ("imports, merges, erasures, users, settings", "are the hub's"),
    ("audit log", "each device keeps its own chain"),
  ]

  /// How changes go from one side to the other, and what of them lies where somebody else may find it.
  public static let way: [String] = [
    "over a network by TLS, to the server that the device was invited by and to nobody else",
    "through a folder or stick in one file each way for each device, sealed with a key that only the device and its hub have: who finds the stick reads nothing of it",
    "the files' names say a number of the practice and one of the device; their sizes say how much was changed",
    "a change that the role of whoever works on the device doesn't permit at the hub is not taken, and listed for a person",
    "kinds, fields and contents of a later version are kept as they came, passed on, and stand in the records once vetnet is updated",
  ]

  /// For a person: a line each.
  public var lines: [String] {
    var lines: [String] = []
    for (kind, rule) in kinds.sorted(by: { $0.key < $1.key }) where kind != Self.conflictKind {
      lines.append("\(kind) (\(rule.place == .anywhere ? "changed anywhere" : rule.place.rawValue))")
      for (field, rule) in rule.fields.sorted(by: { $0.key < $1.key }) {
        lines.append("  \(field.hasSuffix(":") ? String(field.dropLast()) + "s" : field): \(rule.words)")
      }
      lines.append("  \(rule.fields.isEmpty ? "all fields" : "other fields"): \(rule.others.words)")
      lines += rule.remarks.map { "  \($0)" }
    }
    lines.append("what does not travel")
    lines += Self.stays.map { "  \($0.what): \($0.why)" }
    lines.append("how it travels")
    lines += Self.way.map { "  \($0)" }
    return lines
  }
}
