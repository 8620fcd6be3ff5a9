import Clinical
import Store

/// A word that may end what somebody types, and what it stands for.
public struct Completion: Hashable, Sendable {
  public let word: String
  /// A name, or when an appointment is; nothing of what is written about anybody.
  public let description: String

  public init(_ word: String, _ description: String = "") {
    self.word = word
    self.description = description
  }
}

/// Which of the book's ids are wanted.
public enum BookCompletion: String, Codable, Sendable { case staff, room, appointment }

extension Practice.Reception {
  /// As many as a person looks through.
  static let completionLimit = 50

  /// Patients whose id or name begins so: by name where it is one patient's alone, else by id. Without a beginning those of today.
  func completePatients(_ beginning: String, now: Timestamp) throws -> [Completion] {
    try reading {
      if beginning.isEmpty {
        let today = try connection.appointments.appointments(startingIn: timeZone.interval(of: timeZone.date(of: now)))
        var seen: Set<String> = []
        return try today.compactMap { try $0.value.patientID.flatMap(practice.records.registered) }.filter {
          seen.insert($0.id).inserted
        }
        .prefix(Self.completionLimit).map { Completion($0.id, $0.name) }
      }
      var found = try connection.patients.patients(idPrefix: beginning, limit: Self.completionLimit)
      if !found.isEmpty { return found.map { Completion($0.id, $0.name) } }
      found = Array(try connection.patients.patients(namePrefix: beginning).prefix(Self.completionLimit).map(\.value))
      var counts: [String: Int] = [:]
      for patient in found { counts[patient.name, default: 0] += 1 }
      let areTyped = found.allSatisfy { $0.name.hasPrefix(beginning) && counts[$0.name] == 1 }
      return found.map { areTyped ? Completion($0.name, $0.id) : Completion($0.id, $0.name) }
    }
  }

  func complete(_ kind: BookCompletion, _ beginning: String, now: Timestamp) throws -> [Completion] {
    try reading {
      switch kind {
      case .staff: named(try connection.staff.list().map { ($0.value.id, $0.value.name) }, beginning)
      case .room: named(try connection.resources.list().map { ($0.value.id, $0.value.name) }, beginning)
      case .appointment: try appointments(beginning, now: now)
      }
    }
  }

  private func named(_ all: [(id: String, name: String)], _ beginning: String) -> [Completion] {
    let byID = all.filter { $0.id.lowercased().hasPrefix(beginning.lowercased()) }
    if !byID.isEmpty { return byID.prefix(Self.completionLimit).map { Completion($0.id, $0.name) } }
    return Practice.Workplace.meant(beginning, among: all).prefix(Self.completionLimit).map {
      Completion(all[$0].id, all[$0].name)
    }
  }

  /// Those from today on for two weeks.
  private func appointments(_ beginning: String, now: Timestamp) throws -> [Completion] {
    let today = timeZone.date(of: now)
    let days = timeZone.timestamp(of: today)..<timeZone.timestamp(of: today.adding(days: 14))
    return try connection.appointments.appointments(startingIn: days).map(\.value)
      .filter {
        $0.id.hasPrefix(beginning) && $0.status.occupiesTime || $0.status == .requested && $0.id.hasPrefix(beginning)
      }
      .prefix(Self.completionLimit).map { appointment in
        let name = try appointment.patientID.flatMap(practice.records.registered)?.name ?? ""
        return Completion(appointment.id, "\(timeZone.describe(appointment.start)) \(name)")
      }
  }
}
