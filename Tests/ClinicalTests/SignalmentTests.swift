import Clinical
import Testing

@Suite struct SignalmentTests {
  @Test(
    arguments: [
      ("Canine", Species.dog), ("dogs", .dog), ("K9", .dog), ("puppies", nil), ("Feline", .cat), ("FELIS CATUS", .cat),
      ("kitten", .cat), ("Rabbits", .rabbit), ("bunny", .rabbit), ("guinea pig", .guineaPig),
      ("Guinea  Pigs", .guineaPig),
      ("cavy", .guineaPig), ("ferret", .ferret), ("hamster", .smallMammal), ("Equine", .horse), ("pony", .horse),
      ("donkey", .horse), ("bovine", .cattle), ("heifer", .cattle), ("ewe", nil), ("alpaca", .smallRuminantOrPig),
      ("African Grey", .bird), ("budgie", .bird), ("bearded dragon", .reptile), ("tortoise", .reptile), ("can.", .dog),
      ("unicorn", nil), ("", nil), ("other", .other),
    ] as [(String, Species?)]) func `species go by many names`(text: String, species: Species?)
  {
    #expect(Species(describing: text) == species)
  }

  @Test(
    arguments: [("can", nil), ("Can", nil), ("other", nil), ("dogs", .dog), ("feline", .cat), ("k9", nil)]
      as [(String, Species?)])
  func `running text names a species by fewer words than a field`(word: String, species: Species?) {
    #expect(Species(mention: word) == species)
  }

  @Test func `every species reads its own name`() {
    for species in Species.allCases { #expect(Species(describing: species.rawValue) == species) }
  }

  @Test(
    arguments: [
      ("MN", Sex.maleNeutered), ("M/N", .maleNeutered), ("male (neutered)", .maleNeutered),
      ("Castrated male", .maleNeutered),
      ("gelding", .maleNeutered), ("FS", .femaleSpayed), ("F.N.", .femaleSpayed), ("Spayed Female", .femaleSpayed),
      ("M", .male), ("male entire", .male), ("ME", .male), ("stallion", .male), ("F", .female), ("FI", .female),
      ("Bitch", .female), ("", .unknown), ("unk", .unknown), ("U", .unknown), ("hermaphrodite", nil),
    ] as [(String, Sex?)]) func `sexes go by many names`(text: String, sex: Sex?)
  {
    #expect(Sex(describing: text) == sex)
  }

  @Test func `every sex reads its own word, and is of one kind`() {
    for sex in Sex.allCases {
      #expect(Sex(describing: sex.rawValue) == sex)
      #expect(!(sex.isMale && sex.isFemale))
    }
  }
}
