import Clinical
import Testing
import VetNetTestSupport

@testable import Assessment

struct ToxinWordsTests {
  /// Every poison in words that aren't its row's, and words that name it without anybody having met it.
  static let spoken: [String: (hit: String, miss: String)] = [
    "chocolate-bakers": (
      "we think she's had some of the cooking chocolate from the pantry",
      "he was near the cooking chocolate but did not touch it"
    ),
    "chocolate-cocoa": ("tipped the tin of cocoa over and lapped it up", "no he hasn't had any cocoa"),
    "chocolate-dark": ("he's scoffed a 90% bar off the side", "she did not get any of the 90% bar"),
    "chocolate-white": ("had three milkybar buttons from my little one", "the milkybar was not eaten"),
    "chocolate-milk": (
      "she's been at the selection box under the tree", "the kids' selection box was not touched, he ate his own tea"
    ),
    "chocolate": ("helped himself to choc from the advent thing", "what should I do if he ever eats chocolate?"),
    "coffee": ("knocked the coffee pods down and chewed several", "he has not eaten any coffee pods"),
    "xylitol": ("ate my sugar free mints out of the car door", "would it be bad if he ever ate chewing gum?"),
    "xylitol-sugar": (
      "the biscuits he nicked were made with birch sugar", "we threw the xylitol out, he never ate any"
    ),
    "lily": ("there's rusty pollen on her nose from the stargazers", "we have never had any lilies in the house"),
    "ethylene-glycol": (
      "had some of the antifreeze that leaked", "we keep the antifreeze locked up and he has not had any"
    ),
    "rodenticide": (
      "he's been at the mouse blocks behind the fridge", "the pest man put a bait station up but she hasn't touched it"
    ),
    "bromethalin": ("dug up and swallowed the mole worms", "no mole killer was eaten"),
    "vitamin-d": ("chewed the tube of dovobet", "she has not licked the psoriasis cream"),
    "metaldehyde": ("got into the slug stuff in the shed", "never had slug stuff in our garden, not eaten any"),
    "mould": ("raided the food waste bin last night", "he did not get at the food waste bin"),
    "permethrin": ("my husband used the dogs flea drops on the kitten", "I would never use dog flea treatment on her"),
    "grapes": ("she pinched a bit of fruit cake off my plate", "he's not had any sultanas"),
    "ibuprofen": ("licked the nurofen off the floor", "my son has not given her nurofen"),
    "naproxen": ("crunched up one of my aspirin", "we did not give him aspirin"),
    "paracetamol-cat": ("my mum slipped her a panadol", "I have not given her a panadol"),
    "paracetamol-dog": ("he got hold of a strip of panadol", "we haven't given calpol"),
    "allium": ("polished off the leeks from the pan", "there was no garlic in what she ate"),
    "cannabis": ("ate a space cake in the park", "there is no weed here and he has not eaten any"),
    "drugs-street": ("he ate something white, might be mdma", "no he hasn't eaten ecstasy"),
    "human-heart-drug": ("the pup swallowed grandad's heart tablets", "she did not swallow my husband's tablets"),
    "vet-nsaid-over": ("has eaten a whole box of rimadyl", "she did not eat the box of rimadyl"),
    "caustic": ("licked up oven cleaner", "he did not lick the oven cleaner"),
    "soap": ("the puppy ate a crayon", "he didn't eat the candle"),
    "petroleum": ("lapped at the diesel in the garage", "she has not licked the diesel"),
    "pesticide": ("ran through the weed killer and licked her feet", "he hasn't licked the lawn feed"),
    "plants-severe": ("had a chew on the foxgloves", "did not chew the daffodils"),
    "sago-palm": ("nibbled the cycad in the conservatory", "he did not nibble the cycad"),
    "mushroom": ("hoovered up toadstools under the birch", "never ate the toadstools"),
    "alcohol": ("lapped up spilt vodka", "she has not drunk any beer"),
    "salt": ("drank sea water at the beach all day", "he did not drink the sea water"),
    "nicotine": ("ate two cigarette butts on the walk", "he did not eat the cigarette"),
    "toad": ("had a toad in his mouth, he licked it", "she has not licked a toad"),
    "processionary": ("sniffed at the oak caterpillars", "no hairy caterpillars round here"),
    "lead-zinc": ("our puppy swallowed a coin", "he did not swallow the coin"),
    "ivermectin": ("licked the horse paste I dropped", "he has not licked the pour on"),
    "fipronil-rabbit": ("the bunny had effipro put on her", "we have not used effipro"),
    "unknown-poison": ("she's had something poisonous", "he has not been poisoned"),
    "bone-fat": ("had the fat balls off the bird table", "she didn't have the suet balls"),
    "harmless": ("chewed up some kitchen roll", "he did not eat the cardboard"),
  ]

  @Test(arguments: ToxinRow.all)
  func `each poison is found in an owner's words, and not where nobody met it`(row: ToxinRow) throws {
    let words = try #require(Self.spoken[row.toxin.id])
    let hit = try #require(try row.finding(words.hit), "\(words.hit)")
    #expect(hit.standing.counts, "\(words.hit): \(hit.standing)")
    let least = min(row.toxin.levels.unknown, .yellow)
    #expect(hit.judgement.level >= least || row.toxin.levels.unknown == .green, "\(hit.judgement.reason)")
    let miss = try row.finding(words.miss)
    #expect(miss.map(\.standing.counts) != true, "\(words.miss): \(String(describing: miss?.standing))")
  }

  struct Amount: CustomTestStringConvertible, Sendable {
    let text: String
    var species = Species.dog
    let weight: Double
    /// Milligrams, worked by hand from the tables' contents.
    let milligrams: Double?

    var testDescription: String { text }
  }

  /// Ibuprofen 400 mg a tablet and 96 a packet, strips of 14, gum 1,100 mg a piece and 100 a pack.
  @Test(arguments: [
    // A strength is no dose.
    Amount(text: "he ate my 500 mg paracetamol tablets", weight: 20, milligrams: nil),
    Amount(text: "she has eaten ibuprofen, they are 200mg tablets", weight: 20, milligrams: nil),
    Amount(text: "swallowed a 200 mg ibuprofen tablet", weight: 20, milligrams: 200),
    Amount(text: "ate a 75 mg tablet of aspirin", weight: 20, milligrams: 75),
    Amount(text: "two ibuprofen 200s went down his neck, he ate them", weight: 20, milligrams: 400),
    Amount(text: "ate ibuprofen, two 200s", weight: 20, milligrams: 400),
    Amount(text: "ate ibuprofen 400mg x 3", weight: 20, milligrams: 1200),
    Amount(text: "ate 3 x 400 mg ibuprofen", weight: 20, milligrams: 1200),
    Amount(text: "ate 500 mg of paracetamol", weight: 20, milligrams: 500),
    Amount(text: "nurofen two tablet 400, dog pick and eat both", weight: 20, milligrams: 800),
    Amount(text: "had half a paracetamol", weight: 20, milligrams: 250),
    Amount(text: "ate two and a half 200 mg ibuprofen tablets", weight: 20, milligrams: 500),
    Amount(text: "ate two or three ibuprofen", weight: 20, milligrams: 1200),
    // A packet is its tablets.
    Amount(text: "ate a packet of ibuprofen", weight: 20, milligrams: 38_400),
    Amount(text: "ate half a packet of ibuprofen", weight: 20, milligrams: 19_200),
    Amount(text: "ate a packet of 16 ibuprofen", weight: 20, milligrams: 6400),
    Amount(text: "ate a packet of sixteen 200 mg ibuprofen tablets", weight: 20, milligrams: 3200),
    Amount(text: "ate a strip of ibuprofen", weight: 20, milligrams: 5600),
    Amount(text: "ate the rest of the box of ibuprofen", weight: 20, milligrams: 38_400),
    Amount(text: "ate a few ibuprofen", weight: 20, milligrams: 2400),
    Amount(text: "ate a couple of ibuprofen tablets", weight: 20, milligrams: 1200),
    Amount(text: "ate a handful of ibuprofen", weight: 20, milligrams: 8000),
    Amount(text: "ate some ibuprofen", weight: 20, milligrams: nil),
    // Gum by the piece.
    Amount(text: "ate 4 pieces of sugar free gum", weight: 20, milligrams: 4400),
    Amount(text: "chewed a pack of toothfriendly gum, eleven bits", weight: 8, milligrams: 12_100),
    Amount(text: "ate one stick of chewing gum", weight: 20, milligrams: 1100),
    Amount(text: "licked up 20 g of birch sugar", weight: 20, milligrams: 20_000),
    // Chocolate by cocoa.
    Amount(text: "ate a 100 g bar of 90% chocolate", weight: 20, milligrams: 1440),
    Amount(text: "ate 50 g of 100% cocoa chocolate", weight: 20, milligrams: 800),
    Amount(text: "ate 100g of chocolate, 85 % cocoa", weight: 20, milligrams: 1360),
    Amount(text: "ate 100g of 70 percent dark chocolate", weight: 20, milligrams: 1120),
    Amount(text: "ate two 100 g bars of 85%", weight: 20, milligrams: 2720),
    Amount(text: "ate 10 g of cocoa powder", weight: 20, milligrams: 285),
    Amount(text: "ate an easter egg", weight: 20, milligrams: 920),
    Amount(text: "ate a creme egg", weight: 20, milligrams: 92),
    Amount(text: "had a lick of milk chocolate", weight: 20, milligrams: 4.6),
    Amount(text: "ate one white chocolate button", weight: 20, milligrams: 0.32),
    Amount(text: "ate one chocolate button", weight: 20, milligrams: 18.4),
    Amount(text: "ate 2 squares of a 100 g bar of milk chocolate", weight: 20, milligrams: 36.8),
    Amount(text: "ate half a 200g bar of dark chocolate", weight: 20, milligrams: 550),
    Amount(text: "ate 200g dark chocolate bars x 2", weight: 20, milligrams: 2200),
    Amount(text: "five ounces of dark chocolate gone, he ate it", weight: 17, milligrams: 779.6),
    Amount(text: "ate 1 kg of milk chocolate", weight: 20, milligrams: 2300),
    Amount(text: "my 30 kg lab ate milk chocolate", weight: 30, milligrams: nil),
    Amount(text: "ate dark chocolate and is a bit quiet", weight: 20, milligrams: nil),
    Amount(text: "ate dark chocolate and we gave him two worming tablets", weight: 20, milligrams: nil),
    Amount(text: "ate dark chocolate. He had 20 g of chicken after", weight: 20, milligrams: nil),
    Amount(text: "ate dark chocolate. It was about 100 g", weight: 20, milligrams: 550),
  ])
  func `what was eaten is counted as the words say`(row: Amount) throws {
    let findings = try Shipped.toxinFindings(row.text, species: row.species, weight: row.weight)
    let finding = try #require(findings.max { ($0.judgement.dose ?? 0) < ($1.judgement.dose ?? 0) })
    guard let milligrams = row.milligrams else {
      #expect(finding.judgement.dose == nil, "\(finding.judgement.reason)")
      return
    }
    let found = (finding.judgement.dose ?? .nan) * row.weight
    #expect(abs(found - milligrams) < max(0.01, milligrams / 500), "\(finding.judgement.reason)")
  }

  @Test(
    arguments: [
      ("a lick of milk chocolate", "Newfoundland", 55.0, Urgency.green),
      ("a lick of milk chocolate", "Newfoundland", nil, .green),
      ("a lick of milk chocolate", "", nil, .green), ("50 g of milk chocolate", "Newfoundland", nil, .green),
      ("50 g of milk chocolate", "", nil, .orange), ("50 g of milk chocolate", "Newfoundland puppy", nil, .orange),
      ("50 g of milk chocolate", "Newfoundland cross", nil, .orange), ("some dark chocolate", "Chihuahua", 2, .orange),
      ("some dark chocolate", "", 10, .orange), ("dark chocolate", "", 90, .green), ("dark chocolate", "", 60, .yellow),
      ("96 ibuprofen tablets", "", nil, .red), ("an ibuprofen tablet", "", nil, .orange),
      ("ibuprofen", "", 90, .orange),
    ] as [(String, String, Double?, Urgency)])
  func `what isn't known of amount and weight never counts as little`(
    eaten: String, breed: String, weight: Double?, level: Urgency
  ) throws {
    let text = "our \(breed.isEmpty ? "dog" : breed) ate \(eaten)"
    let finding = try #require(try Shipped.toxinFindings(text, weight: weight).first)
    #expect(finding.judgement.level == level, "\(finding.judgement.reason)")
    #expect((finding.judgement.downgrade != nil) == (level < .orange), "\(finding.judgement.reason)")
  }

  @Test func `a downgrade names the dose and its limit`() throws {
    let finding = try #require(try Shipped.toxinFindings("had a lick of milk chocolate", weight: 55).first)
    #expect(
      finding.judgement.downgrade
        == "milk chocolate: about 0.1 mg/kg theobromine and caffeine (about 2 g at most), below 20 mg/kg")
  }

  @Test(arguments: [
    ("ate rat bait an hour ago", Urgency.orange), ("ate rat bait last night", .orange),
    ("ate rat bait three days ago", .orange), ("ate rat bait on Sunday", .orange),
    ("has been at the rat bait since Sunday", .orange), ("ate rat bait last week", .orange),
    ("ate rat bait the other day", .orange), ("ate rat bait a few days ago", .orange),
    ("ate rat bait six days ago", .orange), ("ate rat bait nearly seven days ago", .orange),
    ("ate rat bait eight days ago", .yellow), ("ate rat bait a week ago", .yellow),
    ("two weeks ago he ate rat bait", .yellow), ("ate rat bait. That was two weeks ago", .yellow),
    ("it's been ten days since he ate the rat bait", .yellow),
    ("ate rat bait two weeks ago and again this morning", .orange),
    ("ate rat bait, had his booster two weeks ago", .orange),
    ("ate rat bait and had his booster two weeks ago", .orange), ("ate rat bait. Booster two weeks ago", .orange),
    ("had his booster two weeks ago and ate rat bait", .orange),
    ("keeps eating the rat bait, first time two weeks ago", .orange),
    ("ate rat bait two weeks ago and is trembling", .red),
  ])
  func `only a date of the eating itself lets time speak`(text: String, level: Urgency) throws {
    let finding = try #require(try Shipped.toxinFindings(text).first { $0.id == "rodenticide" })
    #expect(finding.judgement.level == level, "\(finding.judgement.reason)")
    #expect(finding.standing.counts, "\(finding.standing)")
  }

  @Test(arguments: [
    "ate rat poison last year", "he ate chocolate last Christmas, fine", "ate rat bait, that was last winter",
    "he has a grape sized lump on his leg, eating well", "snapped a tooth to the gum, eating well",
    "Bailey ate his tea", "Ivy ate her dinner", "Whisky had his vaccine, licking his paw",
    "ate one white chocolate button at ten, my sister says chocolate kills dogs", "our chocolate lab ate a stick",
  ])
  func `what is long over or only looks alike is no poisoning`(text: String) throws {
    let findings = try Shipped.toxinFindings(text).filter { $0.standing.counts && $0.judgement.level >= .yellow }
    #expect(findings.isEmpty, "\(findings.map(\.id))")
  }

  @Test(arguments: [
    "the pup chewed my mother's pills", "she ate my partner's blood pressure tablets", "licked my steroid cream",
    "swallowed his owner's thyroxine", "ate two of my neighbour's capsules",
    "got into nana's pill box", "ate some tablets belonging to my dad",
  ])
  func `people's medicine is known by whose it is`(text: String) throws {
    let finding = try Shipped.toxinFindings(text).first { $0.id == "human-heart-drug" }
    #expect(finding?.judgement.level == .orange)
    #expect(finding?.standing.counts == true)
  }

  @Test func `an animal may be called like a poison`() throws {
    #expect(try Shipped.toxinFindings("Lily has been sick twice and ate nothing", species: .cat).isEmpty)
    #expect(try !Shipped.toxinFindings("Ivy was eaten by our goat", species: .smallRuminantOrPig).isEmpty)
    #expect(try !Shipped.toxinFindings("Lily licked the lilies", species: .cat).isEmpty)
  }

  @Test(arguments: [
    "chewed a tray of blue wax blocks", "he has drunk water from the bucket and eaten rat bait",
  ])
  func `the poison's colour and the drinking are no signs`(text: String) throws {
    let finding = try #require(try Shipped.toxinFindings(text).first { $0.id == "rodenticide" })
    #expect(!finding.hasSigns, "\(finding.judgement.reason)")
    #expect(finding.judgement.level == .orange)
  }

  @Test(arguments: ["licked the de-icer off his paws", "walked through antifreeze and licked his feet"])
  func `what was on the paws was eaten`(text: String) throws {
    #expect(try Shipped.toxinFindings(text).first?.judgement.level == .orange)
  }
}
