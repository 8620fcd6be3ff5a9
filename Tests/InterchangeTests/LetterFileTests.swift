import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Interchange

/// Letters in every form they come in, made here byte by byte.
@Suite struct LetterFileTests {
  private func read(_ bytes: [UInt8]) throws -> LetterFile {
    try LetterFile.read(bytes) { _ in throw LetterError("no PDF is read here") }
  }

  private func read(_ text: String) throws -> LetterFile { try read(Array(text.utf8)) }

  // MARK: Word

  /// A zip archive with one stored part.
  private func archive(_ name: String, _ content: [UInt8], claims size: Int? = nil) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) } }
    var sum = UInt32.max
    for byte in content {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    let common =
      little(20, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(Int(~sum), 4) + little(content.count, 4)
      + little(size ?? content.count, 4) + little(name.utf8.count, 2) + little(0, 2)
    let local = little(0x0403_4B50, 4) + common + Array(name.utf8) + content
    let central =
      little(0x0201_4B50, 4) + little(20, 2) + common + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4)
      + little(0, 4) + Array(name.utf8)
    return local + central + little(0x0605_4B50, 4) + little(0, 4) + little(1, 2) + little(1, 2)
      + little(central.count, 4) + little(local.count, 4) + little(0, 2)
  }

  private func document(_ body: String, head: String = "") -> [UInt8] {
    archive(
      "word/document.xml",
      Array(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\(head)<w:document xmlns:w=\"urn:w\"><w:body>\(body)</w:body></w:document>"
          .utf8))
  }

  @Test func `a Word document's paragraphs, tabs and tables are its text`() throws {
    let letter = try read(
      document(
        """
        <w:p><w:r><w:t>Re: Bella &amp; J\u{f6}rg</w:t><w:tab/><w:t>x</w:t></w:r></w:p><w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Weight</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>31 kg</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
        """))
    #expect(letter.format == .docx)
    #expect(letter.text == "Re: Bella & J\u{f6}rg\tx\n\nWeight\t31 kg\n")
  }

  @Test func `a document that is damaged, declares entities or lies too deep is refused`() throws {
    let deep = String(repeating: "<w:p>", count: 300) + String(repeating: "</w:p>", count: 300)
    let bomb = "<!DOCTYPE d [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]>"
    let cases: [([UInt8], String)] = [
      (document("<w:p>&b;</w:p>", head: bomb), "entities"), (document(deep), "deep"),
      (document("<w:p><w:r><w:t>cut"), "damaged"), (Array(document("<w:p/>").prefix(60)), "damaged"),
      (archive("../../etc/passwd", Array("root".utf8)), "no Word document"), (document("<w:p/>"), "no text"),
    ]
    for (bytes, reason) in cases {
      let error = #expect(throws: LetterError.self) { try read(bytes) }
      #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "") for \(reason)")
    }
  }

  // MARK: Rich text

  @Test func `rich text is read without its fonts and pictures, with its letters`() throws {
    let letter = try read(
      """
      {\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\*\\generator Some Writer;}{\\info{\\author CANARY}}
      \\f0 Dear J\\'f6rg,\\par caf\\u233?\\~\\emdash\\u-10179?\\u-8704?\\par{\\pict\\bin3 }}}}a \\{b\\}\\tab c\\line d}
      """)
    #expect(letter.format == .rtf)
    #expect(letter.text == "Dear J\u{f6}rg,\ncaf\u{e9} \u{2014}\u{1F600}\na {b}\tc\nd\n")
    for broken in ["{\\rtf1 a", "{\\rtf1 a}}", "{\\rtf1 " + String(repeating: "{", count: 500)] {
      #expect(throws: LetterError.self) { try read(broken) }
    }
  }

  // MARK: Messages

  @Test func `a message gives its text, its head and the names of what is attached`() throws {
    let letter = try read(
      """
      Received: from a by b\r
      From: =?utf-8?Q?J=C3=B6rg_M=C3=BCller?= <jm@example.org>\r
      Date: Tue, 3 Mar 2026 23:30:00 +0100\r
      Subject: =?iso-8859-1?Q?R=F6ntgen?=\r
       =?utf-8?B?IG9mIEJlbGxh?=\r
      MIME-Version: 1.0\r
      Content-Type: multipart/mixed; boundary="x y"\r
      \r
      ignored\r
      --x y\r
      Content-Type: multipart/alternative; boundary=in\r
      \r
      --in\r
      Content-Type: text/plain; charset=iso-8859-15\r
      Content-Transfer-Encoding: quoted-printable\r
      \r
      Sch=F6ne Gr=FC=DFe, 20 =A4 =\r
      gone\r
      --in\r
      Content-Type: text/html\r
      \r
      <p>other</p>\r
      --in--\r
      --x y\r
      Content-Type: application/pdf; name="../../r\u{f6}ntgen.pdf"\r
      Content-Transfer-Encoding: base64\r
      \r
      JVBERi0=\r
      --x y\r
      Content-Disposition: attachment; filename*=utf-8''b%C3%BCcher.docx\r
      \r
      PK\r
      --x y--\r
      """)
    #expect(letter.format == .eml)
    #expect(letter.text == "Sch\u{f6}ne Gr\u{fc}\u{df}e, 20 \u{20ac} gone\n")
    #expect(letter.subject == "R\u{f6}ntgen of Bella")
    #expect(letter.sender == "J\u{f6}rg M\u{fc}ller <jm@example.org>")
    #expect(letter.sentAt == .init(date: "2026-03-03", time: "23:30", offsetMinutes: 60))
    #expect(letter.attachments == ["r\u{f6}ntgen.pdf", "b\u{fc}cher.docx"])
  }

  @Test func `a page in a message is read, and parts without end are refused`() throws {
    let letter = try read(
      """
      From: a@example.org
      Date: Tue, 3 Mar 2026 23:30:00 +0100
      Subject: x
      Content-Type: text/html

      <html><head><style>p{}</style></head><body><p>One &amp; two&nbsp;kg<br>three</p><!-- no --><script>no</script></body>
      """)
    #expect(letter.text.contains("One & two kg\nthree") && !letter.text.contains("no"))
    let nested = (0..<20).map { "Content-Type: multipart/mixed; boundary=b\($0)\n\n--b\($0)\n" }.joined()
    let error = #expect(throws: LetterError.self) {
      try read("From: a@b\nDate: x\nSubject: y\nMIME-Version: 1.0\n" + nested)
    }
    #expect(error?.reason.contains("too many parts") == true)
  }

  @Test func `plain text comes in its own encoding, and what is no letter is named`() throws {
    #expect(try read([0x4A, 0xF6, 0x72, 0x67]).text == "J\u{f6}rg\n")
    #expect(try read(Array("\u{FEFF}Bella\r\n\r\n\r\n\u{7}x".utf8)).text.hasSuffix("Bella\n\nx\n"))
    for (bytes, reason) in [
      ([UInt8](), "empty"), ([0x1F, 0x8B, 8, 0, 0, 0, 0, 0], "gzip"), ([0x20, 0x0A], "no text"),
    ] {
      let error = #expect(throws: LetterError.self) { try read(bytes) }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
  }

  // MARK: What it says of itself

  private static let words = Result { try LetterWords(try modelTable("import/letter-words.tsv", uniqueKey: "id")) }

  struct Head: CustomTestStringConvertible, Sendable {
    let text: String
    let date: String?
    let author: String?
    var testDescription: String { "\(date ?? "no date"), \(author ?? "nobody")" }
  }

  @Test(arguments: [
    Head(
      text: "12 March 2026\nBorn 3 May 2019\nYours sincerely,\nAnna Lowe MRCVS\n", date: "2026-03-12",
      author: "Anna Lowe"),
    Head(text: "seen on 3 May 2026 for coughing\n", date: nil, author: nil),
    Head(text: "Date: 03/04/2026\nKind regards\nDr P Low\n", date: "2026-04-03", author: "Dr P Low"),
    Head(
      text: "Oldenburg, den 3. Juni 2026\nMit freundlichen Gr\u{fc}\u{df}en\nU. Hartmann\n", date: "2026-06-03",
      author: "U. Hartmann"),
    Head(text: "DOB 03/04/2020\nValid until 05/12/2026\n", date: nil, author: nil),
    Head(text: "1 January 2030\nThanks\nTess\nTess Vaughan\n", date: nil, author: "Tess Vaughan"),
  ])
  func `a letter's own words give its day and who signed it, or nothing`(head: Head) throws {
    let letter = LetterFile(format: .text, text: head.text)
    let today = try #require(CalendarDate(year: 2026, month: 11, day: 23))
    let scan = LetterScan(letter, words: try Self.words.get(), order: .dayFirst, today: today)
    #expect(scan.date.map { "\($0.value)" } == head.date)
    #expect(scan.author?.value == head.author)
  }
}
