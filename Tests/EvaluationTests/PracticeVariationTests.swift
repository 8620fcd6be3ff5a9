import Clinical
import Testing
import TextAnalysis
import VetNet
import VetNetTestSupport

@testable import Evaluation

struct PracticeVariationTests {
  private let records = PracticeRecords(
    clients: [Client(id: "C1", name: "Mrs A")],
    patients: [
      Patient(
        id: "P1", name: "Bella", species: .dog, dateOfBirth: CalendarDate(daysSince1970: 17_000), weightKilograms: 31.2,
        ownerID: "C1", microchip: "826099000014471"),
      Patient(id: "P2", name: "Tom", species: .cat),
    ],
    notes: (0..<6).map { number in
      ClinicalNote(
        id: "N\(number)", patientID: number < 4 ? "P1" : "P2",
        recordedAt: Timestamp(seconds: 1_700_000_000 + Int64(number) * 86_400), author: "S1",
        text: TextVariationTests.text + " Visit number \(number), weight 30.\(number).")
    })

  private func variation(seed: UInt64 = 1) throws -> PracticeVariation {
    PracticeVariation(
      of: records, sentences: try SentenceSplitter(abbreviations: modelTable("lexicon/sentence-abbreviations.tsv")),
      seed: seed)
  }

  @Test func `copy 0 is the practice itself`() throws {
    #expect(try variation().copy(0) == records)
  }

  @Test func `a copy repeats with number and seed, and differs from others`() throws {
    #expect(try variation().copy(5) == variation().copy(5))
    #expect(try variation().copy(5) != variation(seed: 2).copy(5))
    let (fifth, sixth) = (try variation().copy(5), try variation().copy(6))
    #expect(zip(fifth.notes, sixth.notes).allSatisfy { $0.text != $1.text })
  }

  @Test func `ids are new everywhere and still refer to each other`() throws {
    let variation = try variation()
    let copies = (0..<20).map { variation.copy($0) }
    let notes = copies.flatMap(\.notes)
    #expect(Set(notes.map(\.id)).count == notes.count)
    for copy in copies {
      let patients = Set(copy.patients.map(\.id))
      #expect(copy.notes.allSatisfy { patients.contains($0.patientID) })
      #expect(copy.patients.allSatisfy { $0.ownerID == nil || $0.ownerID == copy.clients[0].id })
    }
    #expect(Set(copies.flatMap(\.patients).map(\.id)).count == 40)
    #expect(Set(copies.flatMap(\.patients).compactMap(\.microchip)).count == 20)
  }

  @Test func `dates move back, a patient's together and in order`() throws {
    for number in 1...20 {
      let copy = try variation().copy(number)
      for (old, new) in zip(records.notes, copy.notes) { #expect(new.recordedAt < old.recordedAt) }
      #expect(zip(copy.notes.prefix(4), copy.notes.prefix(4).dropFirst()).allSatisfy { $0.recordedAt < $1.recordedAt })
      let birth = try #require(copy.patients[0].dateOfBirth)
      #expect((1...1500).contains(17_000 - birth.daysSince1970))
    }
  }

  @Test func `the vocabulary grows with the number of copies`() throws {
    let variation = try variation()
    func words(_ numbers: Range<Int>) -> Int {
      Set(numbers.flatMap { variation.copy($0).notes.flatMap { $0.text.split(separator: " ") } }).count
    }
    #expect(words(0..<40) > words(0..<10) && words(0..<10) > words(0..<1))
  }
}
