import Store

/// What a practice can switch on and off, by name. All of it is on unless a practice says otherwise, but for what leaves the practice.
public enum Feature: String, CaseIterable, Codable, Sendable {
  /// `vetnet serve`.
  case workspace
  /// `vetnet mcp`.
  case assistant
  /// `vetnet ask --reader`.
  case reader
  /// Questions about the book: what such a question to `vetnet ask` brings, and the operation `schedule.ask`.
  case bookQuestions = "book-questions"
  /// What `vetnet sketch` and `vetnet network model` take from this practice.
  case shareTerms = "share-terms"
  /// What `vetnet network similar` takes.
  case shareCases = "share-cases"
  /// What `vetnet network pool` takes.
  case shareFigures = "share-figures"

  /// Whether it is on where a practice says nothing. What leaves a practice is for the practice to allow.
  public var isOnAtFirst: Bool {
    switch self {
    case .workspace, .assistant, .reader, .bookQuestions: true
    case .shareTerms, .shareCases, .shareFigures: false
    }
  }

  /// In one line, for a person.
  public var summary: String {
    switch self {
    case .workspace: "the practice in a browser: vetnet serve"
    case .assistant: "an assistant's tools: vetnet mcp"
    case .reader: "a reader of the practice's own that words answers: vetnet ask --reader"
    case .bookQuestions: "questions about the book in plain words"
    case .shareTerms:
      "sums over terms that several practices have, for a model that they learn together: vetnet network model"
    case .shareCases: "passages like another practice's case, without names: vetnet network similar"
    case .shareFigures: "counts and lengths of visits by type: vetnet network pool"
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

extension Practice.Settings {
  /// Whether a feature is on here.
  public func isOn(_ feature: Feature) throws -> Bool {
    switch try reporting({ try connection.settings.value(feature.key) }) {
    case "off": false
    case "on": true
    default: feature.isOnAtFirst
    }
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
