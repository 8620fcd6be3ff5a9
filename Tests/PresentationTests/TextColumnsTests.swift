import Presentation
import Testing

/// What a terminal shows: columns, not characters, and nothing that it would obey.
struct TextColumnsTests {
  @Test(arguments: [
    ("Bella", 5), ("Ünal", 4), ("e\u{301}", 1), ("松本", 4), ("🐕", 2), ("☎\u{FE0F}", 2), ("한글", 4), ("", 0),
    ("\u{2068}דנה\u{2069}", 3),
  ])
  func `a text takes the columns that its writing does`(_ text: String, _ columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(arguments: [
    ("Bella", 7, "Bella"), ("Bella Ash", 7, "Bella …"), ("松本さくら", 7, "松本さ…"), ("松本さくら", 6, "松本…"),
    ("two\nlines", 20, "two lines"), ("bell\u{7}", 20, "bell"),
  ])
  func `a cut text stays on its line and within its width`(_ text: String, _ width: Int, _ shown: String) {
    #expect(text.shortened(to: width) == shown)
    #expect(text.shortened(to: width).columns <= width)
  }

  @Test func `broken text loses no word and no line is too wide`() {
    let text = "松本 さくら seen for  lameness\nof the left fore はな"
    let words = text.split(whereSeparator: \.isWhitespace)
    for width in 10...24 {
      let lines = text.wrapped(to: width, indent: "  ")
      #expect(lines.allSatisfy { $0.hasPrefix("  ") && $0.columns <= width }, "\(width)")
      #expect(lines.flatMap { $0.split(separator: " ") } == words, "\(width)")
    }
  }

  @Test func `writing from right to left is closed off, other writing stays as it is`() {
    #expect("דנה".isolated == "\u{2068}דנה\u{2069}")
    #expect("Bella".isolated == "Bella" && "松本".isolated == "松本")
  }

  @Test(arguments: [
    ("a\u{1B}[31mred", "a[31mred", "a␛[31mred"), ("abc\u{202E}def", "abcdef", "abc⟨U+202E⟩def"),
    ("one\r\ntwo\ttab", "one  two tab", "one\r\ntwo\ttab"), ("lone\rreturn", "lone return", "lone␍return"),
  ])
  func `what a terminal would obey is dropped on a line, and made visible in a text`(
    _ text: String, _ line: String, _ visible: String
  ) {
    #expect(text.withoutControls == line)
    #expect(text.withVisibleControls == visible)
  }
}
