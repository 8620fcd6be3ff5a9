/// Sex and neuter status, as a practice record abbreviates them.
public enum Sex: String, CaseIterable, Codable, Sendable {
  case maleNeutered = "MN"
  case femaleSpayed = "FS"
  case male = "M"
  case female = "F"
  case unknown

  /// The status that a record's word names; nil when the word is unknown. An empty text is ``unknown``.
  public init?(describing text: some StringProtocol) {
    let word = text.lowercased().filter { $0.isLetter }
    switch word {
    case "mn", "mc", "maleneutered", "neuteredmale", "castrated", "malecastrated", "castratedmale", "gelding", "cm",
      "nm", "steer":
      self = .maleNeutered
    case "fs", "fn", "femalespayed", "spayedfemale", "femaleneutered", "neuteredfemale", "spayed", "sf", "nf":
      self = .femaleSpayed
    case "m", "me", "mi", "male", "maleentire", "entiremale", "maleintact", "intactmale", "stallion", "bull", "tom",
      "boy":
      self = .male
    case "f", "fe", "fi", "female", "femaleentire", "entirefemale", "femaleintact", "intactfemale", "mare", "bitch",
      "queen",
      "cow", "girl":
      self = .female
    case "", "u", "unknown", "unk", "unsexed", "notknown":
      self = .unknown
    default:
      return nil
    }
  }

  public var isMale: Bool { self == .male || self == .maleNeutered }
  public var isFemale: Bool { self == .female || self == .femaleSpayed }
}
