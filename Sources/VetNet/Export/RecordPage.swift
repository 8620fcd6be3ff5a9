import Briefing
import Chart
import Clinical
import Extraction
import Interchange
import Store

/// A patient's record as part of a page of HTML: nothing is fetched, no script runs, and it prints as it reads.
struct RecordPage {
  let record: PatientRecord
  let chart: PatientChart
  let owner: Client?
  let practiceName: String?
  /// The lines of the brief's alerts; empty for a patient that has died.
  let alerts: [String]
  let notes: [ExportedRecord]
  let visits: [Appointment]
  let zone: PracticeTimeZone
  let now: Timestamp

  private var patient: Patient { record.patient }

  /// What stands before the first record.
  static func head(title: String) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>\(escaped(title))</title>
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <style>\(style)</style></head><body>
    """
  }

  static let end = "</body></html>"

  /// The record as one part of the page.
  var part: String {
    let sections = [banner, alertList, problems, drugs, prevention, weights, visitList, timeline].compactMap(\.self)
    return "<main>\n\(sections.joined(separator: "\n"))\n<footer>\(Self.escaped(foot))</footer></main>"
  }

  private static let style = """
    :root{--ink:#111;--soft:#555;--line:#ccc;--paper:#fff;--mark:#9b1c1c;--curve:#246}
    @media (prefers-color-scheme:dark){:root{--ink:#eee;--soft:#aaa;--line:#444;--paper:#161616;--mark:#ff9a8a;--curve:#8bc}}
    body{font:14px/1.4 system-ui,sans-serif;max-width:54rem;margin:1rem auto;padding:0 1rem;color:var(--ink);background:var(--paper)}
    h1{font-size:1.3rem;margin:0}h2{font-size:1.05rem;border-bottom:1px solid var(--line);margin:1.2rem 0 .4rem}h3{font-size:.95rem;margin:.8rem 0 .1rem}
    dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .8rem;margin:.4rem 0}dt,.soft,footer{color:var(--soft)}dd{margin:0}
    table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.15rem .6rem .15rem 0;border-bottom:1px solid var(--line)}
    .note{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0}.old{border-left:3px solid var(--line);padding-left:.6rem;color:var(--soft)}
    .retracted .note{text-decoration:line-through}.alert{color:var(--mark);font-weight:600}
    svg{display:block;max-width:100%}.curve{fill:none;stroke:var(--curve);stroke-width:2}.dot{fill:var(--curve)}text{fill:var(--soft);font-size:11px}
    main+main{break-before:page;border-top:3px solid var(--line);margin-top:2rem;padding-top:1rem}
    footer{border-top:1px solid var(--line);margin-top:1.5rem;font-size:.85em}
    @page{size:A4;margin:14mm}
    @media print{:root{--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--mark:#000;--curve:#000}body{margin:0;max-width:none;font-size:10.5px;padding:0}
    article,tr{break-inside:avoid}h2,h3{break-after:avoid}}
    """

  private var foot: String {
    [
      practiceName, "as of \(zone.describe(now))",
      "Problems, drugs and prevention were read from the notes by VetNet: decision support, not a diagnosis; the notes are what was written.",
    ].compactMap(\.self).joined(separator: " · ")
  }

  // MARK: Who

  private var banner: String {
    var facts: [(String, String?)] = [
      ("Id", patient.id),
      ("Species", [patient.species.rawValue, patient.breed].compactMap(\.self).joined(separator: ", ")),
      ("Sex", patient.sex.rawValue), ("Born", patient.dateOfBirth?.description),
      ("Died", patient.deceasedAt?.description), ("Weight", patient.weightKilograms.map { "\(Self.number($0)) kg" }),
      ("Microchip", patient.microchip), ("Owner", owner?.name ?? patient.ownerName),
    ]
    for phone in owner?.phones ?? [] { facts.append((phone.label ?? "Telephone", phone.number)) }
    facts += [("E-mail", owner?.email), ("Address", owner?.address)]
    let rows = facts.compactMap { label, value in
      value.map { "<dt>\(Self.escaped(label))</dt><dd>\(Self.escaped($0))</dd>" }
    }
    return "<header><h1>\(Self.escaped(patient.name))</h1><dl>\(rows.joined())</dl></header>"
  }

  private var alertList: String? {
    guard !alerts.isEmpty else { return nil }
    let lines = alerts.map { "<li class=\"alert\">\(Self.escaped($0))</li>" }
    return "<section><h2>Alerts</h2><ul>\(lines.joined())</ul></section>"
  }

  // MARK: Chart

  private func table(_ title: String, _ heads: [String], _ rows: [[String]]) -> String? {
    guard !rows.isEmpty else { return nil }
    let head = heads.map { "<th>\($0)</th>" }.joined()
    let body = rows.map { row in "<tr>\(row.map { "<td>\(Self.escaped($0))</td>" }.joined())</tr>" }.joined(
      separator: "\n")
    return "<section><h2>\(title)</h2><table><thead><tr>\(head)</tr></thead><tbody>\n\(body)</tbody></table></section>"
  }

  private func day(_ moment: Timestamp) -> String { zone.date(of: moment).description }

  private var problems: String? {
    table(
      "Problems", ["problem", "state", "first", "last", "words"],
      chart.problems.all.map { course in
        [course.name, course.state.rawValue, day(course.firstAt), day(course.lastAt), words(course.latest)]
      })
  }

  private var drugs: String? {
    table(
      "Drugs", ["drug", "from", "until", "as written"],
      chart.drugs.all.map { course in
        let end =
          if let end = course.end { day(end.note.recordedAt) } else {
            course.isOngoing(at: now) ? "no end on record" : "end of its length"
          }
        return [
          course.drug, course.begun.map { day($0.note.recordedAt) } ?? "", end, words(course.dosed ?? course.latest),
        ]
      })
  }

  private var prevention: String? {
    table(
      "Prevention", ["against", "last", "words"],
      chart.prevention.all.compactMap { course in
        guard let item = course.latest ?? course.dues.last else { return nil }
        return [course.label, day(item.note.recordedAt), words(item)]
      })
  }

  /// The line that a fact stands in.
  private func words(_ item: RecordedFact) -> String {
    let bytes = Array(item.note.text.utf8)
    let range = item.fact.range
    guard range.upperBound <= bytes.count else { return "" }
    let start = bytes[..<range.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = bytes[range.upperBound...].firstIndex(of: 0x0A) ?? bytes.count
    let line = String(decoding: bytes[start..<end], as: UTF8.self)
    return line.count <= 160 ? line : item.note.text.slice(utf8: range).map(String.init) ?? ""
  }

  private var weights: String? {
    let points = record.recordedFacts([.weight]).compactMap { item -> (Int64, Double)? in
      let fact = item.fact
      guard fact.assertion.isActive, !fact.isImplausible, let kilograms = fact.value, fact.unit == "kg" else {
        return nil
      }
      let written = fact.writtenDate.flatMap(CalendarDate.init(iso:))
      return (written.map { Int64($0.daysSince1970) } ?? item.note.recordedAt.seconds / 86_400, kilograms)
    }.sorted { $0 < $1 }
    guard points.count > 1, let first = points.first, let last = points.last, first.0 < last.0 else { return nil }
    let low = points.map(\.1).min() ?? 0
    let high = max(points.map(\.1).max() ?? 1, low + 0.1)
    let places = points.map { point in
      (
        x: 40 + 600 * Double(point.0 - first.0) / Double(last.0 - first.0), y: 110 - 90 * (point.1 - low) / (high - low)
      )
    }
    let curve = places.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
    let dots = places.map { "<circle class=\"dot\" cx=\"\(Self.number($0.x))\" cy=\"\(Self.number($0.y))\" r=\"3\"/>" }
    func date(_ day: Int64) -> String { CalendarDate(daysSince1970: Int(day)).description }
    return """
      <section><h2>Weight</h2><svg width="660" height="140" viewBox="0 0 660 140" role="img" aria-label="Weight in kg">
      <text x="0" y="24">\(Self.number(high))</text><text x="0" y="114">\(Self.number(low))</text>
      <text x="40" y="134">\(date(first.0))</text><text x="580" y="134">\(date(last.0))</text>
      <polyline class="curve" points="\(curve)"/>\(dots.joined())</svg></section>
      """
  }

  private var visitList: String? {
    table(
      "Visits", ["when", "status", "type", "reason"],
      visits.reversed().map { visit in
        [zone.describe(visit.start), visit.status.rawValue, visit.visitType?.rawValue ?? "", visit.reason ?? ""]
      })
  }

  // MARK: Notes

  /// The newest first, each with what it was before, and where it came from.
  private var timeline: String? {
    let entries = notes.compactMap { exported -> (Timestamp, String)? in
      guard case .note(let note, _) = exported.record else { return nil }
      return (note.recordedAt, article(note, exported))
    }
    guard !entries.isEmpty else { return nil }
    let sorted = entries.enumerated().sorted { ($1.element.0, $1.offset) < ($0.element.0, $0.offset) }
    return "<section><h2>Notes</h2>\(sorted.map(\.element.1).joined(separator: "\n"))</section>"
  }

  private func article(_ note: ClinicalNote, _ exported: ExportedRecord) -> String {
    let additions = exported.additions
    let head = [zone.describe(note.recordedAt), note.kind.rawValue, note.author].compactMap(\.self).joined(
      separator: " · ")
    let origin = "\(exported.shownID), from \(exported.source ?? ImportOptions.defaultSource)"
    var parts = ["<h3>\(Self.escaped(head)) <span class=\"soft\">\(Self.escaped(origin))</span></h3>"]
    if let retraction = additions?.retraction {
      parts.append(
        "<p class=\"alert\">Retracted \(Self.escaped("\(zone.describe(retraction.at)) by \(retraction.actor): \(retraction.reason)"))</p>"
      )
    }
    parts.append("<div class=\"note\">\(Self.escaped(note.text))</div>")
    for version in (additions?.versions ?? []).reversed() {
      let words =
        "Until \(zone.describe(version.replacedAt)) (\(version.cause) by \(version.actor)"
        + (version.reason.map { ": \($0)" } ?? "") + ")"
      parts.append(
        "<div class=\"old\"><p>\(Self.escaped(words))</p><div class=\"note\">\(Self.escaped(version.text))</div></div>")
    }
    let isRetracted = additions?.retraction != nil
    return "<article\(isRetracted ? " class=\"retracted\"" : "")>\(parts.joined(separator: "\n"))</article>"
  }

  // MARK: Text

  private static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return Int(exactly: tenths).map { "\($0)" } ?? "\(tenths)"
  }

  /// What is written about a patient is data, never markup; control characters that HTML forbids are left out.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value): continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Practice.Exchange {
  /// Writes one page with the record of each patient.
  ///
  /// - Returns: how many there are.
  func writePage(_ source: ExportSource, to file: OutputFile, now: Timestamp) throws -> Int {
    var count = 0
    let title = source.patient.map { "\($0.value.name) (\($0.value.id))" }
    let name = try connection.settings.value(Setting.name)
    try file.write(line: Array(RecordPage.head(title: title ?? name ?? "Records").utf8))
    try source.forEach(.patients) { exported in
      guard let patient = try connection.patients.patient(row: exported.rowID) else { return }
      let own = ExportSource(connection: connection, patient: patient, check: source.check)
      try file.write(line: Array(try recordPage(of: patient, own, practiceName: name, now: now).part.utf8))
      count += 1
    }
    try file.write(line: Array(RecordPage.end.utf8))
    try file.flush()
    return count
  }

  private func recordPage(
    of patient: Stored<Patient>, _ source: ExportSource, practiceName: String?, now: Timestamp
  ) throws -> RecordPage {
    let record = try practice.records.record(of: patient, at: now)
    var notes: [ExportedRecord] = []
    try source.forEach(.notes) { notes.append($0) }
    var owner: Client?
    try source.forEach(.clients) { if case .client(let client) = $0.record { owner = client } }
    let brief =
      patient.value.deceasedAt == nil ? try practice.briefs.brief(forPatient: patient.value.id, now: now) : nil
    return RecordPage(
      record: record, chart: PatientChart(record, protections: try models.preventionGroups()), owner: owner,
      practiceName: practiceName, alerts: brief?.sections.first { $0.title == "Alerts" }?.lines.map(\.text) ?? [],
      notes: notes, visits: try connection.appointments.appointments(patient: patient.rowID).map(\.value),
      zone: timeZone, now: now)
  }
}
