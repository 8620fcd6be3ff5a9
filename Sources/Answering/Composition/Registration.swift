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
  /// - Parameter words: the classes that the words of the question are in.
  /// - Returns: one sentence.
  func line(askedFor words: QuestionClassSet) -> String? {
    var parts: [String] = []
    func add(_ cue: QuestionClass, _ part: @autoclosure () -> String?) {
      if words.contains(cue), let part = part() { parts.append(part) }
    }
    if words.contains(.age) || words.contains(.how) && words.contains(.old) { birth.map { parts.append($0) } }
    // "Who is the owner?", not "did the owner decline?"
    if words.contains(.belonging) || words.contains(.owner) && words.contains(.whoname) {
      patient.ownerName.map { parts.append("owner \($0)") }
    }
    add(.chip, patient.microchip.map { "microchip \($0)" })
    add(.breed, [patient.breed, patient.species.rawValue].compactMap { $0 }.joined(separator: ", "))
    add(.sex, patient.sex == .unknown ? nil : "sex \(patient.sex.rawValue)")
    add(.alive, patient.deceasedAt.map { "died on \($0)" })
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
