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

  /// The species that a record's field or a form names; nil when the word is unknown.
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

  /// The species that the species field of a record or form names; nil when the word is unknown.
  ///
  /// Beside what ``init(describing:)`` knows, animals without norms of their own are ``other``. In running text their
  /// names say nothing of the patient: "ate a toad", "fish supper".
  public init?(field text: some StringProtocol) {
    if let known = Species(describing: text) {
      self = known
    } else if Self.otherAnimals.contains(text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " "))
    {
      self = .other
    } else {
      return nil
    }
  }

  /// The species that a word of running text names; nil for what means one in a field only: "can" is a verb, "other" is any.
  public init?(mention text: some StringProtocol) {
    guard text.utf8.count > 2, !["can", "other", "others"].contains(text.lowercased()),
      let known = Species(describing: text)
    else { return nil }
    self = known
  }

  private static let otherAnimals: Set<String> = [
    "amphibian", "axolotl", "badger", "betta", "carp", "deer", "exotic", "fish", "fox", "frog", "goldfish",
    "invertebrate",
    "koi", "koi carp", "marmoset", "meerkat", "monkey", "newt", "piscine", "primate", "skunk", "snail", "tarantula",
    "toad",
    "tropical fish", "wildlife",
  ]

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
