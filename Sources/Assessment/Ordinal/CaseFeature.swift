/// A kind of feature. The features of a block make a vector of length 1 together, so that a long letter is not more urgent for
/// being long, and each block has its own share in a judgement.
enum FeatureBlock: String, CaseIterable, Sendable {
  /// The words as they stand.
  case words
  /// Two words beside each other, articles and the like left out.
  case pairs
  /// Two words no more than five apart, in their order.
  case near
  /// Groups of three to five letters: misspelt and unknown words still share most of them with known ones.
  case letters
  /// Meanings of the concept lexicon, named apart where they are denied, past or another animal's.
  case signs
  /// Two meanings that a text has both.
  case signPairs = "sign pairs"
  /// What the rules found, and at which level.
  case findings
  /// What the rules say of airway, breathing, circulation, disability and exposure.
  case survey
  /// Species, age, sex and how the message came.
  case patient
  /// What the cues say of the kind of visit and the field of work.
  case routing
}

/// One thing a case shows.
struct CaseFeature: Hashable, Sendable {
  let block: FeatureBlock
  /// Within its block: `limp`, `not-sign:blood`, `rule:gdv red`.
  let name: String
  /// Indices of ``IntakeWord`` that show it; nil for what is known of the patient, and for letters.
  var words: Range<Int>?

  init(_ block: FeatureBlock, _ name: String, words: Range<Int>? = nil) {
    self.block = block
    self.name = name
    self.words = words
  }

  /// The place of the feature among ``CaseVectorizer/buckets``.
  var bucket: Int {
    // FNV-1a over block and name.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in block.rawValue.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash = (hash ^ 0x3A) &* 0x100_0000_01b3
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int((hash ^ (hash >> 29) ^ (hash >> 47)) & UInt64(CaseVectorizer.buckets - 1))
  }
}
