import Clinical
import Interchange
import Store

/// What an event of another program's calendar means for the practice.
struct EventReading {
  var clinicianID: String?
  /// Whose it is for certain.
  var patientID: String?
  /// Whose it may be, where that isn't certain.
  var candidates: [IncomingItem.Candidate] = []
  /// Whether it speaks of an animal or a complaint; else it only takes somebody's time.
  var isCase = false
}

/// Reads events: who of the staff takes part, by address, and whose animal is meant, by microchip, id, or name and owner.
///
/// Somebody's name alone is certain only where one living patient has it and the rest of the title is about an animal: "Rex" and
/// "Rex vaccination", but not "Lunch with Rex".
struct EventReader {
  private let practice: Practice
  private var connection: Connection { practice.connection }
  private let vets: Set<String>

  init(_ practice: Practice) throws {
    self.practice = practice
    vets = Set(try practice.connection.staff.list().map(\.value).filter { $0.role == .veterinarian }.map(\.id))
  }

  /// What an event means in the calendar of `owner`.
  func reading(of entry: CalendarEntry, owner: String?) throws -> EventReading {
    var reading = EventReading()
    var invited: [String] = []
    for address in entry.foreign?.attendees ?? [] {
      if let member = try connection.calendars.staff(address: address), !invited.contains(member) {
        invited.append(member)
      }
    }
    reading.clinicianID =
      invited.isEmpty || owner.map(invited.contains) == true
      ? owner : invited.first(where: vets.contains) ?? invited.first
    try findPatient(of: entry, into: &reading)
    return reading
  }

  private func findPatient(of entry: CalendarEntry, into reading: inout EventReading) throws {
    let title = entry.summary
    if let (patient, evidence) = try identified(title + "\n" + (entry.foreign?.details ?? "")) {
      reading.patientID = patient
      reading.candidates = [.init(patientID: patient, certainty: 1, evidence: [evidence])]
      reading.isCase = true
      return
    }
    var found = try named(in: title)
    let owned = found.filter(\.isOwned)
    if !owned.isEmpty { found = owned }
    let rest = found.first?.rest ?? title
    let isClinical = try self.isClinical(rest)
    reading.isCase = isClinical
    guard let only = found.first else { return }
    let species = rest.split { !$0.isLetter }.compactMap { Species(field: String($0)) }
    let isOfSpecies = found.count == 1 && species.contains(only.patient.species)
    let isOfOther = !species.isEmpty && !species.contains(only.patient.species)
    if found.count == 1, !isOfOther,
      only.isOwned || isClinical || isOfSpecies || !rest.contains(where: \.isLetter)
    {
      reading.patientID = only.patient.id
      reading.isCase = true
    }
    reading.candidates = found.prefix(5).map { match in
      .init(
        patientID: match.patient.id, certainty: (match.isOwned ? 0.8 : 0.5) / Double(found.count),
        evidence: [.name] + (match.isOwned ? [.owner] : [])
          + (species.contains(match.patient.species) ? [.species] : []))
    }
  }

  /// The one patient whom a microchip's number, or an id, names.
  private func identified(_ text: String) throws -> (String, IncomingItem.Candidate.Evidence)? {
    for match in text.matches(of: /[0-9](?:[ .\-]?[0-9]){8,14}/) {
      let found = try connection.patients.patients(microchip: String(match.0.filter(\.isNumber)))
      if found.count == 1 { return (found[0].value.id, .microchip) }
    }
    for word in text.split(whereSeparator: { $0.isWhitespace || ",;()[]".contains($0) })
    where word.contains(where: \.isNumber) && word.contains(where: \.isLetter) {
      let found = try connection.patients.patients(id: String(word))
      if found.count == 1 { return (found[0].value.id, .id) }
    }
    return nil
  }

  /// A living patient whose name stands in a title.
  private struct Match {
    let patient: Patient
    /// Whether a word of the owner's name stands in the title as well.
    let isOwned: Bool
    /// The title without the two names.
    let rest: String
  }

  /// Words of a name at most.
  private static let longestName = 3
  /// A title has a few words: what is longer is not gone through.
  private static let longestTitle = 40

  private func named(in title: String) throws -> [Match] {
    let words = title.split(whereSeparator: { !$0.isLetter && !$0.isNumber && !"'’-".contains($0) }).prefix(
      Self.longestTitle
    )
    .map(String.init)
    var found: [Match] = []
    for length in (1...Self.longestName).reversed() where length <= words.count {
      for start in 0...(words.count - length) {
        let name = words[start..<(start + length)].joined(separator: " ")
        for match in try connection.patients.patients(named: name) where match.value.deceasedAt == nil {
          guard !found.contains(where: { $0.patient.id == match.value.id }) else { continue }
          let others = Array(words[..<start] + words[(start + length)...])
          let owner = (match.value.ownerName ?? "").nameWords
          let left = others.filter { word in !owner.contains { $0.count > 1 && word.nameWords.contains($0) } }
          found.append(
            Match(patient: match.value, isOwned: left.count < others.count, rest: left.joined(separator: " ")))
        }
      }
    }
    return found
  }

  /// Whether words state anything of an animal's health or care.
  private func isClinical(_ text: String) throws -> Bool {
    guard text.contains(where: \.isLetter) else { return false }
    return try !CasePipeline(models: practice.models).facts(of: Intake(id: "", text: text)).isEmpty
  }
}
