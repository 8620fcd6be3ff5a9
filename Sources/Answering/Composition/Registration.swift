import Clinical

/// What the practice file itself holds on a patient, for questions on which the notes are silent: "how old is he?", "whose is
/// she?", "chip number?".
///
/// It is no sentence of the record and cites no note, so the class of the answer stays "not recorded".
struct Registration {
  let patient: Patient
  let today: CalendarDate

  /// `On file: born 2014-03-09 (12 years), owner Mrs Hale.`; nil where the question asks for nothing that is on file.
  ///
  /// - Parameter words: of the question, in lower case.
  /// - Returns: one sentence.
  func line(askedFor words: Set<String>) -> String? {
    var parts: [String] = []
    func add(_ cues: Set<String>, _ part: @autoclosure () -> String?) {
      if !words.isDisjoint(with: cues), let part = part() { parts.append(part) }
    }
    if words.isSuperset(of: ["how", "old"]) || !words.isDisjoint(with: ["age", "born", "birthday", "dob"]) {
      birth.map { parts.append($0) }
    }
    // "Who is the owner?", not "did the owner decline?"
    let asksWho = !words.isDisjoint(with: ["owner", "owners"]) && !words.isDisjoint(with: ["who", "whos", "name"])
    if asksWho || !words.isDisjoint(with: ["whose", "belongs", "belong"]) {
      patient.ownerName.map { parts.append("owner \($0)") }
    }
    add(["chip", "microchip", "microchipped", "microchips"], patient.microchip.map { "microchip \($0)" })
    add(["breed", "species"], [patient.breed, patient.species.rawValue].compactMap { $0 }.joined(separator: ", "))
    add(
      ["sex", "gender", "neutered", "spayed", "castrated", "entire", "male", "female", "speyed"],
      patient.sex == .unknown ? nil : "sex \(patient.sex.rawValue)")
    add(["alive", "dead", "died", "deceased"], patient.deceasedAt.map { "died on \($0)" })
    return parts.isEmpty ? nil : "On file: \(parts.joined(separator: ", "))."
  }

  private var birth: String? {
    guard let born = patient.dateOfBirth else { return nil }
    let end = patient.deceasedAt.map { min($0, today) } ?? today
    guard let days = patient.ageInDays(on: end) else { return "born \(born)" }
    let months = Int(Double(days) / 30.4375)
    let age =
      days < 90 ? "\(days / 7) weeks" : months < 24 ? "\(months) months" : "\(Int(Double(days) / 365.25)) years"
    return "born \(born) (\(age)\(patient.deceasedAt == nil ? "" : " at death"))"
  }
}
