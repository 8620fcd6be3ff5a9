import Clinical
import Testing
import TextAnalysis
import VetNetTestSupport

@Suite struct WordFormTests {
  @Test(arguments: [
    ("werent", "were"), ("wasnt", "was"), ("didnt", "did"), ("hasnt", "has"), ("cant", "can"), ("cannot", "can"),
    ("wont", "will"), ("shant", "shall"), ("dont", "do"), ("aint", "is"), ("wasent", "was"), ("dosent", "does"),
    ("havnt", "have"), ("dident", "did"), ("wernt", "were"), ("couldent", "could"),
  ])
  func `a helping verb with not is two words, however it is spelt`(letters: String, verb: String) {
    #expect(WordForm.words(letters) == [verb, "not"])
  }

  @Test(arguments: [("nver", "never"), ("neevr", "never"), ("declind", "declined"), ("unremarkbale", "unremarkable")])
  func `a word that denies is known through a slip`(letters: String, word: String) {
    #expect(WordForm.words(letters) == [word])
  }

  @Test(arguments: [
    "want", "went", "count", "donut", "agent", "event", "parent", "fever", "newer", "refuse", "denies", "infant", "nt",
    "patient", "absent", "present", "constant", "different", "recent", "discount", "warrant", "his", "shed", "were",
  ])
  func `another word stays what it is`(letters: String) { #expect(WordForm.words(letters) == [letters]) }

  @Test func `no everyday word reads as another`() throws {
    let everyday = try modelTable("triage/known-words.tsv").rows.map { $0["word"] }
    #expect(everyday.count > 100)
    let contractions = Set(WordForm.helpers.flatMap { [$0 + "nt", "cant", "wont", "cannot", "aint", "shant"] })
    for word in everyday where !contractions.contains(word) { #expect(WordForm.read(word) == nil, "\(word)") }
  }

  @Test(arguments: [
    "weren't", "weren’t", "weren‘t", "werenʼt", "weren`t", "weren´t", "weren′t", "werent", "Weren't", "weren t",
  ])
  func `every apostrophe is one, and none is one too`(written: String) {
    #expect(WordForm.words(of: "Bile acids \(written) measured.") == ["bile", "acids", "were", "not", "measured"])
  }

  @Test func `possessives and what is left of a verb are dropped`() {
    #expect(
      WordForm.words(of: "What's Rex's T4 (3.5)? He'd q12h, i/v.") == ["what", "rex", "t4", "3.5", "he", "q12h", "i/v"])
    #expect(WordForm.withoutPossessive("O’Brien’s") == "O’Brien")
    #expect(WordForm.endsInPossessive(Array("Nan’s".utf8)) && !WordForm.endsInPossessive(Array("cats".utf8)))
  }

  @Test func `reading a form again changes nothing`() {
    for (_, form) in WordForm.all {
      switch form {
      case .denied(let verb, let tail): #expect(WordForm.read(verb) == nil && (2...3).contains(tail))
      case .slip(let word): #expect(WordForm.read(word) == nil)
      }
    }
  }
}
