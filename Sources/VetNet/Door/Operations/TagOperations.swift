/// Gives a patient, a note or an appointment a tag, or takes it away.
public struct TagRecord: Operation {
  public static let name = "tag.set"
  public static let permission = Permission.writeRegister
  public static let reads: Set<RecordKind> = [.patient]
  public static let changes: Set<RecordKind> = [.tag]

  public enum Target: Hashable, Codable, Sendable {
    case patient(String)
    case note(String)
    case appointment(String)

    var reference: RecordReference {
      switch self {
      case .patient(let id): RecordReference(.patient, id)
      case .note(let id): RecordReference(.note, id)
      case .appointment(let id): RecordReference(.appointment, id)
      }
    }
  }

  public var tag: String
  public var target: Target
  public var isRemoved: Bool

  public init(tag: String, target: Target, isRemoved: Bool = false) {
    self.tag = tag
    self.target = target
    self.isRemoved = isRemoved
  }

  public var subjects: [RecordReference] { [target.reference] }

  /// Whether anything changed.
  public func run(_ passage: Passage) throws -> Bool {
    let (record, changed) = try passage.practice.records.tag(target, tag, isRemoved: isRemoved)
    passage.touch(target.reference.kind, record.id)
    passage.touch(.patient, record.patientID)
    passage.details["tag_digest"] = Passage.digest(tag)
    passage.details["removed"] = String(isRemoved)
    return changed
  }
}

/// Every tag, with how many records have it.
public struct ListTags: Operation {
  public static let name = "tag.list"
  public static let permission = Permission.readRegister
  public static let reads: Set<RecordKind> = [.tag]

  public init() {}

  public func run(_ passage: Passage) throws -> [TagUse] { try passage.practice.records.tagUses() }
}

/// The tags of one record.
public struct ShowTags: Operation {
  public static let name = "tag.show"
  public static let permission = Permission.readRegister
  public static let reads: Set<RecordKind> = [.tag, .patient]

  public var target: TagRecord.Target

  public init(target: TagRecord.Target) {
    self.target = target
  }

  public var subjects: [RecordReference] { [target.reference] }

  public func run(_ passage: Passage) throws -> [String] {
    let found = try passage.practice.records.tags(of: target)
    passage.touch(target.reference.kind, found.record.id)
    return found.tags
  }
}

/// The records that have a tag, by id.
public struct FindTagged: Operation {
  public static let name = "tag.find"
  public static let permission = Permission.readRegister
  public static let reads: Set<RecordKind> = [.tag, .patient]

  public var tag: String

  public init(tag: String) {
    self.tag = tag
  }

  public func run(_ passage: Passage) throws -> [TaggedRecord] {
    let found = try passage.practice.records.tagged(tag)
    passage.touch(.patient, found.compactMap { $0.kind == "patient" ? $0.id : $0.patientID })
    return found
  }
}
