public import Clinical
import Store

/// What the desk knows of an animal that walks in for the first time.
public struct NewPatient: Sendable, Codable {
  public var name: String
  public var species: Species
  public var breed: String?
  public var sex: Sex = .unknown
  public var dateOfBirth: CalendarDate?
  /// In kilograms.
  public var weightKilograms: Double?
  public var microchip: String?
  /// A client's id, or a name: of one client on file, else of a new one.
  public var owner: String?
  /// Of a new client.
  public var phone: String?
  /// Whether an animal of that name and species may already be on file for the owner.
  public var isAnother = false

  public init(name: String, species: Species) {
    self.name = name
    self.species = species
  }
}

extension Practice.Records {
  /// Puts a new patient on file, and the owner where the practice does not know the owner yet; both or neither.
  ///
  /// - Throws: ``PracticeError`` with `ambiguousPatient` for an animal that seems to be on file already, `failed` for a microchip
  ///   that another patient has, `invalidArgument` for an empty name, for an owner's name that several clients have, and for a
  ///   phone number that is not the one on file.
  package func addPatient(_ new: NewPatient, isDryRun: Bool = false) throws -> Patient {
    var patient = Patient(
      id: "", name: Self.line(new.name), species: new.species, breed: new.breed, sex: new.sex,
      dateOfBirth: new.dateOfBirth, weightKilograms: new.weightKilograms, microchip: new.microchip)
    guard !patient.name.isEmpty else {
      throw PracticeError(.invalidArgument, "a patient needs a name", hint: "'unnamed' will do.")
    }
    func complete() throws -> Client? {
      let owner = try owner(of: new)
      patient.ownerID = owner?.client.id
      patient.ownerName = owner?.client.name
      try refuseTwin(of: patient, isAnother: new.isAnother)
      patient.id = try connection.recordIDs.unused(.patient)
      return owner.flatMap { $0.isNew ? $0.client : nil }
    }
    if isDryRun {
      _ = try reporting { try complete() }
    } else {
      try writing {
        let client = try complete()
        let source = try connection.sources.local()
        if let client { _ = try connection.clients.upsert(client, source: source) }
        _ = try connection.patients.upsert(patient, source: source)
      }
    }
    return patient
  }

  /// One line, with single spaces between words.
  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func owner(of new: NewPatient) throws -> (client: Client, isNew: Bool)? {
    guard let words = new.owner.map(Self.line), !words.isEmpty else {
      guard new.phone == nil else {
        throw PracticeError(.invalidArgument, "a phone number needs an owner", hint: "Give --owner as well.")
      }
      return nil
    }
    var known = try connection.clients.clients(id: words)
    if known.isEmpty { known = try connection.clients.clients(named: words) }
    if known.isEmpty {
      known = try connection.clients.clients(sharingAWordWith: words).filter { Self.isOne(words, $0.value.name) }
    }
    guard known.count <= 1 else {
      throw PracticeError(
        .invalidArgument, "'\(words)' fits \(known.count) clients",
        hint: "Give the id instead of the name: \(known.map(\.value.id).joined(separator: ", "))")
    }
    guard let client = known.first?.value else {
      return (Client(id: try connection.recordIDs.unused(.client), name: words, phone: new.phone), true)
    }
    // Nothing on file is changed in passing: two numbers of one owner are a question for a person.
    guard new.phone == nil || client.phones.contains(where: { $0.number == new.phone }) else {
      throw PracticeError(
        .invalidArgument, "client \(client.id) is on file with another phone number, or none",
        hint: "Leave --phone out; the number on file stays.")
    }
    return (client, false)
  }

  /// Whether two names of owners are one but for the order of their words and a title: "Mr Jörg Müller" is "Müller, Jörg". A
  /// title in each tells a couple apart.
  private static func isOne(_ name: String, _ other: String) -> Bool {
    func parts(_ name: String) -> (titles: [String], words: [String]) {
      let words = name.nameWords
      return (
        words.filter(Practice.Answers.titles.contains), words.filter { !Practice.Answers.titles.contains($0) }.sorted()
      )
    }
    let (one, two) = (parts(name), parts(other))
    return !one.words.isEmpty && one.words == two.words
      && (one.titles.isEmpty || two.titles.isEmpty || one.titles == two.titles)
  }

  /// Two records of one animal are how a warning is missed.
  private func refuseTwin(of patient: Patient, isAnother: Bool) throws {
    if let chip = patient.microchip, let other = try connection.patients.matching(chip).first?.value,
      other.microchip == chip
    {
      throw PracticeError(.failed, "patient \(other.id) has this microchip", hint: "Nothing was written.")
    }
    guard !isAnother else { return }
    let twins = try connection.patients.matching(patient.name).map(\.value).filter { other in
      guard other.name.isSameName(as: patient.name), other.species == patient.species, other.deceasedAt == nil else {
        return false
      }
      guard let owner = patient.ownerName, let others = other.ownerName else { return true }
      return other.ownerID == patient.ownerID || others.isSameName(as: owner)
    }
    guard !twins.isEmpty else { return }
    throw PracticeError(
      .ambiguousPatient, "this may be a patient on file", hint: "If it is another animal, add --another.",
      candidates: Array(twins.prefix(5)))
  }
}
