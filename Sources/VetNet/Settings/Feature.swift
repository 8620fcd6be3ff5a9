import Store

/// What a practice can switch off, by name: all of it is on unless a practice says otherwise.
public enum Feature: String, CaseIterable, Codable, Sendable {
  /// `vetnet serve`.
  case workspace
  /// `vetnet mcp`.
  case assistant
  /// `vetnet ask --reader`.
  case reader
  /// Questions about the book: what such a question to `vetnet ask` brings, and the operation `schedule.ask`.
  case bookQuestions = "book-questions"

  /// In one line, for a person.
  public var summary: String {
    switch self {
    case .workspace: "the practice in a browser: vetnet serve"
    case .assistant: "an assistant's tools: vetnet mcp"
    case .reader: "a reader of the practice's own that words answers: vetnet ask --reader"
    case .bookQuestions: "questions about the book in plain words"
    }
  }

  /// Its key in the practice file.
  var key: String { "feature.\(rawValue)" }
}

/// Whether a feature is on in a practice.
public struct FeatureState: Encodable, Hashable, Sendable {
  public let name: String
  public let isOn: Bool
  public let summary: String

  private enum CodingKeys: String, CodingKey {
    case name, summary
    case isOn = "on"
  }
}

extension Practice {
  /// Whether a feature is on here.
  public func isOn(_ feature: Feature) throws -> Bool {
    try reporting { try connection.settings.value(feature.key) } != "off"
  }

  /// - Throws: ``PracticeError`` with `switchedOff` where a feature is off here.
  public func require(_ feature: Feature) throws {
    guard try !isOn(feature) else { return }
    throw PracticeError(
      .switchedOff, "'\(feature.rawValue)' is switched off in this practice: \(feature.summary)",
      hint: "An administrator can switch it on: vetnet config feature \(feature.rawValue) on")
  }

  func featureStates() throws -> [FeatureState] {
    try Feature.allCases.map { FeatureState(name: $0.rawValue, isOn: try isOn($0), summary: $0.summary) }
  }
}
