import Foundation

/// A strict reader of the text format of Prometheus (version 0.0.4): what it accepts, any reader of it does.
struct Exposition {
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  /// By the sample's name with its labels, as they are written.
  private(set) var samples: [String: Double] = [:]
  private(set) var types: [String: String] = [:]
  private var helped: Set<String> = []
  /// The family whose samples come now.
  private var family = ""
  private var done: Set<String> = []

  init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Malformed(description: "the last line doesn't end") }
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("# ") { try take(comment: line) } else { try take(sample: line) }
    }
    for (name, type) in types where type == "histogram" { try checkHistogram(name) }
  }

  private mutating func take(comment line: Substring) throws {
    let words = line.split(separator: " ", maxSplits: 3)
    guard words.count == 4, words[2].wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) != nil else {
      throw Malformed(description: "\(line)")
    }
    let name = String(words[2])
    switch words[1] {
    case "HELP":
      guard helped.insert(name).inserted else { throw Malformed(description: "helped twice: \(name)") }
      done.insert(family)
      family = name
    case "TYPE":
      guard name == family, types[name] == nil, ["counter", "gauge", "histogram"].contains(words[3]) else {
        throw Malformed(description: "\(line)")
      }
      types[name] = String(words[3])
    default: throw Malformed(description: "\(line)")
    }
  }

  private mutating func take(sample line: Substring) throws {
    let form =
      /([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*")*\})? ([^ ]+)/
    guard let match = line.wholeMatch(of: form), let value = Double(match.3) else {
      throw Malformed(description: "\(line)")
    }
    let name = String(match.1)
    let endings = types[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
    guard endings.contains(where: { name == family + $0 }), types[family] != nil, !done.contains(family) else {
      throw Malformed(description: "of no family, or of one that is over: \(line)")
    }
    let key = name + (match.2.map(String.init) ?? "")
    guard samples.updateValue(value, forKey: key) == nil else { throw Malformed(description: "twice: \(key)") }
    if types[family] != "gauge", value < 0 { throw Malformed(description: "below nothing: \(line)") }
  }

  /// Buckets grow, and the last is the count.
  private func checkHistogram(_ name: String) throws {
    let counts = samples.filter { $0.key.hasPrefix("\(name)_count") }
    guard !counts.isEmpty else { return }
    for (key, count) in counts {
      let labels = key.dropFirst("\(name)_count".count).dropLast()
      let buckets = samples.filter { $0.key.hasPrefix("\(name)_bucket\(labels),le=") }.map { key, value in
        let bound = key.firstMatch(of: /le="([^"]+)"/).map { String($0.1) } ?? ""
        return (bound: bound == "+Inf" ? Double.infinity : Double(bound) ?? .nan, value: value)
      }
      .sorted { $0.bound < $1.bound }
      let isGrowing = zip(buckets, buckets.dropFirst()).allSatisfy { $0.value <= $1.value }
      guard isGrowing, buckets.last?.bound == .infinity, buckets.last?.value == count else {
        throw Malformed(description: "buckets of \(key)")
      }
    }
  }
}
