import Clinical
import Testing
import VetNetTestSupport

@Suite struct PhraseNotationTests {
  private static let verbs = Result { try VerbForms(table: modelTable(PhraseNotation.verbFile)) }

  private func notation() throws -> PhraseNotation { PhraseNotation(verbs: try Self.verbs.get()) }

  @Test(
    "a phrase stands for what it is written for",
    arguments: [
      ("insurance lapsed", "insurance lapsed"),
      ("bill(s) to", "bills to|bill to"),
      ("insurance (has) lapsed", "insurance has lapsed|insurance lapsed"),
      ("opt~ not to", "opt not to|opts not to|opted not to|opting not to"),
      ("(o) give~", "o give|o gives|o gave|o given|o giving|give|gives|gave|given|giving"),
      ("cover (is) (still) on", "cover is still on|cover is on|cover still on|cover on"),
      ("an(a)esthetic", "anaesthetic|anesthetic"),
      // Brackets and swung dashes by themselves are what they are.
      ("( <none> )", "( <none> )"), ("<dash> ~ 5", "<dash> ~ 5"), ("<owner?> said", "<owner?> said"),
    ])
  func stands(written: String, phrases: String) throws {
    #expect(try notation().phrases(of: written)?.joined(separator: "|") == phrases)
  }

  @Test(
    "a phrase that can't be read is refused with table, line, column, itself and what to write",
    arguments: [
      "x(", "x)", "()", "(a", "a (b c) d", "x(s)~", "(a)(b)", "Give~", "g~", "~give", "gi~ve", "(word)", "5~",
      "(a) (b) (c) (d) (e) (f) (g)",
    ])
  func refused(phrase: String) {
    let error = #expect(throws: DataTableError.self) {
      try notation().resolved(
        Array("# inflected: forms\nid\tkind\tforms\na\tx\ty\nb\tx(\tone|\(phrase)\n".utf8), name: "t.tsv")
    }
    #expect(error?.table == "t.tsv" && error?.line == 4 && error?.column == "forms")
    #expect(error?.problem.contains("'\(phrase)'") == true && error?.problem.contains("verb~") == true)
  }

  @Test func `a head that names a column which is not there is refused`() {
    let error = #expect(throws: DataTableError.self) {
      try notation().resolved(Array("# inflected: forms\nid\tform\na\tx\n".utf8), name: "t.tsv")
    }
    #expect(error?.line == 2 && error?.column == "forms")
  }

  @Test func `only the columns that the head names are written out, and every other byte stays`() throws {
    let head = "# title: bill(s)\n# inflected: forms not\n\nid\tforms\tnote\tnot\n"
    let text = head + "a(s)\tbill(s)|x\tpay~ (a)\t\r\n\nb\tx\n"
    let resolved = String(decoding: try notation().resolved(Array(text.utf8), name: "t.tsv"), as: UTF8.self)
    #expect(resolved == text.replacing("bill(s)|x", with: "bills|bill|x"))
  }

  @Test func `a table without the head is left alone`() {
    #expect(!PhraseNotation.isUsed(by: Array("# title: t\nid\tforms\na\tbill(s)\n".utf8)))
    #expect(PhraseNotation.isUsed(by: Array("# inflected: forms\nid\tforms\n".utf8)))
  }

  /// Reads a text against a phrase word by word, as a slow twin: what may be left out is tried both ways.
  private func reads(_ text: ArraySlice<Substring>, _ phrase: ArraySlice<Substring>, _ verbs: VerbForms) -> Bool {
    guard let part = phrase.first else { return text.isEmpty }
    let rest = phrase.dropFirst()
    if part.hasPrefix("("), part.hasSuffix(")"), reads(text, rest, verbs) { return true }
    guard let word = text.first else { return false }
    let isRead =
      if part.hasSuffix("~") {
        verbs.forms(of: String(part.dropLast())).contains(String(word))
      } else {
        word == part.filter { $0 != "(" && $0 != ")" }
          || part.contains("(") && !part.hasPrefix("(") && word == part.prefix { $0 != "(" }
      }
    return isRead && reads(text.dropFirst(), rest, verbs)
  }

  @Test("what a phrase stands for is what a slow reader takes it for", arguments: [3, 17, 2026] as [UInt64])
  func twin(seed: UInt64) throws {
    let (notation, verbs) = (try notation(), try Self.verbs.get())
    var random = SplitMix64(seed: seed)
    let parts = ["bill(s)", "(the)", "stop~", "give~", "cat", "to", "(not)", "cat(s)", "<count>"]
    let words = ["bill", "bills", "the", "stop", "stopped", "gave", "gived", "cat", "cats", "to", "not", "<count>"]
    var accepted = 0
    for _ in 0..<300 {
      let phrase = (0..<Int.random(in: 1...4, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
      guard let phrases = notation.phrases(of: phrase.joined(separator: " ")) else { continue }
      #expect(Set(phrases).count == phrases.count)
      for _ in 0..<40 {
        let text = (0..<Int.random(in: 1...4, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        let isRead = reads(text.map { $0[...] }[...], phrase.map { $0[...] }[...], verbs)
        accepted += isRead ? 1 : 0
        #expect(phrases.contains(text.joined(separator: " ")) == isRead, "\(phrase) \(text)")
      }
      // And each of them is read by the twin.
      for text in phrases {
        #expect(reads(text.split(separator: " ")[...], phrase.map { $0[...] }[...], verbs), "\(phrase) \(text)")
      }
    }
    #expect(accepted > 50)
  }
}
