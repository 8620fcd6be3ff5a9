/// The kinds of animal whose norms, warning signs and doses differ enough to be told apart.
public enum Species: String, CaseIterable, Codable, Sendable {
  case dog, cat, rabbit
  case guineaPig = "guinea pig"
  case ferret
  /// Hamster, rat, mouse, gerbil, chinchilla, degu and their like.
  case smallMammal = "small mammal"
  case horse, cattle
  /// Sheep, goat, pig, alpaca.
  case smallRuminantOrPig = "small ruminant or pig"
  case bird, reptile, other

  /// The species that a record's or an owner's word names; nil when the word is unknown.
  ///
  ///     Species(describing: "Feline")  // .cat
  public init?(describing text: some StringProtocol) {
    let word = text.lowercased().filter { $0 != "." }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let exact = Species(rawValue: word) ?? Self.synonyms[word] {
      self = exact
    } else if word.hasSuffix("s"),
      let singular = Species(rawValue: String(word.dropLast())) ?? Self.synonyms[String(word.dropLast())]
    {
      self = singular
    } else {
      return nil
    }
  }

  private static let synonyms: [String: Species] = {
    let names: [Species: [String]] = [
      .dog: ["canine", "k9", "can", "puppy", "pup", "bitch", "canis familiaris"],
      .cat: ["feline", "fel", "kitten", "queen", "tomcat", "felis catus"],
      .rabbit: ["lagomorph", "bunny", "lop", "lapine", "leporine"],
      .guineaPig: ["guineapig", "cavy", "cavia"],
      .ferret: ["polecat", "mustelid"],
      .smallMammal: [
        "hamster", "rat", "mouse", "gerbil", "chinchilla", "degu", "rodent", "hedgehog", "sugar glider", "chipmunk",
      ],
      .horse: ["equine", "pony", "donkey", "foal", "mare", "gelding", "stallion", "mule", "cob"],
      .cattle: ["cow", "bovine", "calf", "bull", "heifer", "steer", "ox"],
      .smallRuminantOrPig: ["sheep", "goat", "pig", "lamb", "ovine", "caprine", "porcine", "alpaca", "llama"],
      .bird: [
        "avian", "parrot", "budgie", "budgerigar", "cockatiel", "cockatoo", "macaw", "canary", "finch", "chicken",
        "hen",
        "duck", "goose", "pigeon", "dove", "lovebird", "conure", "parakeet", "african grey", "owl",
      ],
      .reptile: [
        "tortoise", "turtle", "terrapin", "snake", "lizard", "gecko", "bearded dragon", "iguana", "chameleon",
        "corn snake", "python", "skink",
      ],
    ]
    var table: [String: Species] = [:]
    for (species, words) in names { for word in words { table[word] = species } }
    return table
  }()
}
