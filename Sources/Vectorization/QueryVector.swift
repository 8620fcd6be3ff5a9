/// A term of a question as it enters the search.
public struct QueryTerm: Hashable, Sendable {
  /// As the analyser gives it.
  public var text: String
  /// 1 for what was asked, less for what was added to it.
  public var weight: Double
  /// For an added term, the words it was added for.
  public var expandedFrom: String?
  /// For an added term, those words as terms of the question.
  public var standsFor: [String]
  /// Whether it was added as what those words were probably meant to be: not to be used where they are known.
  public var isCorrection: Bool

  public init(
    _ text: String, weight: Double = 1, expandedFrom: String? = nil, standsFor: [String] = [],
    isCorrection: Bool = false
  ) {
    self.text = text
    self.weight = weight
    self.expandedFrom = expandedFrom
    self.standsFor = standsFor
    self.isCorrection = isCorrection
  }
}

/// A question as a direction in the vector space, and what each of its terms adds to it.
public struct QueryVector: Hashable, Sendable {
  /// One term's part of the direction.
  public struct Part: Hashable, Sendable {
    public let term: QueryTerm
    /// As long as the model's rank; the parts add up to ``QueryVector/values``.
    public let vector: [Float]
  }

  /// 512 numbers of unit norm, or all zero when no term is known.
  public var values: [Float]
  /// The share of the question's weight that has a direction, from 0 to 1: how far to trust the vector.
  public let knownWeightShare: Double
  /// The known terms, in the order they were asked.
  public let parts: [Part]

  public init(values: [Float], knownWeightShare: Double, parts: [Part] = []) {
    self.values = values
    self.knownWeightShare = knownWeightShare
    self.parts = parts
  }
}
