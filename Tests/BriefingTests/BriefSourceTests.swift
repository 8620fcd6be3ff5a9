import Chart
import Clinical
import Extraction
import Foundation
import RecordTestSupport
import Testing
import VetNetTestSupport

@testable import Briefing

/// Whatever the notes say, nothing in a brief stands without a source.
@Suite struct BriefSourceTests {
  private static let now = noon("2026-11-20")

  /// Sentences of real shape and scraps of any, shuffled.
  private static func record(_ generator: inout SplitMix64) throws -> PatientRecord {
    let sentences = [
      "Wt 8.9 kg.", "Carprofen 50 mg BID.", "Prednisolone 5 mg SID.", "CKD stage 2.", "Vomited twice, off food.",
      "Creatinine 178 umol/l (44-159).", "Allergic to amoxicillin.", "Muzzle on.", "DHP given, due 10/27.",
      "Plan: recheck T4 in 4 weeks.", "O declined bloods.", "Urine culture sent, result pending.", "No cough.",
      "Phenobarbital 60 mg BID.", "?pancreatitis", "DNR signed.", "Cefalexin 250 mg BID started.", "T 39.9.",
    ]
    var record = PatientRecord(
      patient: Patient(
        id: "P1", name: "Fern", species: [.dog, .cat, .rabbit].randomElement(using: &generator) ?? .dog),
      notes: [])
    let reader = try Fixtures.extractors.get().facts
    for index in 0..<Int.random(in: 1...5, using: &generator) {
      var text = ""
      for _ in 0..<6 {
        text +=
          (sentences.randomElement(using: &generator) ?? "") + [" ", "\n"][Int.random(in: 0...1, using: &generator)]
        if Bool.random(using: &generator) { text += RandomText.notes(pieces: 3, using: &generator) + " " }
      }
      let note = note("N\(index)", "2026-0\(index + 4)-0\(index + 1)", text)
      record.notes.append(note)
      record.facts[note.id] = reader.facts(in: text, kind: note.kind)
    }
    return record
  }

  @Test(arguments: 0..<25) func `every line has a source, and every quote stands in it`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let record = try Self.record(&generator)
    var context = BriefContext(
      appointment: Appointment(id: "A1", start: Self.now, durationMinutes: 15, reason: "vomiting, on Metacam"),
      now: Self.now, zone: .utc)
    context.visit.presented = [try presented("vomiting, on Metacam")]
    context.namesakes = [Patient(id: "P9", name: "Fern", species: .cat)]
    let brief = try #require(try Fixtures.builder.get().brief(record, context))
    let notes = Dictionary(record.notes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    #expect(brief.citations.allSatisfy { citation in notes[citation.noteID].map(citation.holds) == true })
    for section in brief.sections {
      for line in section.lines {
        #expect(!line.citations.isEmpty || !line.references.isEmpty, "\(section.title): \(line.text)")
        let sources = line.citations.compactMap { notes[brief.citations[$0].noteID]?.text } + ["vomiting, on Metacam"]
        let plain = sources.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        for quote in Self.quotes(line.text) {
          #expect(plain.contains { $0.contains(quote) }, "\(section.title): “\(quote)”")
        }
      }
    }
    for trend in brief.trends {
      #expect(trend.points.count > 1)
      #expect(trend.points.map(\.date) == trend.points.map(\.date).sorted())
      for point in trend.points { #expect(brief.citations.indices.contains(point.citation)) }
    }
  }

  /// What stands in curly quotation marks that the brief itself set, without the dots for what is left out.
  private static func quotes(_ line: String) -> [String] {
    guard !line.dropFirst().contains("““") else { return [] }
    return line.components(separatedBy: "“").dropFirst().compactMap { part in
      // A note may hold such marks itself; then nobody can tell whose they are.
      let pieces = part.components(separatedBy: "”")
      guard pieces.count == 2 else { return nil }
      return pieces[0].trimmingPrefix("…").replacing(/…$/, with: "")
    }
  }

  @Test(arguments: 0..<25, [60, 100]) func `a screen holds a brief, and keeps what matters most`(
    seed: UInt64, width: Int
  )
    throws
  {
    var generator = SplitMix64(seed: seed)
    let record = try Self.record(&generator)
    let context = BriefContext(appointment: nil, now: Self.now, zone: .utc)
    let brief = try #require(try Fixtures.builder.get().brief(record, context))
    let rows = Int.random(in: 12...45, using: &generator)
    let lines = BriefText(zone: .utc, width: width, rows: rows).lines(brief)
    #expect(lines.count <= rows)
    let whole = BriefText(zone: .utc, width: width).lines(brief)
    if whole.count <= rows - 2 { #expect(lines == whole) }
    if lines.count < whole.count { #expect(lines.contains { $0.hasPrefix("… ") && $0.hasSuffix("--full") }) }
    if rows > 30, let alert = brief.lines("Alerts").first?.prefix(20) {
      #expect(lines.contains { $0.contains(alert.split(separator: " ").first ?? "") })
    }
  }

  @Test func `a page has small charts that stay in their box and needs nothing from elsewhere`() throws {
    let record = try readRecord(
      note("N1", "2025-01-01", "Wt 8.9 kg. Creatinine 120 umol/l."),
      note("N2", "2026-01-01", "Wt 8.1 kg. Creatinine 178 umol/l."))
    let brief = try #require(
      try Fixtures.builder.get().brief(record, BriefContext(appointment: nil, now: Self.now, zone: .utc)))
    #expect(brief.trends.map(\.name) == ["weight", "creatinine"])
    let html = BriefHTML(zone: .utc).document([brief])
    #expect(html.components(separatedBy: "<svg").count == 3)
    #expect(html.contains("weight 8.9 → 8.1 kg, 2025-01-01 to 2026-01-01"))
    for outside in ["<script", " src=", " href=", "@import", "url("] { #expect(!html.contains(outside)) }
    for number in html.matches(of: /c([xy])="([0-9.]+)"/) {
      let value = try #require(Double(number.2))
      #expect(value >= 0 && value <= (number.1 == "x" ? 150 : 36))
    }
  }
}

extension String {
  fileprivate func trimmingPrefix(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}
