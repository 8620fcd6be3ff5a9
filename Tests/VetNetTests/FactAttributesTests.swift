import Extraction
import Foundation
import Store
import Testing

@testable import VetNet

struct FactAttributesTests {
  @Test(
    arguments: [
      [:], ["dose": "25 mg"], ["dose": "25 mg", "frequency": "BID", "route": ""], ["a": "b,c:d{}", "é": "½ tablet 🐶"],
      ["quote": "said \"sore\"", "x": "1"], ["path": "a\\b"], ["line": "one\ntwo\ttab\u{1}"],
    ] as [[String: String]])
  func `attributes are read without a parser as with one, or left to it`(attributes: [String: String]) throws {
    let stored = StoredAttributes(attributes.map { StoredAttributes.Pair(key: $0.key, value: $0.value) })
    let json = FactValue.json(stored)
    let parsed = try JSONDecoder().decode([String: String].self, from: Data(json.utf8))
    #expect(parsed == attributes)
    #expect(FactValue.parsedAttributes(json) == stored)
    #expect(FactValue.plainAttributes(json) == (json.contains("\\") ? nil : stored))
  }

  @Test(arguments: ["", "{", "[]", #"{"a":1}"#, #"{"a" : "b"}"#, #"{"a":"b"#, #"{"a":"b"}}"#, #"{"a":"b";"c":"d"}"#])
  func `what isn't a flat object of strings is left to the parser`(json: String) {
    #expect(FactValue.plainAttributes(json) == nil)
  }
}
