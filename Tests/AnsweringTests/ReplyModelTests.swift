import Answering
import Clinical
import RecordTestSupport
import Testing
import VetNetTestSupport

/// What sentences are to a question is learned, not listed: no yes may be told as a no.
struct ReplyModelTests {
  /// In few words that are the question's. Written before any model was fitted.
  private static let replies: [(question: String, yes: String)] = [
    ("was there a fracture?", "Radius in two pieces, ulna holding."),
    ("did he go for the scan?", "Scan on Thursday, came home sleepy."),
    ("is he still lame?", "Lame again in trot, toe touching at best."),
    ("has the abscess healed?", "Abscess closed over, fur growing back."),
    ("is the mass gone?", "Mass has melted away, nothing to feel."),
    ("was the swab sent to the lab?", "Swab off to the lab with the noon courier."),
    ("is her appetite back?", "Appetite back, bowl licked clean."),
    ("any mites on the scrape?", "Scrape: Sarcoptes by the dozen."),
    ("are the stitches out?", "Stitches out today, wound flat."),
    ("is the kidney enlarged?", "Left kidney twice the size of the right."),
  ]

  private static func answer(_ question: String, _ text: String) throws -> Answer.Class {
    try AnswerFixtures.ask(
      question,
      [ClinicalNote(id: "N1", patientID: "P1", recordedAt: noon("2024-03-01"), author: "V", kind: .consult, text: text)]
    ).answerClass
  }

  @Test func `no yes is told as a no`() throws {
    for reply in Self.replies {
      #expect(try Self.answer(reply.question, reply.yes) != .negative, "\(reply.question) \(reply.yes)")
    }
  }

  /// A result says that there was a test, however normal it is.
  @Test(arguments: [
    ("Was the scan done?", "Abdominal scan today: spleen normal, liver enlarged."),
    ("Was the scan done?", "Scan done, spleen normal."),
    ("was an x-ray taken?", "X-rays: stifle effusion, no fracture."),
    ("was the lump sampled?", "FNA of lump: fat only, no action."),
    ("did she have the dental?", "Dental today, all normal."),
    ("was she spayed?", "Ovariohysterectomy, uneventful, no bleeding."),
  ])
  func `a normal result is no word against the test`(question: String, text: String) throws {
    #expect(try Self.answer(question, text) != .negative)
  }

  @Test func `what was learned is read back as it was written`() throws {
    let model = try ReplyModel(table: modelTable("briefing/answer-replies.tsv"))
    let text = model.text(head: [("title", "t")])
    let again = try ReplyModel(table: DataTable(name: "replies", text: text))
    #expect(again.text(head: [("title", "t")]) == text)
  }

  @Test(arguments: [
    ("reply\tbias\tscale\tweights\n", "no row 'no'"),
    ("reply\tbias\tscale\tweights\nno\t0\t1\tAAAA\n", "65536 bytes"),
    ("reply\tbias\tscale\tweights\nother\t0\t1\tAAAA\n", "no row 'no'"),
    ("reply\tbias\tscale\tweights\nyes\t0\t1\tAAAA\n", "none of no and other"),
    ("reply\tbias\tscale\tweights\nno\t0\t1\tA\nno\t0\t1\tA\nother\t0\t1\tA\n", "3 rows instead of 2"),
  ])
  func `a table that is damaged is refused by name`(text: String, problem: String) throws {
    let error = #expect(throws: DataTableError.self) { try ReplyModel(table: DataTable(name: "replies", text: text)) }
    #expect(error?.description.contains("replies") == true && error?.description.contains(problem) == true)
  }
}
