import Answering
import Clinical
import RecordTestSupport
import Testing
import TextAnalysis
import VetNetTestSupport

@testable import Cohorts

/// Whose records a list is made of.
@Suite struct PatientFilterTests {
  struct Filter: Sendable, CustomTestStringConvertible {
    let question: String
    let patient: Patient
    let isAdmitted: Bool
    var testDescription: String { question }
  }

  private static let dog = Patient(
    id: "P1", name: "Fern", species: .dog, sex: .femaleSpayed, dateOfBirth: CalendarDate(year: 2020, month: 1, day: 1))

  @Test(arguments: [
    Filter(question: "which dogs have a murmur", patient: dog, isAdmitted: true),
    Filter(question: "which animals can have a murmur", patient: dog, isAdmitted: true),
    Filter(question: "which puppies have a murmur", patient: dog, isAdmitted: false),
    Filter(question: "male dogs with a murmur", patient: dog, isAdmitted: false),
    Filter(question: "neutered female dogs with a murmur", patient: dog, isAdmitted: true),
    Filter(question: "entire bitches with a murmur", patient: dog, isAdmitted: false),
    Filter(question: "dogs over 5 with a murmur", patient: dog, isAdmitted: true),
    Filter(question: "dogs under 5 years with a murmur", patient: dog, isAdmitted: false),
    Filter(question: "dogs over 50 kg with a murmur", patient: dog, isAdmitted: true),
    Filter(question: "guinea pigs with a murmur", patient: dog, isAdmitted: false),
  ])
  func `species, sex and age say whose records`(row: Filter) throws {
    let words = WordForm.words(of: row.question)
    let lexicon = try RegisterWords(table: modelTable("briefing/register-words.tsv", uniqueKey: "id"))
    let classes = try QuestionClasses(table: modelTable("answering/word-classes.tsv"))
    let filter = PatientFilter(words, lexicon.found(in: words), classes: classes)
    #expect(filter.admits(row.patient, on: day("2026-11-20")) == row.isAdmitted)
  }
}
