import Clinical
import RecordTestSupport
import Testing
import VetNetTestSupport

@testable import Briefing

@Suite struct BriefRendererTests {
  private static let hostile = "<script>alert('x')</script> & [x](http://y) # h | *b* `c` \"q\"\n# Next\r\n- item"

  private func brief(_ lines: [String], patient: Patient = Patient(id: "P1", name: "Fern", species: .dog)) throws
    -> Brief
  {
    let note = note("N<1>", "2026-10-29", Self.hostile)
    let citation = try #require(Citation(note, range: 0..<note.text.utf8.count))
    return Brief(
      patient: patient, appointment: nil, preparedAt: noon("2026-11-20"),
      sections: [
        Brief.Section("Alerts", .chart, lines.map { Brief.Line($0, citations: [0]) }),
        Brief.Section("To check", .suggestion, lines.map { Brief.Line($0) }),
      ], citations: [citation], assessment: nil)
  }

  @Test func `note text is never markup in HTML`() throws {
    let patient = Patient(id: "P1", name: "<b>Fern</b>", species: .dog, ownerName: "O'Hara & \"Sons\"")
    let html = BriefHTML(zone: .utc).document([try brief([Self.hostile], patient: patient)])
    #expect(!html.contains("<script") && !html.contains("<b>"))
    #expect(html.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; [x]"))
    #expect(html.contains("O&#39;Hara &amp; &quot;Sons&quot;"))
    #expect(html.contains("[N&lt;1&gt;]"))
    // The only quotation marks are those of attributes that were written here.
    for title in html.split(separator: "title=\"").dropFirst() {
      #expect(title.prefix { $0 != "\"" }.contains("&quot;q&quot;"))
    }
    #expect(html.hasPrefix("<!doctype html>"))
    #expect(!html.contains("http-equiv=\"refresh") && !html.contains(" src=") && !html.contains(" href="))
  }

  @Test func `note text is never markup in Markdown`() throws {
    let markdown = BriefMarkdown(zone: .utc).document([try brief([Self.hostile, "# h", "- x", "+ y", "1. z"])])
    for sign in ["<", "[", "`", "|"] {
      for before in markdown.split(separator: sign, omittingEmptySubsequences: false).dropLast() {
        #expect(before.hasSuffix("\\"), "\(sign) after \(before.suffix(10))")
      }
    }
    #expect(markdown.contains("\\<script\\>") && markdown.contains("\\[x\\](http://y) \\# h \\| \\*b\\* \\`c\\`"))
    for line in markdown.split(separator: "\n") {
      #expect(
        line.hasPrefix("## Fern") || line.hasPrefix("**") || line.hasPrefix("- ") || line.hasPrefix("dog"), "\(line)")
      #expect(!line.hasPrefix("- # ") && !line.hasPrefix("- - ") && !line.hasPrefix("- + "))
    }
  }

  @Test(arguments: [40, 57, 80, 100]) func `text fits its width, with the title before the first line alone`(width: Int)
    throws
  {
    let words = "Pimobendan to THREE times daily, 2.5 mg; furosemide no change, potassium and creatinine in 10-14 days"
    let lines = BriefText(zone: .utc, width: width).lines(try brief([words, words]))
    for line in lines { #expect(line.count <= max(width, 78) && (line.count <= width || line.hasPrefix("─"))) }
    #expect(lines.filter { $0.hasPrefix("Alerts ") }.count == 1)
    #expect(lines.joined(separator: " ").split(whereSeparator: \.isWhitespace).filter { $0 == "THREE" }.count == 4)
    #expect(lines.contains { $0.contains("to be confirmed") })
  }

  @Test func `a word wider than the line stands alone and control characters are left out`() throws {
    let long = String(repeating: "x", count: 90)
    let lines = BriefText(zone: .utc, width: 60).lines(try brief(["a \(long) b \u{1B}[31mred\u{7}\u{8}"]))
    #expect(lines.contains { $0.contains(long) })
    #expect(lines.allSatisfy { line in line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } })
  }

  @Test(arguments: 0..<40) func `no text of a note breaks a format`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let brief = try brief([
      RandomText.notes(pieces: 20, using: &generator), RandomText.codePoints(40, using: &generator),
    ])
    // Browsers and Markdown readers go by code points, not by what a reader sees as one sign.
    let html = Array(BriefHTML(zone: .utc).document([brief]).utf8)
    #expect(html.count(of: "<li>") == 4 && html.count(of: "</li>") == 4 && html.count(of: "<script") == 0)
    let markdown = Array(BriefMarkdown(zone: .utc).document([brief]).utf8)
    #expect(markdown.count(of: "\n- ") == 4 && markdown.count(of: "\r") == 0)
  }

  @Test(arguments: [
    ("2026-11-01", "2 weeks"), ("2026-07-18", "4 months"), ("2024-12-20", "23 months"), ("2016-02-20", "10 years"),
    ("2027-01-01", "age unknown"),
  ])
  func `age is told in the unit that fits`(birth: String, age: String) throws {
    let patient = Patient(id: "P1", name: "Fern", species: .dog, dateOfBirth: day(birth))
    #expect(BriefHeading.signalment(try brief([], patient: patient), zone: .utc) == "dog, sex unknown, \(age)")
  }
}

extension [UInt8] {
  /// How often `part` occurs.
  fileprivate func count(of part: String) -> Int {
    let part = Array(part.utf8)
    return indices.count { self[$0...].starts(with: part) }
  }
}
