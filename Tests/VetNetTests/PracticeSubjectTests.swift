import Foundation
import Testing
import VetNetTestSupport

/// A practice itself opens files, performs operations and names its subjects; what it does is theirs. The sources say so.
struct PracticeSubjectTests {
  /// What stands in the braces of `Practice` itself, or of a subject, one entry for each pair of braces.
  private struct Part {
    /// Nil for `Practice` itself.
    let subject: String?
    let file: String
    let lines: [Substring]

    /// Declarations, with what stands before their keyword.
    func declared(_ keyword: String) throws -> [(name: String, line: Substring)] {
      let pattern = try Regex(#"^  (?:[a-z()]+ )*\#(keyword) (\w+)"#)
      return lines.compactMap { line in
        line.firstMatch(of: pattern).flatMap { $0[1].substring.map { (String($0), line) } }
      }
    }
  }

  private static let root = projectDirectory + "/Sources/VetNet"

  private static func parts() throws -> [Part] {
    var parts: [Part] = []
    let files = try #require(FileManager.default.enumerator(atPath: root))
    for case let file as String in files where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: root + "/" + file, encoding: .utf8)
      for block in text.split(separator: "\n}\n") {
        guard let head = block.firstMatch(of: /(?:extension|final class) Practice(?:\.(\w+))?(?: \{|:)/) else {
          continue
        }
        let lines = block[head.range.upperBound...].split(separator: "\n")
        parts.append(Part(subject: head.1.map(String.init), file: file, lines: lines))
      }
    }
    return parts
  }

  /// Subjects, as `PracticeSubject.swift` declares them.
  private static func subjects() throws -> [(type: String, property: String)] {
    let text = try String(contentsOfFile: root + "/PracticeSubject.swift", encoding: .utf8)
    let types = text.matches(of: /public struct (\w+): PracticeSubject \{ let practice: Practice \}/).map {
      String($0.1)
    }
    let properties = text.matches(of: /public var (\w+): (\w+) \{ (\w+)\(practice: self\) \}/)
    #expect(properties.map { String($0.2) } == types && properties.map { String($0.3) } == types)
    return properties.map { (String($0.2), String($0.1)) }
  }

  @Test func `a practice stores eight things at most, and has no methods but those of its door`() throws {
    let own = try Self.parts().filter { $0.subject == nil }
    let stored = try own.flatMap { part in
      try (part.declared("let") + part.declared("var")).filter {
        !$0.line.contains("static ") && !$0.line.hasSuffix("{")
      }
      .filter { !$0.line.contains(" { ") }.map(\.name)
    }
    #expect(stored.contains("connection") && stored.contains("changes"), "\(stored)")
    #expect(stored.count <= 8, "\(stored)")
    let files = Set(own.map(\.file))
    #expect(
      files == [
        "Practice.swift", "PracticeSubject.swift", "Door/Practice+Perform.swift", "Door/PracticeJobs.swift",
        "Door/RepeatableReading.swift", "Door/RepeatableRequest.swift",
      ])
    let methods = try Set(own.flatMap { try $0.declared("func").map(\.name) })
    #expect(
      methods == [
        // Opening and creating.
        "create", "checkCreation", "open", "openBackup", "inMemory",
        // The ways to its file, which subjects are given.
        "reporting", "reading", "writing", "continueUnlessStopped",
        // The door.
        "perform", "performAsJob", "requireHub", "recordAside", "recordingAside", "admits", "actor", "onFile",
        "markRecorded", "outcome",
      ])
  }

  @Test func `what a subject lets others call are forty methods at most, in files that bear its name or a type's`()
    throws
  {
    let subjects = try Self.subjects()
    #expect(subjects.count >= 10 && Set(subjects.map(\.type)).count == subjects.count)
    let parts = try Self.parts()
    for (type, property) in subjects {
      #expect(property == type.prefix(1).lowercased() + type.dropFirst())
      let own = parts.filter { $0.subject == type }
      let methods = try own.flatMap { try $0.declared("func") }.filter { !$0.line.contains("private ") }
      #expect((1...40).contains(methods.count), "\(type) has \(methods.count)")
      let stored = try own.flatMap { try $0.declared("let") + $0.declared("var") }.filter {
        !$0.line.contains("static ") && !$0.line.hasSuffix("{") && !$0.line.contains(" { ")
      }
      #expect(stored.isEmpty, "\(type) holds \(stored.map(\.name))")
    }
    for part in parts where part.file.contains("+") && !part.file.hasPrefix("Door/") {
      let named = part.file.split(separator: "/").last?.split(separator: "+").first.map(String.init)
      #expect(part.subject == named, "\(part.file) extends \(part.subject ?? "Practice")")
    }
  }
}
