import Answering
package import Clinical
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

extension Practice.Answers {
  /// The patient that a question is about.
  ///
  /// A name, an id or a microchip in the question says it, and so do an owner's title and surname; a name that several
  /// share is narrowed by the species, breed or owner that stand beside it. A question that names another patient than
  /// `reference` and not this one is asked back, and so is a `reference` that fits several.
  ///
  /// - Throws: ``PracticeError`` when no patient is called `reference`.
  func subject(of question: String, reference: String?) throws -> QuestionSubject {
    let words = Self.words(of: question)
    let named = try patientsNamed(in: question)
    guard let reference else {
      if named.patients.count == 1 { return .patient(named.patients[0]) }
      if !named.patients.isEmpty { return .ambiguous(named.patients.map(\.value)) }
      let owned = try patientsOwned(words)
      if owned.isEmpty { return .practice }
      return owned.count == 1 ? .patient(owned[0]) : .ambiguous(owned.map(\.value))
    }
    let chosen: Stored<Patient>
    do {
      chosen = try practice.records.stored(patient: reference)
    } catch let error as PracticeError where error.code == .ambiguousPatient {
      return .ambiguous(error.candidates)
    }
    let own = Set(chosen.value.name.nameWords)
    let owner = Set((chosen.value.ownerName ?? "").nameWords)
    let isOther =
      named.isClear && !named.patients.contains { $0.rowID == chosen.rowID }
      && !words.contains { !own.isDisjoint(with: $0.nameWords) || !owner.isDisjoint(with: $0.nameWords) }
    return isOther ? .ambiguous([chosen.value] + named.patients.map(\.value)) : .patient(chosen)
  }

  /// The patient that a question names without being asked about anybody in particular; nil for none or several.
  package func patientNamed(in question: String) throws -> Patient? {
    try reading {
      guard case .patient(let patient) = try subject(of: question, reference: nil) else { return nil }
      return patient.value
    }
  }

  private static func words(of question: String) -> [String] { writtenWords(of: question).map(\.text) }

  private static func writtenWords(of question: String) -> [WrittenName.Word] {
    Tokenizer().tokens(in: question).compactMap { token in
      guard let word = question.slice(utf8: token.range).map(String.init) else { return nil }
      let isPossessive = WordForm.endsInPossessive(Array(word.utf8))
      return WrittenName.Word(text: isPossessive ? WordForm.withoutPossessive(word) : word, isPossessive: isPossessive)
    }
  }

  /// Those whose name, id or microchip stands in a question, as whole words; the longest name decides, so that "Bella Rose" is not
  /// read as "Bella", and what can be nothing but a name goes before an everyday word.
  ///
  /// - Returns: the patients, and whether nothing else can be meant: a name in capitals, or one that is no other word.
  private func patientsNamed(in question: String) throws -> (patients: [Stored<Patient>], isClear: Bool) {
    let words = Self.writtenWords(of: question)
    var doubtful: [Stored<Patient>] = []
    for name in WrittenName.candidates(in: words) {
      var found = try connection.patients.patients(named: name.text) + connection.patients.patients(id: name.text)
      if name.text.count >= 9, name.text.allSatisfy(\.isNumber) {
        found += try connection.patients.patients(microchip: name.text)
      }
      if found.isEmpty { continue }
      found = Self.narrowed(found, by: words.map(\.text))
      if name.isCertain { return (found, found.allSatisfy { $0.value.name.isSameName(as: name.text) }) }
      // That is asked last: few words are a name at all, and the tables that tell may still be under way.
      if try !models.answerer().isEveryday(name.text) { return (found, name.isPointedAt) }
      if doubtful.isEmpty, name.standsAsName { doubtful = found }
    }
    return (doubtful, false)
  }

  /// The animals of an owner who is named with a title: "Mrs Tranter's cat".
  private func patientsOwned(_ words: [String]) throws -> [Stored<Patient>] {
    for (index, word) in words.enumerated().dropLast() where Self.titles.contains(word.lowercased()) {
      // "Mrs van der Berg", "Mr Mc Donald": the longest name that anybody has.
      for length in stride(from: min(Self.longestSurname, words.count - index - 1), through: 1, by: -1) {
        let surname = words[(index + 1)...(index + length)].joined(separator: " ")
        var found = try connection.patients.patients(ownerNamed: surname)
        // "Castletons cat": the apostrophe is often left out.
        if found.isEmpty, surname.hasSuffix("s") {
          found = try connection.patients.patients(ownerNamed: String(surname.dropLast()))
        }
        if !found.isEmpty { return Self.narrowed(found, by: words) }
      }
    }
    return []
  }

  /// In words.
  private static let longestSurname = 3
  static let titles: Set<String> = ["mr", "mrs", "ms", "miss", "dr"]

  /// Those that species, breed or owner named beside them leave; all of them where these leave none.
  private static func narrowed(_ patients: [Stored<Patient>], by words: [String]) -> [Stored<Patient>] {
    guard patients.count > 1 else { return patients }
    let lower = Set(words.map { $0.lowercased() })
    let species = Set(lower.compactMap { Species(mention: $0) })
    func keep(_ list: [Stored<Patient>], _ fits: (Patient) -> Bool) -> [Stored<Patient>] {
      let fitting = list.filter { fits($0.value) }
      return fitting.isEmpty ? list : fitting
    }
    let folded = Set(words.flatMap(\.nameWords))
    let byOwner = keep(patients) { patient in patient.ownerName?.nameWords.last.map(folded.contains) ?? false }
    let byBreed = keep(byOwner) { patient in
      patient.breed.map { WordForm.runs(of: $0).contains(where: lower.contains) } ?? false
    }
    return keep(byBreed) { species.contains($0.species) }
  }
}
