import Answering
import Assessment
import Clinical
import Foundation
import PracticeTestSupport
import Testing
import VetNetTestSupport

@testable import VetNet

/// Languages that VetNet can't read are named, and English never is one of them.
struct LanguageGuessTests {
  private let guess: LanguageGuess

  init() throws { guess = try shippedModels().languageGuess() }

  @Test(arguments: [
    ("Mein Hund frisst seit gestern nicht und hat Durchfall mit Blut", "German"),
    ("Wann war die letzte Impfung von Bella?", "German"), ("Hund frisst nicht", "German"),
    ("Mon chat ne mange plus depuis trois jours et il vomit", "French"),
    ("quand était le dernier vaccin de Minou ?", "French"),
    ("Mi perro no come desde ayer y está vomitando sangre", "Spanish"),
    ("¿cuándo fue la última vacuna del gato?", "Spanish"),
    ("O meu cão não come desde ontem e está muito quieto", "Portuguese"),
    ("Il mio gatto non mangia da due giorni e respira male", "Italian"),
    ("Mijn hond eet niet sinds gisteren en hij braakt veel", "Dutch"),
    ("Mój pies nie je od wczoraj i bardzo kaszle", "Polish"),
    ("Min hund äter inte och kräks mycket sedan igår", "Swedish"),
    ("Hunden min spiser ikke og kaster opp siden i går", "Danish or Norwegian"),
    ("Câinele meu nu mănâncă de ieri și tușește", "Romanian"),
    ("Köpeğim dünden beri yemiyor ve çok kusuyor", "Turkish"),
    ("Моя собака не ест со вчерашнего дня", "a language in Cyrillic letters"), ("犬が昨日から食べません", "Japanese"),
    ("كلبي لا يأكل منذ أمس", "a language in Arabic letters"), ("Ο σκύλος μου δεν τρώει από χθες", "Greek"),
  ])
  func `is named`(text: String, language: String) { #expect(guess.foreignLanguage(of: text) == language) }

  @Test(arguments: [
    "", "?", "BAR, NAD, wt 12.4", "V+D+ 3/7, no blood, E+ D+, TPR wnl", "r/o GDV", "meloxicam?", "Luna not eating",
    "NSF. Vacc. DHP+L4. RTC 1y", "Wie geht's is what the owner said when he came in with the dog",
    "de-wormed, de-fleaed, la tetracycline im", "per os sid 5/7 amoxiclav", "in extremis, pts",
    "Otitis externa AU, Malassezia ++", "la", "dog ate pain au chocolat and is now sick",
  ])
  func `is not called foreign`(text: String) { #expect(guess.foreignLanguage(of: text) == nil) }

  @Test func `no text of the corpus and the evaluations is called foreign`() throws {
    var count = 0
    for folder in ["Corpus", "Evaluations"] {
      let files = FileManager.default.enumerator(
        at: URL(filePath: projectDirectory + "/" + folder), includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "jsonl", !file.path.contains("/runs/") else { continue }
        for line in Portion.of(try String(contentsOf: file, encoding: .utf8).split(separator: "\n"), every: 4) {
          guard let row = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else { continue }
          for key in ["text", "question", "reason"] {
            guard let text = row[key] as? String else { continue }
            count += 1
            if let language = guess.foreignLanguage(of: text) {
              Issue.record("\(language): \(file.lastPathComponent): \(text.prefix(120))")
            }
          }
        }
      }
    }
    #expect(count > 10_000)
  }

  @Test func `a foreign question is answered as not understood, a foreign message never below yellow`() throws {
    let clinic = try SmallClinic()
    let practice = clinic.practice
    let answer = try practice.perform(
      Ask(question: "Wann war die letzte Impfung?", patient: "P1", askedAt: clinic.now), by: .local, at: clinic.now)
    #expect(answer.answerClass == .notRecorded && answer.isNotUnderstood && answer.text.contains("German"))
    #expect(throws: PracticeError.self) {
      try practice.perform(
        Ask(question: "Wann war die letzte Impfung?", patient: "Nobody", askedAt: clinic.now), by: .local,
        at: clinic.now)
    }
    func triaged(_ text: String) throws -> (urgency: Urgency, doubts: [String], action: String) {
      let intake = Intake(id: "", receivedAt: clinic.now, text: text)
      let assessment = try practice.perform(AssessIntake(intake: intake), by: .local, at: clinic.now)
      return (assessment.triage.urgency, assessment.triage.implausible, assessment.triage.action)
    }
    let calm = try triaged("Bonjour, vaccination booster annuelle pour mon chien, il est en forme, pas de problème")
    #expect(calm.urgency == .yellow && calm.doubts[0].contains("French") && calm.action.contains("ring"))
    // What is the same word in both languages keeps its level.
    let toxic = try triaged("Mein Hund hat gestern Metaldehyd gefressen und hat seizures, er ist collapsed")
    #expect(toxic.urgency >= .orange && toxic.doubts[0].contains("German"))
    let english = try triaged("My dog is due his booster, he is bright and eating")
    #expect(english.doubts.isEmpty)
  }
}
