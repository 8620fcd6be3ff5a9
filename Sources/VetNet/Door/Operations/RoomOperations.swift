public import Clinical
import Store

/// Rooms and equipment, in the order they came.
public struct ListRooms: Operation {
  public static let name = "resource.list"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.resource]

  public init() {}

  public func run(_ passage: Passage) throws -> [Resource] {
    let practice = passage.practice
    return try practice.reading { try practice.connection.resources.list().map(\.value) }
  }
}

/// A room or a piece of equipment more, or another name, kind, number or cleaning time of one. What is booked stays as it was booked.
///
/// - Throws: ``PracticeError`` with `invalidArgument` for a value that isn't allowed, `failed` for a name that another has.
public struct KeepRoom: Operation {
  public static let name = "resource.keep"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.resource]
  public static let changes: Set<RecordKind> = [.resource]

  /// By id or name; nil for a new one.
  public var reference: String?
  public var name: String
  /// `room`, `theatre`, `imaging`, or the practice's own word.
  public var kind: String
  /// How many there are of it that can be used in each other's place.
  public var capacity: Int
  public var cleaningMinutes: Int
  public var isDryRun: Bool

  public init(
    reference: String? = nil, name: String, kind: String, capacity: Int = 1, cleaningMinutes: Int = 0,
    isDryRun: Bool = false
  ) {
    self.reference = reference
    self.name = name
    self.kind = kind
    self.capacity = capacity
    self.cleaningMinutes = cleaningMinutes
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> Resource { try passage.practice.workplace.keepRoom(self) }
}

/// Somebody more who works at the practice. Hours, leave and the rest follow by ``ChangeStaff``.
///
/// - Throws: ``PracticeError`` with `invalidArgument` for a name that is none, `failed` for one that somebody has.
public struct AddStaff: Operation {
  public static let name = "staff.add"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.staff]
  public static let changes: Set<RecordKind> = [.staff]

  public var name: String
  public var role: StaffMember.Role
  /// As the setting `hours` takes them; nil for none yet.
  public var hours: String?
  public var isDryRun: Bool

  public init(name: String, role: StaffMember.Role, hours: String? = nil, isDryRun: Bool = false) {
    self.name = name
    self.role = role
    self.hours = hours
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> StaffMember { try passage.practice.workplace.addStaff(self) }
}

extension Practice.Workplace {
  /// Minutes of cleaning that can be meant.
  private static let cleaningRange = 0...480
  private static let capacityRange = 1...100

  fileprivate func keepRoom(_ wanted: KeepRoom) throws -> Resource {
    let name = try Self.shortLine(wanted.name, "a room or device needs a name of at most 200 characters")
    let kind = try Self.shortLine(
      wanted.kind, "a room or device is of a kind", hint: "Such as room, theatre or imaging.")
    guard Self.capacityRange.contains(wanted.capacity), Self.cleaningRange.contains(wanted.cleaningMinutes) else {
      throw PracticeError(
        .invalidArgument, "there are 1 to 100 of a room or device, cleaned in 0 to 480 minutes")
    }
    let id = try wanted.reference.map { try resource($0).id }
    let all = try reporting { try connection.resources.list() }
    guard !all.contains(where: { $0.value.name.isSameName(as: name) && $0.value.id != id }) else {
      throw PracticeError(.failed, "there is a room or device of that name already")
    }
    var room = Resource(
      id: id ?? "", name: name, kind: kind, capacity: wanted.capacity, cleaningMinutes: wanted.cleaningMinutes)
    guard !wanted.isDryRun else { return room }
    return try writing {
      if let id, let row = try connection.recordIDs.row(.resource, id) {
        let changed = try connection.resources.change(row: row) { kept in
          room.locationID = kept.locationID
          kept = room
        }
        return changed?.value ?? room
      }
      room.id = try connection.recordIDs.unused(.resource)
      _ = try connection.resources.upsert(room, source: try connection.sources.local())
      return room
    }
  }

  fileprivate func addStaff(_ wanted: AddStaff) throws -> StaffMember {
    let name = try Self.shortLine(wanted.name, "a member of staff needs a name of at most 200 characters")
    let hours = try wanted.hours.map { try Self.weekly($0) } ?? []
    let all = try reporting { try connection.staff.list() }
    guard !all.contains(where: { $0.value.name.isSameName(as: name) }) else {
      throw PracticeError(
        .failed, "somebody of that name is on file already", hint: "Add a word that tells them apart.")
    }
    var member = StaffMember(id: "", name: name, role: wanted.role, workingHours: hours)
    guard !wanted.isDryRun else { return member }
    return try writing {
      member.id = try connection.recordIDs.unused(.staff)
      _ = try connection.staff.upsert(member, source: try connection.sources.local())
      return member
    }
  }

  private static func shortLine(_ text: String, _ words: String, hint: String? = nil) throws -> String {
    let line = text.trimmingSpaces()
    let isPlain = !line.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard !line.isEmpty, line.count <= 200, isPlain else { throw PracticeError(.invalidArgument, words, hint: hint) }
    return line
  }
}
