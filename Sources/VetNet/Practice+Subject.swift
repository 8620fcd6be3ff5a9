import Briefing
public import Clinical
import Store
import TextAnalysis

/// Which patient a question is about.
enum QuestionSubject {
  case patient(Stored<Patient>)
  /// Several fit, or another one is named than was chosen.
  case ambiguous([Patient])
  /// Nobody is named.
  case practice
}

extension Practice {
  /// The patient that a question is about.
  ///
  /// A name, an id or a microchip in the question says it, and so do an owner's title and surname; a name that several
  /// share is narrowed by the species, breed or owner that stand beside it. A question that names another patient than
  /// `reference` and not this one is asked back, and so is a `reference` that fits several.
  ///
  /// - Throws: ``PracticeError`` when no patient is called `reference`.
  func subject(of question: String, reference: String?) throws -> QuestionSubject {
    let words = Self.words(of: question)
    let named = try patientsNamed(words)
    guard let reference else {
      if named.count == 1 { return .patient(named[0]) }
      if !named.isEmpty { return .ambiguous(named.map(\.value)) }
      let owned = try patientsOwned(words)
      if owned.isEmpty { return .practice }
      return owned.count == 1 ? .patient(owned[0]) : .ambiguous(owned.map(\.value))
    }
    let chosen: Stored<Patient>
    do {
      chosen = try stored(patient: reference)
    } catch let error as PracticeError where error.code == .ambiguousPatient {
      return .ambiguous(error.candidates)
    }
    let own = Set(chosen.value.name.lowercased().split(separator: " ").map(String.init))
    let owner = Set((chosen.value.ownerName ?? "").lowercased().split(separator: " ").map(String.init))
    let isOther =
      !named.isEmpty && !named.contains { $0.rowID == chosen.rowID }
      && !words.contains { own.contains($0.lowercased()) || owner.contains($0.lowercased()) }
      && named.allSatisfy { other in words.contains { $0.first?.isUppercase == true && $0 == other.value.name } }
    return isOther ? .ambiguous([chosen.value] + named.map(\.value)) : .patient(chosen)
  }

  /// The patient that a question names without being asked about anybody in particular; nil for none or several.
  public func patientNamed(in question: String) throws -> Patient? {
    try reading {
      guard case .patient(let patient) = try subject(of: question, reference: nil) else { return nil }
      return patient.value
    }
  }

  private static func words(of question: String) -> [String] {
    Tokenizer().tokens(in: question).compactMap { token -> String? in
      guard let word = question.slice(utf8: token.range).map(String.init) else { return nil }
      return word.hasSuffix("'s") || word.hasSuffix("’s") ? String(word.dropLast(2)) : word
    }
  }

  /// Those whose name, id or microchip stands in a question, as whole words; the longest name decides, so that "Bella Rose" is not
  /// read as "Bella".
  private func patientsNamed(_ words: [String]) throws -> [Stored<Patient>] {
    for length in stride(from: min(3, words.count), through: 1, by: -1) {
      for start in 0...(words.count - length) where words.count >= length {
        let parts = words[start..<(start + length)]
        let name = parts.joined(separator: " ")
        let isWritten = name.first?.isUppercase == true || name.contains(where: \.isNumber)
        guard isWritten || (length == 1 && name.count > 2) else { continue }
        var found = try connection.patients.patients(named: name) + connection.patients.patients(id: name)
        if name.count >= 9, name.allSatisfy(\.isNumber) { found += try connection.patients.patients(microchip: name) }
        if found.isEmpty { continue }
        // In small letters an everyday word is no name: "will", "may". That is asked last: few words are a name at all, and
        // the tables that tell may still be under way.
        if try isWritten || !models.answerer().isEveryday(name) { return Self.narrowed(found, by: words) }
      }
    }
    return []
  }

  /// The animals of an owner who is named with a title: "Mrs Tranter's cat".
  private func patientsOwned(_ words: [String]) throws -> [Stored<Patient>] {
    for (index, word) in words.enumerated().dropLast() where Self.titles.contains(word.lowercased()) {
      let surname = words[index + 1]
      var found = try connection.patients.patients(ownerNamed: surname)
      // "Castletons cat": the apostrophe is often left out.
      if found.isEmpty, surname.hasSuffix("s") {
        found = try connection.patients.patients(ownerNamed: String(surname.dropLast()))
      }
      if !found.isEmpty { return Self.narrowed(found, by: words) }
    }
    return []
  }

  private static let titles: Set<String> = ["mr", "mrs", "ms", "miss", "dr"]

  /// Those that species, breed or owner named beside them leave; all of them where these leave none.
  private static func narrowed(_ patients: [Stored<Patient>], by words: [String]) -> [Stored<Patient>] {
    guard patients.count > 1 else { return patients }
    let lower = Set(words.map { $0.lowercased() })
    let species = Set(lower.compactMap { Species(describing: $0) })
    func keep(_ list: [Stored<Patient>], _ fits: (Patient) -> Bool) -> [Stored<Patient>] {
      let fitting = list.filter { fits($0.value) }
      return fitting.isEmpty ? list : fitting
    }
    let byOwner = keep(patients) { patient in
      patient.ownerName?.split(separator: " ").last.map { lower.contains($0.lowercased()) } ?? false
    }
    let byBreed = keep(byOwner) { patient in
      patient.breed?.lowercased().split(whereSeparator: { !$0.isLetter }).contains { lower.contains(String($0)) }
        ?? false
    }
    return keep(byBreed) { species.contains($0.species) }
  }
}
