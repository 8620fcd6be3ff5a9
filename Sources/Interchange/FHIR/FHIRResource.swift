/// A resource of FHIR R4 on its way out.
package struct FHIRResource: Hashable, Sendable {
  package let type: String
  /// As VetNet writes it; FHIR's own form is ``FHIRIdentity/encode(_:)``.
  package let id: String
  package let json: JSONValue

  package init(_ type: String, _ id: String, _ members: [(String, JSONValue?)]) {
    self.type = type
    self.id = id
    json = .of([("resourceType", .string(type)), ("id", .string(FHIRIdentity.encode(id)))] + members)
  }

  /// Where a bundle's other resources find it: `base/Type/id`, so that relative references resolve within the bundle. `practice` names
  /// the practice file, in letters and digits.
  func fullURL(practice: String) -> String { "\(FHIRName.base)/\(practice)/\(type)/\(FHIRIdentity.encode(id))" }
}

/// Writes one Bundle of type collection, resource by resource: a line each.
package final class FHIRBundleWriter {
  private let file: OutputFile
  private let practice: String
  private var isFirst = true
  /// How many resources of each type were written.
  package private(set) var counts: [String: Int] = [:]

  /// - Parameters:
  ///   - file: is empty.
  ///   - practice: names the practice file in full URLs; only letters and digits.
  ///   - timestamp: an instant, as ISO 8601 writes it.
  /// - Throws: ``InterchangeError`` when the system fails to write.
  package init(_ file: OutputFile, practice: String, timestamp: String) throws(InterchangeError) {
    self.file = file
    self.practice = practice
    var json = JSONText()
    json.text(timestamp)
    try file.write(
      line: Array(#"{"resourceType":"Bundle","type":"collection","timestamp":"#.utf8) + json.bytes
        + Array(#","entry":["#.utf8))
  }

  package func write(_ resource: FHIRResource) throws(InterchangeError) {
    counts[resource.type, default: 0] += 1
    let entry = JSONValue.members(
      ("fullUrl", .string(resource.fullURL(practice: practice))), ("resource", resource.json))
    try file.write(line: (isFirst ? [] : [UInt8(ascii: ",")]) + entry.bytes)
    isFirst = false
  }

  package func finish() throws(InterchangeError) {
    try file.write(line: Array("]}".utf8))
    try file.flush()
  }
}
