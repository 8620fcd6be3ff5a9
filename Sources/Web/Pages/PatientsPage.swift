import Clinical
import Presentation
import VetNet

/// Looks patients up by any word that somebody remembers.
enum PatientsPage {
  private static let most = 50

  static func page(_ call: Call) throws -> HTML {
    let words = String((call.request.parameter("q") ?? "").prefix(200))
    let isEmpty = !words.contains { !$0.isWhitespace }
    let page = try Paging(call.request, limit: most, most: most)
    let found = isEmpty ? [] : try call.perform(FindPatients(words: words, shown: page.places))
    let results = results(found, page, words, call)
    if call.request.parameter("part") == "results" { return results }
    let main: HTML = """
      <h1>Patients</h1>
      <form class="search" role="search" action="/patients" method="get"><label for="q">Name, owner, microchip or id</label>
      <input id="q" name="q" type="search" autocomplete="off" spellcheck="false" value="\(words)" data-testid="patient_search_input" autofocus></form>
      <div id="results" aria-live="polite">\(results)</div>
      """
    return Layout(title: "Patients", tab: .patients, script: "record.js", main: main).page(call)
  }

  private static func results(_ found: [Patient], _ page: Paging, _ words: String, _ call: Call) -> HTML {
    if !words.contains(where: { !$0.isWhitespace }) {
      return "<p class=\"empty\">Type a part of a name. <kbd>/</kbd> brings you here from any page.</p>"
    }
    guard !found.isEmpty else {
      return "<p class=\"empty\">No patient matches. Try fewer letters, or the owner's name.</p>"
    }
    let range = page.range(of: found.count)
    // Names that stand on file twice are told apart by what is beside them, and marked.
    let counts = Dictionary(found.map { ($0.name.lowercased(), 1) }, uniquingKeysWith: +)
    let rows = found[range].html { patient in
      let alike: HTML =
        counts[patient.name.lowercased(), default: 0] > 1 ? "<span class=\"badge\">same name</span>" : ""
      let died: HTML = patient.deceasedAt == nil ? "" : "<span class=\"badge\">died</span>"
      return
        "<li><a class=\"row\" href=\"\(Link.patient(patient.id))\" data-testid=\"patient_result_\(patient.id)\"><b><bdi>\(patient.name)</bdi></b> <span class=\"id\">\(patient.id)</span> \(alike)\(died)<span class=\"what\">\(patient.facts(on: call.today))</span></a></li>"
    }
    let more: HTML =
      range.upperBound < found.count
      ? "<p class=\"hint\">\(found.count) fit; the first \(range.upperBound) are shown. A longer word finds fewer.</p>"
      : ""
    return "<ul class=\"plain results\">\(rows)</ul>\(more)"
  }
}

extension Patient {
  /// What is known beside the name: `dog, Labrador, FS, 12 years, 31.2 kg · Mrs Ash`.
  func facts(on today: CalendarDate) -> String {
    let words = summary(on: today)
    return words.hasPrefix(name) ? String(words.dropFirst(name.count)).trimming { $0 == " " || $0 == "·" } : words
  }
}
