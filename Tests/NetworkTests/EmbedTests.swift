import Foundation
import Testing
import VetNetTestSupport

/// `vetnet embed`: what the practice file would hold, without one.
struct EmbedTests {
  private func embed(_ input: String, _ options: String...) throws -> VetNetProcess.Outcome {
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("none.vetnet"))
    return try vetnet.start(["embed", "-"] + options, input: input).wait()
  }

  @Test func `a note comes out as passages, vectors and facts, with places in code points`() throws {
    let text = "Émile 😀 vomited ×2. Weight 12.4 kg. Given maropitant 1 mg/kg SC."
    let line = String(decoding: try JSONSerialization.data(withJSONObject: ["id": "N1", "text": text]), as: UTF8.self)
    let outcome = try embed(line + "\n")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let note = try outcome.json()
    let chunks = try #require(note["chunks"] as? [[String: Any]])
    let vector = try #require(chunks.first?["vector"] as? [Double])
    #expect(vector.count == 512 && vector.contains { $0 != 0 })
    let facts = try #require(note["facts"] as? [[String: Any]])
    let weight = try #require(facts.first { $0["name"] as? String == "weight" })
    let scalars = Array(text.unicodeScalars)
    let (start, end) = (try #require(weight["start"] as? Int), try #require(weight["end"] as? Int))
    #expect(String(String.UnicodeScalarView(scalars[start..<end])).contains("12.4"))
  }

  @Test func `both forms of vectors are the same numbers`() throws {
    let line = #"{"id":"N1","text":"Lame on the left hind, drawer positive."}"# + "\n"
    let numbers = try #require(try embed(line).json()["chunks"] as? [[String: Any]])
    let packed = try #require(try embed(line, "--vectors", "base64").json()["chunks"] as? [[String: Any]])
    let text = try #require(packed[0]["vector"] as? String)
    let data = try #require(Data(base64Encoded: text))
    let floats = data.withUnsafeBytes { bytes in
      (0..<512).map {
        Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
      }
    }
    #expect(try #require(numbers[0]["vector"] as? [Double]).map(Float.init) == floats)
    #expect(try #require(embed(line, "--vectors", "none").json()["chunks"] as? [[String: Any]])[0]["vector"] == nil)
  }

  @Test func `what is no note is named by its line and field, and the others come out`() throws {
    let lines = [
      #"{"text":"Bright."}"#, "{", #"{"id":"b"}"#, #"{"text":"x","kind":"poem"}"#, "", #"{"id":"c","text":"Well."}"#,
    ]
    let outcome = try embed(lines.joined(separator: "\n") + "\n")
    #expect(outcome.status == 3)
    #expect(try outcome.jsonLines().compactMap { $0["id"] as? String } == ["1", "c"])
    #expect(
      outcome.errors.contains("-:2: ") && outcome.errors.contains("-:3: text") && outcome.errors.contains("-:4: kind"))
  }
}
