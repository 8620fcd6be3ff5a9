import Clinical
import FoundationEssentials
import Store
import TextAnalysis

/// What is derived from a note, as a line of JSON: what the practice file would hold of it, on its way between programs.
///
/// Offsets are code points of the note's text, ends exclusive. Numbers come back as they were: JSON keeps the shortest text of each.
public struct EmbeddedNote: Codable, Sendable {
  /// A passage with its place, terms and vector.
  public struct Passage: Codable, Sendable {
    let ordinal: Int
    let start: Int
    let end: Int
    let section: String?
    let tokenCount: Int
    let terms: [String: Int]
    /// Nil where only facts were asked for.
    let vector: EmbeddedVector?

    private enum CodingKeys: String, CodingKey {
      case ordinal, start, end, section, terms, vector
      case tokenCount = "token_count"
    }
  }

  /// A fact as the file keeps it.
  public struct StoredFact: Codable, Sendable {
    let kind: String
    let name: String
    let value: Double?
    let unit: String?
    let start: Int
    let end: Int
    let polarity: String
    let temporality: String
    let experiencer: String
    /// A JSON object as the file holds it.
    let attributes: String
  }

  public let id: String
  /// Names the projection.
  public let model: String
  /// Names the rules by which text was cut and read.
  public let rules: String
  public let chunks: [Passage]
  public let facts: [StoredFact]
  /// Why nothing could be derived, without words of the note.
  public let error: String?
}

/// 512 numbers: as an array, or as base64 of little-endian 32-bit floats, which is half as long and quicker to read.
public struct EmbeddedVector: Codable, Sendable {
  /// How vectors are written.
  public enum Form: String, CaseIterable, Sendable { case numbers, base64, none }

  let values: [Float]
  private let form: Form

  init(_ values: [Float], as form: Form) {
    self.values = values
    self.form = form
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      guard let data = Data(base64Encoded: text), data.count.isMultiple(of: 4) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "a vector that is no base64 of floats")
      }
      let bytes = [UInt8](data)
      values = stride(from: 0, to: bytes.count, by: 4).map { place in
        Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) })
      }
      form = .base64
    } else {
      values = try container.decode([Float].self)
      form = .numbers
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    guard form == .base64 else { return try container.encode(values) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.count * 4)
    for value in values {
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
      }
    }
    try container.encode(Data(bytes).base64EncodedString())
  }
}

extension EmbeddedNote {
  init(_ note: ClinicalNote, _ digest: NoteDigest, model: String, rules: String, form: EmbeddedVector.Form) {
    let places = CodePointPlaces(note.text)
    self.init(
      id: note.id, model: model, rules: rules,
      chunks: digest.chunks.indices.map { index in
        let chunk = digest.chunks[index]
        let range = places.codePoints(chunk.range)
        return Passage(
          ordinal: chunk.ordinal, start: range.lowerBound, end: range.upperBound, section: chunk.section,
          tokenCount: digest.terms[index].count, terms: digest.frequencies[index],
          vector: form == .none ? nil : EmbeddedVector(digest.vectors[index], as: form))
      },
      facts: digest.facts.map { fact in
        let range = places.codePoints(fact.range)
        return StoredFact(
          kind: fact.kind, name: fact.name, value: fact.value, unit: fact.unit, start: range.lowerBound,
          end: range.upperBound, polarity: fact.polarity, temporality: fact.temporality,
          experiencer: fact.experiencer, attributes: fact.attributes)
      }, error: digest.failure)
  }

  /// What indexing takes; nil where a place lies outside the note's text, or a vector is none.
  func digest(of note: ClinicalNote) -> NoteDigest? {
    let places = CodePointPlaces(note.text)
    var digest = NoteDigest(failure: error)
    for chunk in chunks {
      guard let range = places.bytes(chunk.start, chunk.end), let vector = chunk.vector?.values,
        vector.count == ChunkStore.dimension
      else { return nil }
      digest.chunks.append(Chunk(ordinal: chunk.ordinal, range: range, section: chunk.section))
      // Only their number is asked for where counts are given.
      digest.terms.append([String](repeating: "", count: chunk.tokenCount))
      digest.frequencies.append(chunk.terms)
      digest.vectors.append(vector)
    }
    for fact in facts {
      guard let range = places.bytes(fact.start, fact.end) else { return nil }
      digest.facts.append(
        FactValue(
          kind: fact.kind, name: fact.name, value: fact.value, unit: fact.unit, range: range, polarity: fact.polarity,
          temporality: fact.temporality, experiencer: fact.experiencer, attributes: fact.attributes))
    }
    return digest
  }
}

/// Places of one text in bytes and in code points; of plain ASCII they are the same.
private struct CodePointPlaces {
  /// Byte offset by code point, the end included; nil for ASCII.
  private let offsets: [Int]?
  private let byteCount: Int

  init(_ text: String) {
    byteCount = text.utf8.count
    guard text.utf8.contains(where: { $0 >= 0x80 }) else {
      offsets = nil
      return
    }
    var offsets: [Int] = []
    var offset = 0
    for scalar in text.unicodeScalars {
      offsets.append(offset)
      offset += UTF8.width(scalar)
    }
    offsets.append(offset)
    self.offsets = offsets
  }

  func codePoints(_ range: Range<Int>) -> Range<Int> {
    guard let offsets else { return range }
    func place(_ byte: Int) -> Int {
      var (low, high) = (0, offsets.count)
      while low < high {
        let middle = (low + high) / 2
        if offsets[middle] < byte { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return place(range.lowerBound)..<place(range.upperBound)
  }

  /// Nil where it is no range of the text.
  func bytes(_ start: Int, _ end: Int) -> Range<Int>? {
    guard start >= 0, start <= end else { return nil }
    guard let offsets else { return end <= byteCount ? start..<end : nil }
    return end < offsets.count ? offsets[start]..<offsets[end] : nil
  }
}
