import Testing

@testable import VetNetCLI

struct ArgumentsTests {
  let command = Command(
    "note add", "writes a note",
    positionals: [Positional("PATIENT", "who"), Positional("FILE", "what", optional: true)],
    options: [Option("--text", "TEXT", "the words"), Option("--force", nil, "anyway")], examples: [],
    run: { _ in .ok })

  @Test func `options take their value from the next word or after an equals sign`() throws {
    for words in [["P1", "--text", "seen"], ["--text=seen", "P1"], ["--text", "lost", "P1", "--text", "seen"]] {
      let arguments = try Arguments(words, for: command)
      #expect(arguments.value("--text") == "seen")
      #expect(arguments.positionals == ["P1"])
      #expect(!arguments.isSet("--force"))
    }
  }

  @Test func `two dashes end the options and one dash is a word`() throws {
    let arguments = try Arguments(["--force", "--", "--text"], for: command)
    #expect(arguments.positionals == ["--text"])
    #expect(try Arguments(["P1", "-"], for: command).positionals == ["P1", "-"])
  }

  struct Mistake: CustomTestStringConvertible {
    let words: [String]
    let part: String
    var suggestion: String? = nil
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Mistake(words: ["P1", "--txt", "a"], part: "unknown option '--txt'", suggestion: "--text"),
    Mistake(words: ["P1", "--frobnicate"], part: "unknown option"),
    Mistake(words: ["P1", "--text"], part: "needs a value"),
    Mistake(words: ["P1", "--force=yes"], part: "takes no value"),
    Mistake(words: [], part: "needs PATIENT"),
    Mistake(words: ["P1", "file", "more"], part: "'more'"),
  ])
  func `a mistake is named, with what was probably meant`(mistake: Mistake) throws {
    let error = try #require(throws: UsageError.self) { try Arguments(mistake.words, for: command) }
    #expect(error.message.contains(mistake.part))
    #expect(error.suggestion == mistake.suggestion)
  }

  @Test func `help is shown even when arguments are missing`() throws {
    #expect(try Arguments(["--help"], for: command).isSet("--help"))
    #expect(try Arguments(["-h"], for: command).isSet("--help"))
  }
}
