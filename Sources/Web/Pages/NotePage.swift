import Clinical
import VetNet

/// A note as it was written, with the words that are meant marked.
enum NotePage {
  static func page(_ call: Call) throws -> HTML {
    let shown = try call.perform(ShowNote(id: call.value("id")))
    let note = shown.history.note
    let text = note.text
    var body: HTML = "\(text)"
    let ends = ["start", "end"].compactMap { call.request.parameter($0).flatMap { Int($0) } }
    if ends.count == 2, ends[0] >= 0, ends[0] < ends[1], let range = text.utf8Range(codePoints: ends[0]..<ends[1]),
      let before = text.slice(utf8: 0..<range.lowerBound), let words = text.slice(utf8: range),
      let after = text.slice(utf8: range.upperBound..<text.utf8.count)
    {
      body = "\(String(before))<mark id=\"cited\" tabindex=\"-1\">\(String(words))</mark>\(String(after))"
    }
    let retraction: HTML =
      shown.history.retraction.map { "<p class=\"alert\">Retracted \(call.zone.describe($0.at)): \($0.reason)</p>" }
      ?? ""
    let damage: HTML =
      shown.isIntact ? "" : "<p class=\"alert\">This is not what was written. Don't rely on it; run vetnet doctor.</p>"
    let title = "\(note.id) · \(Badges.longDate(call.zone.date(of: note.recordedAt)))"
    let content: HTML = """
      \(retraction)\(damage)<p class="with">\(note.kind.rawValue)\(note.author.map { ", written by \($0)" }) · <a href="\(Link.patient(note.patientID))">\(note.patientID)</a></p>
      <pre class="note">\(body)</pre>
      """
    if call.request.parameter("part") != nil { return Dialogs.head("\(title)", id: "panel") + content }
    return Layout(
      title: title, tab: .patients, main: "<h1>\(title)</h1>\(content)", presence: RecordReference(.note, note.id)
    ).page(call)
  }
}
