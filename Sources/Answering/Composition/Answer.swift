public import Clinical

/// What the record says about a question, and where.
public struct Answer: Sendable {
  /// The ways in which a record can answer. Silence is not "no".
  public enum Class: String, CaseIterable, Encodable, Sendable {
    case found
    /// The record says no: absent, excluded, stopped, declined, not done.
    case negative
    /// The record is silent.
    case notRecorded = "not_recorded"
    /// Notes disagree and none corrects the other; both sides are shown.
    case conflicting
    /// The name fits several patients, who are listed as candidates.
    case ambiguousPatient = "ambiguous_patient"
  }

  public var answerClass: Class
  /// The patients a name fits; empty unless the class is ``Class/ambiguousPatient``.
  public var candidates: [Patient]
  /// The headline and the sentences in one text, or what is missing from the record.
  public var text: String
  /// What the sentences come to, where it is computed from them, or which way they answer ("1.9 kg less: 21.1 kg on …").
  ///
  /// Nil where the sentences say it themselves. Whatever it is computed from is cited.
  public package(set) var headline: String?
  public var sentences: [CitedSentence]
  public var citations: [Citation]
  /// Why these sentences: kinds of question recognised, expansions, scores.
  public var explanation: Explanation

  public init(
    _ answerClass: Class, text: String, sentences: [CitedSentence] = [], citations: [Citation] = [],
    candidates: [Patient] = [], explanation: Explanation = Explanation("nothing was searched", value: 0)
  ) {
    self.answerClass = answerClass
    self.candidates = candidates
    self.text = text
    self.sentences = sentences
    self.citations = citations
    self.explanation = explanation
  }

  /// Puts a headline before what is said.
  mutating func lead(with headline: String) {
    self.headline = self.headline.map { "\(headline) \($0)" } ?? headline
    text = text.isEmpty ? headline : "\(headline) \(text)"
  }

  /// What another answer says, behind this one; of the same class.
  mutating func append(_ other: Answer) {
    var places: [Int] = []
    for citation in other.citations {
      let place = citations.firstIndex(of: citation) ?? citations.count
      if place == citations.count { citations.append(citation) }
      places.append(place)
    }
    for sentence in other.sentences {
      var sentence = sentence
      sentence.citations = sentence.citations.map { places[$0] }
      if !sentences.contains(sentence) { sentences.append(sentence) }
    }
    let headlines = [headline, other.headline].compactMap { $0 }
    headline = headlines.isEmpty ? nil : headlines.joined(separator: " ")
    text = (headlines + sentences.map(\.text)).joined(separator: " ")
  }
}
