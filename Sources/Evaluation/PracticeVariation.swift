import Clinical
public import TextAnalysis
public import VetNet

/// A practice of any size, made of a small one: copy after copy of its clients, patients and notes, each with ids, dates,
/// numbers and words of its own.
///
///     let variation = PracticeVariation(of: records, sentences: splitter, seed: 1)
///     variation.copy(0) == records   // the practice itself, so that questions about it keep their answers
///     variation.copy(7)              // P001 is P001-7 there, seven of a kind
public struct PracticeVariation: Sendable {
  public let records: PracticeRecords
  public let seed: UInt64
  private let texts: TextVariation

  public init(of records: PracticeRecords, sentences: SentenceSplitter, seed: UInt64) {
    self.records = records
    self.seed = seed
    texts = TextVariation(texts: records.notes.map(\.text), sentences: sentences)
  }

  /// A copy of the practice; the same number and seed give the same copy. Number 0 is the practice unchanged.
  ///
  /// Dates move back by 1 to 1,500 days, each patient's by its own number, so nothing is written after the practice's last
  /// note.
  public func copy(_ number: Int) -> PracticeRecords {
    guard number > 0 else { return records }
    // Of seeds next to each other SplitMix64 gives the same numbers one step later; its output as seed doesn't.
    var seeds = SplitMix64(seed: seed ^ UInt64(number) &* 0xD134_2543_DE82_EF95)
    var generator = SplitMix64(seed: seeds.next())
    var copy = PracticeRecords()
    copy.clients = records.clients.map { client in
      var client = client
      client.id = Self.id(client.id, number)
      return client
    }
    var shifts: [String: Int] = [:]
    for original in records.patients {
      let days = -Int.random(in: 1...1500, using: &generator)
      shifts[original.id] = days
      copy.patients.append(patient(original, number, days: days, using: &generator))
    }
    copy.notes = records.notes.map { note in
      var note = note
      let days = shifts[note.patientID] ?? -1
      note.id = Self.id(note.id, number)
      note.patientID = Self.id(note.patientID, number)
      note.recordedAt = note.recordedAt.adding(days: days).adding(minutes: -Int.random(in: 0..<60, using: &generator))
      note.text = texts.vary(note.text, using: &generator)
      return note
    }
    return copy
  }

  private func patient(
    _ original: Patient, _ number: Int, days: Int, using generator: inout some RandomNumberGenerator
  ) -> Patient {
    var patient = original
    patient.id = Self.id(original.id, number)
    patient.ownerID = original.ownerID.map { Self.id($0, number) }
    patient.dateOfBirth = original.dateOfBirth?.adding(days: days)
    patient.deceasedAt = original.deceasedAt?.adding(days: days)
    patient.weightKilograms = original.weightKilograms.map {
      max(0.1, ($0 * Double.random(in: 0.9...1.1, using: &generator) * 10).rounded() / 10)
    }
    // The country code that is kept for tests, and a number of its own.
    patient.microchip = original.microchip.map { _ in
      "999\(Int.random(in: 100_000_000_000...999_999_999_999, using: &generator))"
    }
    return patient
  }

  static func id(_ id: String, _ number: Int) -> String { "\(id)-\(number)" }
}
