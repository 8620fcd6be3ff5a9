import Assessment
import Clinical

/// The own sentences of some findings of an exemplar.
struct OwnCase {
  let vector: CaseVector
  let findings: [CaseAssessor.Ruled.OwnFinding]
}

/// What rules and features say of each exemplar, in their order: what the learned part of triage is fitted to.
struct FittingCases {
  let vectorizer: CaseVectorizer
  let vectors: [CaseVector]
  let own: [[OwnCase]]
  let findings: [RuleTrust.Evidence]
  let surveys: [[ABCDELetter: ABCDEStatus]]
  /// What speaks for kinds of visits.
  let cues: [[Explanation]]
  let texts: [[String]]

  /// - Parameters:
  ///   - exemplars: labelled intakes.
  ///   - assessor: with rules only.
  init(_ exemplars: [Exemplar], _ assessor: CaseAssessor) {
    let reader = FeatureReader(lexicon: assessor.triage.reader.lexicon)
    let ruled = exemplars.map { assessor.ruled($0.intake, features: reader) }
    let codes = ruled.map { Self.byBlock($0.features) }
    let vectorizer = CaseVectorizer(fitting: codes.map { $0.flatMap { $0.map(\.code) } })
    self.vectorizer = vectorizer
    vectors = codes.map(vectorizer.vector)
    own = ruled.map { exemplar in
      exemplar.own.map { OwnCase(vector: vectorizer.vector(Self.byBlock($0.features)), findings: $0.findings) }
    }
    findings = ruled.map(\.evidence)
    surveys = ruled.map(\.triage.abcde)
    cues = ruled.map(\.cues)
    texts = ruled.map(\.words)
  }

  private static func byBlock(_ features: [CaseFeature]) -> [[(code: FeatureCode, feature: Int32)]] {
    var blocks = [[(code: FeatureCode, feature: Int32)]](repeating: [], count: FeatureBlock.allCases.count)
    for feature in features { blocks[feature.block.index].append((feature.code, -1)) }
    return blocks
  }
}
