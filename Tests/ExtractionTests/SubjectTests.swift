import Clinical
import Testing
import VetNetTestSupport

@testable import Extraction

/// Whose story a clause tells.
@Suite struct SubjectTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// The target in brackets.
    let text: String
    let experiencer: Experiencer
    var testDescription: String { text }
  }

  @Test(arguments: [
    Row(text: "Two of the littermates died of [parvo].", experiencer: .other),
    Row(text: "Two of the littermates died. This one is [bright].", experiencer: .patient),
    Row(text: "Several lambs in the group have [orf]; this ewe is clean.", experiencer: .other),
    Row(text: "The other two cats are [sneezing] too.", experiencer: .other),
    Row(text: "Herd had a [BVD] breakdown in 2016.", experiencer: .other),
    Row(text: "Hector (brother, same house) takes [Cytopoint] monthly.", experiencer: .other),
    Row(text: "No [HCM] in either parent.", experiencer: .other),
    Row(text: "Owner receiving [radiotherapy] herself.", experiencer: .other),
    Row(text: "Mare retained her [membranes]. Foal stood at 50 min.", experiencer: .other),
    Row(text: "People can catch [ringworm].", experiencer: .other),
    Row(text: "Owner has noticed [coughing].", experiencer: .patient),
    Row(text: "Housemate well, he is [coughing] at night.", experiencer: .patient),
    Row(text: "Her sister is well, while Jasper has [mites].", experiencer: .patient),
    Row(text: "The dog is [lame].", experiencer: .patient),
    Row(text: "Cat's third [eyelids] up both sides.", experiencer: .patient),
    Row(text: "Dogs in for booster, [cough] since Monday.", experiencer: .patient),
    Row(text: "A stray bit him, now he has an [abscess].", experiencer: .patient),
    Row(text: "Three of the littermates were weak, but she is [bright].", experiencer: .patient),
    Row(text: "Unlike her housemate, Olive is [thin].", experiencer: .patient),
    Row(text: "Our old cat had it and so when we saw her [drinking] we rang.", experiencer: .patient),
    Row(text: "The last rabbit they had died of [myxomatosis].", experiencer: .other),
    Row(text: "Two others [dead] in the shed.", experiencer: .other),
    Row(text: "Neither the owner nor his other dog has [lesions].", experiencer: .other),
    Row(text: "Dog A [fitting]. Dog B (this pt) quiet.", experiencer: .other),
    Row(text: "Dog A fitting. Dog B (this pt) [quiet].", experiencer: .patient),
    Row(text: "Dog A (collie) [fitting]. Dog B = this pt.", experiencer: .other),
    Row(text: "Kitten 1 [sneezing]. Kitten 2 (this one) no signs.", experiencer: .other),
    Row(text: "Dog #2 [vomited] too.", experiencer: .other),
    Row(text: "Cat 5 kg, [vomiting] daily.", experiencer: .patient),
    Row(text: "As her sister had, she has [cataracts].", experiencer: .patient),
    Row(text: "As his dam did, the pup [squints].", experiencer: .patient),
    Row(text: "As his dam had [entropion], lids checked.", experiencer: .other),
    Row(text: "Heifers scouring, two have [pneumonia].", experiencer: .patient),
    Row(text: "Rang about the flock. Five sheep were [lame] on Friday.", experiencer: .patient),
    Row(text: "Hens off lay. Neighbour's hens had [mites].", experiencer: .other),
    Row(text: "Their ewes had [orf]. This ewe is clean.", experiencer: .other),
    Row(text: "Two lambs stiff. Ewes had [orf] last year.", experiencer: .other),
    Row(text: "Jersey cow with [mastitis]. Calf of this cow is well.", experiencer: .patient),
    Row(text: "One cat came home with [flu]. This one was vaccinated.", experiencer: .other),
    Row(text: "Two mares slipped foals, the stallion has a [rash]. This filly is sound.", experiencer: .other),
    Row(text: "Neighbouring farm had [bluetongue] last month.", experiencer: .other),
    Row(text: "Felix next door has [mange].", experiencer: .other),
    Row(text: "Rider also [scratched on the hand].", experiencer: .other),
    Row(text: "[Babesia] killed her last dog.", experiencer: .other),
    Row(text: "Two rats. Pip has a [tumour]. Dot (this one) is well.", experiencer: .other),
    Row(text: "Two rats. Pip has a tumour. Dot (this one) is [thin].", experiencer: .patient),
    Row(text: "Two rats. Pip has a tumour. Dot (this one): [thin], hunched.", experiencer: .patient),
    Row(text: "3 in the van had [parvo]. No signs in this one.", experiencer: .other),
    Row(text: "Others [limping], this ewe sound.", experiencer: .other),
    Row(text: "3 d of [vomiting], none today.", experiencer: .patient),
    Row(text: "Housemate (Westie) on drops for [otitis].", experiencer: .other),
    Row(text: "Kitten died last week. Sibling (this kitten): well, no [effusion].", experiencer: .patient),
    Row(text: "Neighbouring flock went down with [orf].", experiencer: .other),
  ])
  func `a finding is the subject's of its clause`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row(text: "He coughs. His field mate coughs too but she has always had [asthma].", experiencer: .other),
    Row(text: "He is quiet. His sister is fine now, last week she had [colitis].", experiencer: .other),
    Row(text: "She is dull. Her brother died of parvo and she is [vomiting].", experiencer: .patient),
    Row(text: "Owner is a nurse and is certain he never had [steroids].", experiencer: .patient),
    Row(text: "His mum is worried that he [limps].", experiencer: .patient),
    Row(text: "Rex lame. Pet parent asks about [arthritis].", experiencer: .patient),
    Row(text: "Hi, this is Anna, Milo's mum, he's been [sneezing] all week.", experiencer: .patient),
    Row(text: "Her doctor says she has [toxoplasmosis].", experiencer: .other),
    Row(text: "Farmer drenched with [moxidectin] in May.", experiencer: .patient),
    Row(text: "Farm worker being treated for [Q fever].", experiencer: .other),
  ])
  func `pronouns and those who tell point back to whom they mean`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row(text: "Dog bright. The cat is [vomiting].", experiencer: .other),
    Row(text: "Cat bite abscess. The dog is [pyrexic].", experiencer: .patient),
    Row(text: "Rat bait eaten. Dog has [bruising].", experiencer: .patient),
    Row(text: "Budgie off colour. The bird is [fluffed up].", experiencer: .patient),
    Row(text: "Mare with foal at foot. The horse has [colic].", experiencer: .patient),
    Row(text: "Pony lame. The bay had [laminitis] in spring.", experiencer: .other),
    Row(text: "Bay gelding lame. The bay has [heat] in the foot.", experiencer: .patient),
    Row(text: "Litter of three kittens. The tabby has [conjunctivitis].", experiencer: .patient),
    Row(text: "Goats off feed. Kid [bloated].", experiencer: .patient),
    Row(text: "Owner's kid has [flu]. Dog well.", experiencer: .other),
    Row(text: "Cow down. Two heifers [scouring].", experiencer: .other),
    Row(text: "Queen in labour. Two kittens [stillborn].", experiencer: .other),
    Row(text: "Doe with [mastitis], kid also thin.", experiencer: .patient),
    Row(text: "Three geckos in the same rack have [mites]. This one clear.", experiencer: .other),
    Row(text: "Child at home has [scabies].", experiencer: .other),
    Row(text: "New kitten at home has [fleas].", experiencer: .other),
    Row(text: "House cat, [vomiting].", experiencer: .patient),
    Row(text: "Pen 4: coughing. Pen 6 has [scour].", experiencer: .other),
    Row(text: "House 2 has [coughing].", experiencer: .patient),
    Row(text: "Foster here, kitten #3 has [goopy eyes].", experiencer: .patient),
    Row(text: "Keeps another that [prolapsed].", experiencer: .other),
    Row(text: "The other dog vomited this morning and has [diarrhoea].", experiencer: .other),
    Row(text: "Lame for a week. Sister cat was checked too, [mites] in both ears.", experiencer: .other),
    Row(text: "[Strangles] on yard, temps twice a day.", experiencer: .other),
    Row(text: "[Cough] at kennels, boarding until Friday.", experiencer: .patient),
    Row(text: "Blood donor screening: [murmur] II/VI.", experiencer: .patient),
    Row(text: "Found a stray kitten, [flea anaemia].", experiencer: .patient),
    Row(text: "Lives with a cat. Dog [itchy].", experiencer: .patient),
  ])
  func `kind, number and place tell one animal from another`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row(text: "Loss of mate 6/24; Gordon's [dementia] (owner, not bird) since winter.", experiencer: .other),
    Row(text: "Feather loss. [Dementia] (mild) (owner, not the bird).", experiencer: .other),
    Row(text: "[Asthma] (mum's).", experiencer: .other),
    Row(text: "[Diabetes] (not this cat).", experiencer: .other),
    Row(text: "[Diabetes] (not him).", experiencer: .other),
    Row(text: "Lame. [Cruciate repair] (the other dog's).", experiencer: .other),
    Row(text: "On file: [diabetic] - that's the other dog.", experiencer: .other),
    Row(text: "[Diabetic], that was her sister.", experiencer: .other),
    Row(text: "[Epilepsy] - housemate, not this dog.", experiencer: .other),
    Row(text: "Mr Gordon rang. Gordon's [dementia] is worse.", experiencer: .other),
    Row(text: "Seen with son Euan. Euan's severe [asthma] makes home visits hard.", experiencer: .other),
    Row(text: "Gordon (owner) rang: Gordon's [arthritis] flared.", experiencer: .other),
    Row(text: "Bella's [cough] is worse.", experiencer: .patient),
    Row(text: "Mrs Bell rang. Bella's [cough] is worse.", experiencer: .patient),
    Row(text: "[Addison's disease] confirmed.", experiencer: .patient),
    Row(text: "[Cushing's] stable on trilostane.", experiencer: .patient),
    Row(text: "Mr Horner rang. [Horner's syndrome] left eye.", experiencer: .patient),
    Row(text: "Horner's [syndrome] left eye.", experiencer: .patient),
    Row(text: "Mr Gordon rang. Gordon's dog has [diarrhoea].", experiencer: .patient),
    Row(text: "Mr Gordon rang. Gordon's video shows [coughing].", experiencer: .patient),
    Row(text: "Gordons [dementia] is worse since Mr Gordon fell.", experiencer: .other),
    Row(text: "Mrs Jones [vomiting] dog again.", experiencer: .patient),
    Row(text: "[Coughing] (O's video, not clear).", experiencer: .patient),
    Row(text: "[Vomiting] (not today).", experiencer: .patient),
    Row(text: "[Lame] (not weighed).", experiencer: .patient),
    Row(text: "[Fluralaner] given (cat, not dog).", experiencer: .patient),
    Row(text: "[Wound] from the dog (neighbour's).", experiencer: .patient),
    Row(text: "[Wound] on leg (other dog).", experiencer: .patient),
    Row(text: "[Coughing], and dementia (owner, not bird).", experiencer: .patient),
    Row(text: "Dementia (owner, not bird), [coughing].", experiencer: .patient),
    Row(text: "[Vomiting] - that's the main worry.", experiencer: .patient),
    Row(text: "[Lame] - this dog, not the other one.", experiencer: .patient),
  ])
  func `a tag behind a sign and a person's name before it say whose it is`(row: Row) throws { try check(row) }

  private func check(_ row: Row) throws {
    let marked = Marked(row.text)
    let target = try #require(marked.targets.first)
    let assertion = try Fixtures.extractors.get().classifier.assertion(of: target, in: marked.text)
    #expect(assertion.experiencer == row.experiencer, "\(assertion)")
  }

  @Test func `what another animal had is past, what the owner has goes on`() throws {
    let classifier = try Fixtures.extractors.get().classifier
    func temporality(_ text: String) throws -> Temporality {
      let marked = Marked(text)
      return classifier.assertion(of: try #require(marked.targets.first), in: marked.text).temporality
    }
    #expect(try temporality("Herd had a [BVD] breakdown.") == .historical)
    #expect(try temporality("Owner has [asthma].") == .current)
    #expect(try temporality("My friend's cat was [poorly] on that food.") == .historical)
    #expect(try temporality("Neighbour's collie went [blind] with it.") == .historical)
    #expect(try temporality("Sister dropped dead at 4, PM [cardiomyopathy].") == .historical)
    #expect(try temporality("The other cat is on drops for [asthma].") == .current)
    #expect(try temporality("Her brother [died under GA].") == .historical)
    #expect(try temporality("Neighbour's terrier [died] yesterday.") == .historical)
    #expect(try temporality("The littermates are [infected] too.") == .current)
    #expect(try temporality("The other dog may have [ticks].") == .current)
    #expect(try temporality("The other dog knocked down has a [fractured jaw].") == .current)
    #expect(try temporality("Whelping since three. One pup [dead].") == .current)
    #expect(try temporality("Owner was [coughing] all through the consult.") == .current)
  }

  @Test func `spans lie within their sentences whatever the text`() throws {
    let classifier = try Fixtures.extractors.get().classifier
    var random = SplitMix64(seed: 5)
    let words = [
      "the", "other", "dogs", "two", "of", "had", "owner", "herself", "in", "a", "cat", ",", ";", ".", "\n", ":", "(",
      ")", "not", "that's", "Mr", "Gordon", "Gordon's", "Hector", "brother", "while", "they", "this", "pup", "31", "-",
      "and", "mare", "no", "HCM",
    ]
    for _ in 0..<400 {
      let text = (0..<Int.random(in: 0...18, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        .joined(separator: " ")
      let context = classifier.context(of: text)
      for word in context.text.words.indices {
        guard let span = context.subject(of: word) else { continue }
        #expect(span.words.contains(word) && span.words.upperBound <= context.text.words.count)
      }
    }
  }
}
