import Foundation
import Testing

/// The description of the API against what is answered.
struct DescriptionTests {
  private let served: ServedPractice

  init() throws { served = try Served.sample.get() }

  private static let reading = [
    "/day/2026-11-26", "/waiting", "/waiting?days=3&limit=2", "/appointments/A0749", "/patients?q=b",
    "/patients?q=b&limit=2&offset=1",
    "/patients/P001", "/patients/P001/chart", "/patients/P001/timeline?limit=5", "/notes/N0046", "/briefs/2026-11-26",
    "/session", "/patients/P001/registration", "/jobs", "/flow/2026-11-26", "/passkeys", "/settings", "/status",
    "/staff", "/rooms", "/locations",
    "/users",
    "/imports", "/imports/1/undo", "/audit?limit=3&access=1", "/audit/verification", "/insights",
    "/insights?weeks=1&ahead=0", "/inbox", "/inbox?kind=letter", "/inbox-count", "/specialists",
    "/feeds", "/photos", "/photo-words", "/photo-checks", "/encounters", "/encounter-cases",
    "/offline/2026-11-29", "/devices",
  ]
  private static let asking = [
    ("/triage", #"{"text":"cat not eating since yesterday","species":"cat"}"#),
    ("/ask", #"{"question":"why was meloxicam stopped?","patient_id":"P001"}"#),
    ("/ask", #"{"question":"what does bella weigh?"}"#),
    ("/slots", #"{"text":"itchy ears","patient_id":"P003","limit":2}"#),
    ("/audit/patient", #"{"patient":"P001"}"#),
    ("/day/2026-11-26/plan", "{}"), ("/search", #"{"words":"holloway"}"#),
    ("/appointments/A0749/check", #"{"start":"2026-11-26T09:00","clinician_id":"S02"}"#),
  ]

  /// What of a value is not as a schema says.
  private func flaws(_ value: Any, _ schema: [String: Any], at path: String = "$") -> [String] {
    if let options = schema["anyOf"] as? [[String: Any]] {
      return options.contains { flaws(value, $0, at: path).isEmpty } ? [] : ["\(path) is none of \(options.count)"]
    }
    if let allowed = schema["enum"] as? [String] {
      return (value as? String).map(allowed.contains) == true ? [] : ["\(path) is not one of \(allowed)"]
    }
    switch schema["type"] as? String {
    case nil: return []
    case "null": return value is NSNull ? [] : ["\(path) is not null"]
    case "string": return value is String ? [] : ["\(path) is no string"]
    case "integer":
      return (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } == true
        ? [] : ["\(path) is no integer"]
    case "number": return value is NSNumber ? [] : ["\(path) is no number"]
    case "boolean": return value is Bool ? [] : ["\(path) is no boolean"]
    case "array":
      guard let list = value as? [Any], let items = schema["items"] as? [String: Any] else {
        return ["\(path) is no list"]
      }
      return list.enumerated().flatMap { flaws($0.element, items, at: "\(path)[\($0.offset)]") }
    case "object":
      guard let object = value as? [String: Any] else { return ["\(path) is no object"] }
      let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }.map {
        "\(path).\($0) is missing"
      }
      let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
      return missing
        + properties.flatMap { name, schema in object[name].map { flaws($0, schema, at: "\(path).\(name)") } ?? [] }
    default: return ["\(path) has an unknown type"]
    }
  }

  private func schema(_ method: String, _ path: String, _ description: [String: Any]) throws -> [String: Any] {
    let wanted = path.split(separator: "?")[0].split(separator: "/")
    let paths = try #require(description["paths"] as? [String: [String: Any]])
    let fitting = paths.filter { pattern, operations in
      let parts = pattern.dropFirst("/api/v1".count).split(separator: "/")
      return operations[method] != nil && parts.count == wanted.count
        && zip(parts, wanted).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
    #expect(fitting.count == 1, "\(path) is described \(fitting.count) times")
    let operation = try #require(fitting.values.first?[method] as? [String: Any])
    let responses = try #require(operation["responses"] as? [String: [String: Any]])
    #expect(responses["default"] != nil)
    let good = try #require(responses["200"]?["content"] as? [String: [String: Any]])
    return try #require(good["application/json"]?["schema"] as? [String: Any])
  }

  @Test func `every answer is as the description says`() throws {
    let description = try served.ask("GET", "/api/v1/openapi.json").json()
    #expect(description["openapi"] as? String == "3.1.0")
    for path in Self.reading {
      let answer = try served.ask("GET", "/api/v1\(path)")
      #expect(answer.status == 200, "\(path)")
      #expect(flaws(try answer.json(), try schema("get", path, description)) == [], "\(path)")
    }
    for (path, body) in Self.asking {
      let answer = try served.ask("POST", "/api/v1\(path)", body)
      #expect(answer.status == 200, "\(path): \(answer.text.prefix(200))")
      #expect(flaws(try answer.json(), try schema("post", path, description)) == [], "\(path)")
    }
    // The check itself finds what is wrong.
    #expect(!flaws(["id": 7], ["type": "object", "properties": ["id": ["type": "string"]]]).isEmpty)
  }

  @Test func `long lists come in parts that are whole together`() throws {
    var ids: [String] = []
    var offset: Int? = 0
    var total = 0
    while let place = offset {
      let page = try served.ask("GET", "/api/v1/patients/P001/timeline?limit=7&offset=\(place)").json()
      ids += (page["entries"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
      total = page["total"] as? Int ?? 0
      offset = page["next_offset"] as? Int
    }
    #expect(ids.count == total && Set(ids).count == total && total > 20)
    #expect(try served.ask("GET", "/api/v1/patients/P001/timeline?limit=0").status == 400)
  }

  @Test func `a patient who is not sure to be meant is asked back with those who may be`() throws {
    let answer = try served.ask("GET", "/api/v1/patients/bella")
    let error = try #require(try answer.json()["error"] as? [String: Any])
    #expect(answer.status == 409 && error["code"] as? String == "ambiguous_patient")
    #expect((error["candidates"] as? [[String: Any]] ?? []).count >= 2)
  }
}
