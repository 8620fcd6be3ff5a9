/// Something that can be done with a practice, as a value: it can be kept, sent to another device, and done there.
///
/// Only ``Practice/perform(_:by:at:progress:message:)`` can run one, for only it can make the ``Passage`` that running takes.
public protocol Operation: Codable, Sendable {
  associatedtype Outcome

  /// Stable: logs and other devices know the operation by it.
  static var name: String { get }
  /// Of the encoding; grows when a value of the one before can't be read any more.
  static var version: Int { get }
  static var permission: Permission { get }
  static var reads: Set<RecordKind> { get }
  /// Empty for one that only reads.
  static var changes: Set<RecordKind> { get }
  static var conduct: Conduct { get }
  /// The kind of job that it is, of which one process at a time may do one; nil for what any number may do.
  static var job: String? { get }
  /// What a practice has to have switched on for it; nil for what can't be switched off.
  static var feature: Feature? { get }
  /// Whether only the hub of a practice on several devices does it; see `MergeRules`.
  static var isOfHub: Bool { get }
  /// Whether this value changes nothing, such as a dry run.
  var changesNothing: Bool { get }
  /// The records that it names, as they were named: what a refusal is about.
  var subjects: [RecordReference] { get }
  /// The location that it is about, by id or name, where it names one: what somebody is there counts.
  var place: String? { get }

  func run(_ passage: Passage) throws -> Outcome
}

extension Operation {
  public static var version: Int { 1 }
  public static var changes: Set<RecordKind> { [] }
  public static var conduct: Conduct { .atOnce }
  public static var job: String? { nil }
  public static var feature: Feature? { nil }
  public static var isOfHub: Bool { !changes.isDisjoint(with: [.location, .staff, .resource, .user, .imports]) }
  public var changesNothing: Bool { false }
  public var subjects: [RecordReference] { [] }
  public var place: String? { nil }

  /// Whether it shows what is about a person's animal, which is put on record.
  public static var showsRecords: Bool { !reads.isDisjoint(with: RecordKind.personal) }

  /// Whether it changes what the practice says or does, and not only what is made from that.
  static var isDeed: Bool { !changes.isSubset(of: [.index, .backup, .audit]) }
}

/// How an operation is kept whole.
public enum Conduct: String, Codable, Sendable {
  /// All of it in one transaction, with its entry in the audit log; what is derived from it, such as the index, follows.
  case atOnce = "at once"
  /// In steps, each a transaction with its own entry, between an entry that it began and one that it ended: long work, which
  /// others must be able to read and write beside.
  case inSteps = "in steps"
}

/// Kinds of what a practice file holds.
public enum RecordKind: String, CaseIterable, Codable, Sendable {
  case client, patient, location, staff, resource, appointment, note, intake, assessment, plan
  /// What came in and waits to be filed.
  case inbox
  /// What is written at a patient's side until it is signed.
  case encounter
  /// Words that people give to records.
  case tag
  /// Pictures of patients.
  case photo
  case imports, index, setting, backup, audit, user
  /// Practice files elsewhere, and browsers, that take part.
  case device
  /// The file's structure, by ids alone.
  case file

  /// Those that say something of somebody's animal.
  static let personal: Set<RecordKind> = [
    .client, .patient, .appointment, .note, .intake, .assessment, .inbox, .encounter, .photo,
  ]
}

/// A record by kind and id.
public struct RecordReference: Hashable, Codable, Sendable {
  public let kind: RecordKind
  public let id: String

  public init(_ kind: RecordKind, _ id: String) {
    self.kind = kind
    self.id = id
  }
}
