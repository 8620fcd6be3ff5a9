import Answering
import Clinical
import Presentation
import VetNet

/// A question in plain words, answered with the record's own.
enum AskPage {
  static func page(_ call: Call) throws -> HTML {
    var chosen: (id: String, words: String)?
    if let id = call.request.parameter("patient") {
      let patient = try call.perform(IdentifyPatient(reference: id))
      chosen = (patient.id, "\(patient.name) (\(patient.id))")
    }
    let picker = PatientPicker(
      id: "ask-patient", testID: "ask_patient_input", label: "About (or name the patient in the question)",
      chosen: chosen)
    let main: HTML = """
      <h1>Ask</h1><form id="ask" data-draft="ask" novalidate>
      <div class="field"><label for="ask-input">Your question</label><input id="ask-input" name="question" autocomplete="off" data-testid="ask_input" placeholder="why was meloxicam stopped?" autofocus></div>
      \(picker.html)<p class="problem" role="alert" hidden></p>
      <div class="actions"><button type="submit" class="primary" data-testid="ask_submit_button">Ask</button></div></form>
      <div id="answer" aria-live="polite"><p class="empty">Every sentence of an answer leads to the note that it comes from.</p></div>
      """
    return Layout(title: "Ask", tab: .ask, script: "record.js", main: main, dialogs: Dialogs.panel).page(call)
  }

  /// The answer, and behind it, when they are found, cases that resemble what it rests on.
  static func pieces(_ call: Call) throws -> Pieces {
    let fields = try Fields(call, known: ["question", "patient_id"])
    let answer = try RecordRoutes.answer(fields, call)
    return .markup("\(AnswerPiece(answer: answer, call: call).html)\(end)") { call, send in
      try send("\(SimilarPiece(cases: SimilarCases.resembling(answer, call), call: call).html)\(end)")
    }
  }

  /// Parts a piece from the next one.
  private static let end: HTML = "<!--end-->"
}

/// An answer with its citations.
struct AnswerPiece {
  let answer: Answer
  let call: Call

  var html: HTML {
    let candidates = answer.candidates.html {
      "<li><button type=\"button\" class=\"row\" data-choose=\"\($0.id)\" data-name=\"\($0.name) (\($0.id))\"><b><bdi>\($0.name)</bdi></b> <span class=\"id\">\($0.id)</span> <span class=\"what\">\($0.facts(on: call.today))</span></button></li>"
    }
    let sentences = answer.sentences.html { sentence in
      let marks = sentence.citations.html {
        "<a class=\"source\" data-note href=\"\(link(answer.citations[$0]))\" aria-label=\"citation \($0 + 1)\">\($0 + 1)</a>"
      }
      return "<p>\(sentence.text) \(marks)</p>"
    }
    let citations = answer.citations.enumerated().html { index, citation in
      let copied: HTML =
        citation.copiedFrom.map { " · copied from the note of \(Badges.shortDate(call.zone.date(of: $0)))" } ?? ""
      return
        "<li><a data-note data-testid=\"citation_\(index)\" href=\"\(link(citation))\">\(citation.noteID)</a> · \(Badges.shortDate(call.zone.date(of: citation.recordedAt)))\(citation.author.map { ", \($0)" })\(copied)<br><q>\(citation.quote)</q></li>"
    }
    let plain: HTML =
      answer.sentences.isEmpty && !answer.text.isEmpty && answer.answerClass != .ambiguousPatient
      ? "<p>\(answer.text)</p>" : ""
    let headline: HTML = answer.sentences.isEmpty ? "" : answer.headline.map { "<p><b>\($0)</b></p>" } ?? ""
    return """
      <section class="answer answer-\(answer.answerClass.rawValue)">\(copy)<h2>\(heading)</h2>
      <div data-testid="answer_text" class="answer-text">\(plain)\(headline)\(sentences)</div>
      \(candidates.markup.isEmpty ? "" : "<ul class=\"plain results\">\(candidates)</ul>" as HTML)
      \(citations.markup.isEmpty ? "" : "<h3>From the record</h3><ol class=\"citations\">\(citations)</ol>" as HTML)</section>
      """
  }

  /// The answer as text, with what it rests on.
  private var copy: HTML {
    guard !answer.sentences.isEmpty || !answer.text.isEmpty, answer.answerClass != .ambiguousPatient else { return "" }
    let lines =
      answer.sentences.isEmpty
      ? [answer.text]
      : [answer.headline].compactMap { $0 }
        + answer.sentences.map { $0.text + $0.citations.map { " [\($0 + 1)]" }.joined() }
    let sources = answer.citations.enumerated().map { "[\($0.offset + 1)] \(CopyPiece.source($0.element, call))" }
    return CopyPiece(text: (lines + (sources.isEmpty ? [] : [""]) + sources).joined(separator: "\n")).html
  }

  private var heading: HTML {
    switch answer.answerClass {
    case .found: "The record says"
    case .negative: "The record says no"
    case .notRecorded: "The record doesn't say"
    case .conflicting: "Notes disagree"
    case .ambiguousPatient: "Who is meant?"
    }
  }

  private func link(_ citation: Citation) -> String { Link.note(citation.noteID, words: citation.codePoints) }
}
