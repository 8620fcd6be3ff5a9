import Clinical
import Testing

@testable import Extraction

/// Passages that say several things of several animals and times, as notes, letters and owners do; one row a target.
@Suite struct PassageTests {
  typealias Row = AssertionTests.Row

  private func check(_ row: Row) throws {
    let classifier = try Fixtures.extractors.get().classifier
    let marked = Marked(row.text)
    let target = try #require(marked.targets.first)
    let assertion = classifier.assertion(of: target, in: marked.text)
    // Whether advice is so is not asked.
    if row.temporality != .hypothetical { #expect(assertion.polarity == row.polarity, "\(assertion)") }
    #expect(assertion.temporality == row.temporality, "\(assertion)")
    #expect(assertion.experiencer == row.experiencer, "\(assertion)")
  }

  @Test(arguments: [
    Row("Any coughing? No. Sneezing? Occasionally. Appetite: [reduced]."),
    Row("vomiting: none, [diarrhoea]: yes since Tues, cough: none"),
    Row("[V]-/D-/C-/S-", .absent),
    Row("[V]+ x3, D-, PU/PD+"),
    Row("C/S/[V]/D: nil reported", .absent),
    Row("No [C]/S/V/D.", .absent),
    Row("O denies C/S/[V]/D but reports lethargy.", .absent),
    Row("[Heart] NAD, lungs clear, abdomen tense.", .absent),
    Row("r/o pancreatitis vs FB; [Addison's] ruled out on ACTH stim.", .absent),
    Row("Pancreatitis can't be ruled out. [Pyometra] has been ruled out by scan.", .absent),
    Row("Any signs of pain? [Limping] a bit after walks. Any stiffness? None noticed."),
    Row("Has she been [sick]? No, but she's had diarrhoea twice.", .absent),
    Row("Q: [drinking more]? A: no. Q: weight loss? A: yes, about 1 kg.", .absent),
    Row("[Itching]? yes - ears mainly. Fleas? none seen. Hair loss? a little over the rump."),
    Row("Not [vomiting] or coughing but has been off his food.", .absent),
    Row("No [murmur], arrhythmia or pulse deficits; mild dental tartar.", .absent),
    Row("Denies [toxin access], trauma, travel.", .absent),
    Row("Neither [coughing] nor sneezing at home, though nasal discharge seen today.", .absent),
    Row("Eating without [difficulty]. Walks without lameness.", .absent),
    Row("No change in [appetite loss]."),
    Row("The lameness resolved after rest, but the [stiffness] remains."),
    Row("Owner declined [radiographs]; happy with meloxicam.", .absent),
    Row("His sister died of GDV. He has a [distended abdomen] today."),
    Row("Mum has had shingles so couldn't bring him. He is still [scratching]."),
    Row("Previously healthy until 3 days ago when he started [vomiting]."),
    Row("Had a seizure in 2021, none since. Today [collapsed] on walk."),
    Row("Spayed 2019, mammary strip 2022. Now [coughing]."),
    Row("On [insulin] 4 IU BID since January."),
    Row("Gave [Cerenia] today. Come back if any blood in stool."),
    Row("An old [fracture] of the pelvis on the film.", .present, .historical),
    Row("12 yr old [Lab] cross."),
    Row("Around Easter she had a bout of [colitis].", .present, .historical),
    Row("Until last month he was [limping] every day.", .present, .historical),
    Row("No [head tilt] prior to this.", .absent, .historical),
    Row("Kept well controlled on [benazepril]."),
    Row("Strict rest; [rupture] risk explained.", .present, .hypothetical),
    Row("Taught signs of [hypoglycaemia].", .present, .hypothetical),
    Row("[Thymoma] top of our list, scan next.", .uncertain),
    Row("There was an episode of [collapse] and he is flat now."),
    Row("I would like some advice on his [vomiting]."),
    Row("Please, I need advice on his [bleeding]."),
    Row("Got out, and when he came back he was [limping]."),
    Row("Faeces sent, [giardia] by PCR.", .uncertain),
    Row("[Giardia] PCR negative.", .absent),
    Row("[Babesia] neither confirmed nor excluded.", .uncertain),
    Row("Circling R, head tilt [L]. Vestibular disease likely."),
    Row("[MRI] discussed but owner cannot afford it.", .absent),
    Row("No history of trauma. No known [allergies].", .absent),
    Row("Not on any [medication].", .absent),
    Row("Metacam was not dispensed as [kidney values raised]."),
    Row("Wouldn't take the [tablets].", .absent),
    Row("Unremarkable apart from grade 2 [murmur]."),
    Row("Nothing abnormal except for a [small lump] on the flank."),
    Row("Bloods: ALT raised, otherwise WNL. [Jaundice] not present.", .absent),
    Row("[Fluorescein uptake] negative, so no ulcer.", .absent),
    Row("Faecal float: no [parasites] seen. Giardia SNAP positive.", .absent),
    Row("[FIV]/FeLV neg.", .absent),
    Row("Culture grew [E. coli], no Pseudomonas."),
    Row("Could the [limping] be from the vaccine?"),
    Row("Post-op: no [swelling] or discharge from the wound; slight bruising.", .absent),
    Row("Discharged with [gabapentin] to be given TID. Do not give ibuprofen."),
    Row("Neighbour's cat attacked him; [abscess] over tail base."),
    Row("Caught [conjunctivitis] from the new kitten."),
    Row("The new kitten has flu and now he is [sneezing]."),
    Row("Sire and dam both clear of PRA. Pup has [cherry eye]."),
    Row("The owner, who has asthma, wonders about inhalers for the cat, whose [asthma] is worse."),
    Row("Hx of struvite stones. Today [straining]."),
    Row("A: [otitis externa] AU. P: start Osurnia, recheck 2 wks."),
    Row("[Swelling] improved but not gone."),
    Row("Less [itchy] than last visit."),
    Row("No worse. Still [coughing] at night."),
    Row("[Ataxia] no better on steroids."),
    Row("[Pain] on palpation: none elicited.", .absent),
    Row("Abdominal palpation comfortable, no [masses] palpable, bladder small.", .absent),
    Row("[Cough] not elicited on tracheal pinch.", .absent),
    Row("[Nystagmus] not observed. Head tilt to the left.", .absent),
    Row("There is nothing to suggest [sepsis].", .absent),
  ])
  func `a passage says of each of its findings whether it is so`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("r/o [pancreatitis] vs FB; Addison's ruled out on ACTH stim.", .uncertain),
    Row("Cannot exclude [lymphoma] at this stage although IBD more likely.", .uncertain),
    Row("[Pancreatitis] can't be ruled out. Pyometra has been ruled out by scan.", .uncertain),
    Row("There may be a degree of [hip dysplasia].", .uncertain),
    Row("[Hip dysplasia] is possible but cruciate disease is the more likely explanation.", .uncertain),
    Row("Sounds to me like [kennel cough].", .uncertain),
    Row("Lump most likely a [lipoma]. FNA declined.", .uncertain),
    Row("Biopsy pending for [mast cell tumour].", .uncertain),
    Row("Awaiting histology; [sarcoma] suspected.", .uncertain),
    Row("She is worried it might be [cancer].", .uncertain),
    Row("Do you think he could have [arthritis]?", .uncertain),
    Row("DDx: [IBD], lymphoma, dietary.", .uncertain),
    Row("Imp: likely [gastroenteritis]. Plan: fluids, bland diet.", .uncertain),
    Row("Toxoplasma titres negative; [neospora] titres pending.", .uncertain),
    Row("Temp normal, so [infection] seems unlikely.", .uncertain),
    Row(
      "QAR, pyrexic 39.9. Mucous membranes tacky. I could not appreciate any abdominal mass, though [splenomegaly] is not out of the question.",
      .uncertain),
    Row(
      "Owner reports that two weeks ago she had a tick removed. Since then intermittently lame. [Lyme disease] therefore high on our list. 4Dx submitted.",
      .uncertain),
    Row(
      "SNAP cPL abnormal, which in view of the history makes [acute pancreatitis] most likely; a linear foreign body has yet to be excluded.",
      .uncertain),
    Row(
      "Regurgitation seen in hospital overnight x2; nil since midnight. [Aspiration pneumonia] a worry, chest films in the morning.",
      .uncertain),
    Row(
      "The horse shows grade 2/5 lameness left fore, abolished by a palmar digital nerve block. There was no response to hoof testers. [Navicular disease] must be suspected.",
      .uncertain),
    Row(
      "Ferret: hair loss tail and flanks, vulva not swollen. [Adrenal disease] until proven otherwise. Offered deslorelin, owner will think about it.",
      .uncertain),
    Row(
      "Bearded dragon. Not eating for 3 wks, basking temps low. [Brumation] vs illness. Faecal: coccidia +++. Gut impaction can be ruled out on rads.",
      .uncertain),
    Row(
      "T4 in normal range: hyperthyroidism not supported. Renal values creeping up; [early CKD] possible.", .uncertain),
    Row("is there any chance its [fleas]? i havent seen any fleas and he had advocate last month", .uncertain),
    Row(
      "He ate something in the park, could have been a [mushroom], I didn't see. Hasn't been sick yet but is drooling.",
      .uncertain),
    Row("There was no growth of bacteria. [Mycoplasma] PCR to follow.", .uncertain),
    Row(
      "Cytology is suggestive of [reactive hyperplasia]; there are no features of malignancy. Lymphoma thought less likely.",
      .uncertain),
    Row("Sample haemolysed; [hyperkalaemia] may be artefactual.", .uncertain),
    Row("An underlying [endocrinopathy] should be considered, as should food allergy.", .uncertain),
    Row(
      "The differential diagnosis includes [neoplasia] and abscessation; a simple seroma is excluded by the cytology.",
      .uncertain),
  ])
  func `doubt is told in many ways`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("The [lameness] resolved after rest, but the stiffness remains.", .present, .historical),
    Row("[Prednisolone] stopped last month because of polyphagia.", .present, .historical),
    Row("If [vomiting] recurs start maropitant.", .present, .hypothetical),
    Row("Had a [seizure] in 2021, none since. Today collapsed on walk.", .present, .historical),
    Row("Spayed 2019, [mammary strip] 2022. Now coughing.", .present, .historical),
    Row("Cough has resolved; no longer on [doxycycline].", .present, .historical),
    Row("Vaccinated against [leptospirosis] today. Watch for facial swelling.", .present, .hypothetical),
    Row("Gave Cerenia today. Come back if any [blood] in stool.", .present, .hypothetical),
    Row("Consider [ultrasound] if no better.", .present, .hypothetical),
    Row("He was [lame] as a puppy but has been sound since.", .present, .historical),
    Row("[Ear infection] cleared up with drops in May.", .present, .historical),
    Row("She used to get [cystitis] every winter.", .present, .historical),
    Row("She's never had a [fit] before.", .absent, .historical),
    Row("No history of [trauma]. No known allergies.", .absent, .historical),
    Row("Did not tolerate [metronidazole] when given in 2020.", .present, .historical),
    Row("Risk of [haemorrhage] explained before biopsy.", .present, .hypothetical),
    Row("Discharged with gabapentin to be given TID. Do not give [ibuprofen].", .absent, .hypothetical),
    Row("Return if [lethargic], off food or the wound opens.", .present, .hypothetical),
    Row("Ring if she becomes [wobbly].", .present, .hypothetical),
    Row("We will repeat [bloods] in 4 weeks.", .present, .hypothetical),
    Row("Booked in for [dental] next Tuesday.", .present, .hypothetical),
    Row("Hx of [struvite stones]. Today straining.", .present, .historical),
    Row("PMHx: [TPLO] 2020, otitis.", .present, .historical),
    Row("Imp: likely gastroenteritis. Plan: [fluids], bland diet.", .present, .hypothetical),
    Row("[Apoquel] was helping but owner ran out 3 weeks ago.", .present, .historical),
    Row("Owner stopped giving [Vetmedin] herself.", .present, .historical),
    Row("Bled from the nail yesterday, [bleeding] has now stopped.", .present, .historical),
    Row(
      "Pt presents for a 5 day hx of hematuria and stranguria; no polyuria per owner. Last [UTI] was over two years ago and responded to Clavamox.",
      .present, .historical),
    Row(
      "Owner reports that two weeks ago she had a [tick] removed. Since then intermittently lame. Lyme disease therefore high on our list. 4Dx submitted.",
      .present, .historical),
    Row(
      "Impression: MMVD B2. CHF not present at this time. Owners to monitor SRR and call if [over 35].", .present,
      .hypothetical),
    Row(
      "She had been treated with [cephalexin] by the referring vet without improvement. At no point was pruritus a feature.",
      .present, .historical),
    Row(
      "Castrated at 6 mo. One [testicle] was retained and removed from the abdomen at the time.", .present, .historical),
    Row(
      "[Regurgitation] seen in hospital overnight x2; nil since midnight. Aspiration pneumonia a worry, chest films in the morning.",
      .present, .historical),
    Row(
      "Mare scanned 16d: twins not seen, single vesicle, so in foal. Previous [abortion] at 7 months, EHV negative then.",
      .present, .historical),
    Row("Never had [kennel cough vaccine]. Last booster Oct 2022, lepto lapsed.", .absent, .historical),
    Row(
      "Hx: [IVDD surgery] T12-13 2018, good recovery. Now acute onset back pain, ambulatory, deep pain intact x4.",
      .present, .historical),
    Row(
      "Eyes: [cherry eye] OD replaced surgically in puppyhood. Today OS ulcer, Seidel negative.", .present, .historical),
    Row("If [biopsy] declined, trial steroids.", .absent, .hypothetical),
    Row("Quote given for [TPLO] at referral; o to discuss at home.", .present, .hypothetical),
    Row("Should [jaundice] develop, stop the azathioprine and recheck LFTs.", .present, .hypothetical),
    Row(
      "He may [vomit] after the anaesthetic. Some coughing is to be expected from the tube.", .present, .hypothetical),
    Row(
      "Keep the cone on to stop him [licking]. Contact us at once if the wound becomes red or smelly.", .present,
      .hypothetical),
    Row(
      "Give with food to reduce the chance of [stomach upset]. Don't use in pregnant animals.", .present, .hypothetical),
    Row("[Rimadyl] caused black stools in 2020 so avoid all NSAIDs.", .present, .historical),
    Row("Allergies: none known. Adverse reactions: [hives] after rabies vaccine as a pup.", .present, .historical),
    Row("Prev vet notes: [pancreatitis] x2, crystals 2021. No surgeries.", .present, .historical),
    Row(
      "Owner rang: the [diarrhoea] had cleared by Friday but today blood again. No vomiting. Eating ok.", .present,
      .historical),
    Row("His [cough] has gone but now he's itchy.", .present, .historical),
    Row(
      "is there any chance its fleas? i havent seen any fleas and he had [advocate] last month", .present, .historical),
    Row("The [bleeding] stopped by itself after ten minutes. She isn't limping now.", .present, .historical),
    Row(
      "[Left-sided CHF] was diagnosed in March and resolved with furosemide; there are currently no signs of failure.",
      .present, .historical),
    Row("At discharge Bella was no longer [ataxic], though mild paresis persisted.", .present, .historical),
    Row(
      "Histopathology confirmed [mast cell tumour] grade II, completely excised in 2019, with no recurrence to date.",
      .present, .historical),
    Row("[Surgery] would be indicated only if the obstruction is confirmed.", .present, .hypothetical),
  ])
  func `what was and what may come is told from what is`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("His sister died of [GDV]. He has a distended abdomen today.", .present, .historical, .other),
    Row("Other dog in house had [parvo] last year; this one vaccinated.", .present, .historical, .other),
    Row("Owner is [allergic to cats] so keeps him outdoors.", .present, .current, .other),
    Row("The previous dog in the home died of [lymphoma].", .present, .historical, .other),
    Row("Littermate also [coughing]. Owner's cat at home has ringworm.", .present, .current, .other),
    Row("The new kitten has [flu] and now he is sneezing.", .present, .current, .other),
    Row("Sire and dam both clear of [PRA]. Pup has cherry eye.", .absent, .current, .other),
    Row(
      "The owner, who has [asthma], wonders about inhalers for the cat, whose asthma is worse.", .present, .current,
      .other),
    Row("Two of her kittens died of [flu]; she herself is well.", .present, .historical, .other),
    Row("The breeder's other litter had [parvo].", .present, .historical, .other),
    Row(
      "My other cat had [hyperthyroid] and it started just like this, but the vet nurse said his thyroid felt normal last month.",
      .present, .historical, .other),
    Row(
      "We lost his brother to [lymphoma] at the age of six so I'm a bit paranoid. He's lost no weight though.",
      .present, .historical, .other),
    Row(
      "Budgie fluffed up. Its mate died last week of [megabacteria]. Crop wash: no yeasts.", .present, .historical,
      .other),
    Row(
      "Herd problem with [BVD]; this heifer tested antigen negative. Dull, T 40.1, pneumonia on auscultation.",
      .present, .current, .other),
    Row(
      "O's partner is undergoing [chemo], asks re zoonosis. Told risk of Campylobacter from raw feeding.", .present,
      .current, .other),
    Row(
      "Daughter was [scratched] by him yesterday when she tried to give the worming tablet, which he spat out.",
      .present, .current, .other),
    Row(
      "My nan has [ringworm] on her arm and she was cuddling him at the weekend. Nothing on his skin.", .present,
      .current, .other),
    Row("Her mum had [heart trouble] and the breeder says the sister collapsed too.", .present, .historical, .other),
    Row(
      "The other rabbit is perfectly [well] - no sneezing, eating fine. Thumper however has had snuffles for a week.",
      .present, .current, .other),
    Row("Two out of the five chicks have [splayed legs] but this one walks fine.", .present, .current, .other),
  ])
  func `another's story is another's until the patient's goes on`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("No V/D. [Hyperthyroidism] confirmed."), Row("Off milk 2d. [LDA] found."),
    Row("Not vomited 5x. [Cough] at night."),
    Row("No cough at 16w. [murmur] heard"), Row("No p.r.n. [meloxicam] needed", .absent),
    Row("no dehiscence, minimal [oedema]"), Row("No fracture palpable, [keel] prominent"),
    Row("Outstanding: histology. Bloods back, [anaemia]"), Row("Outstanding: [histology]. Bloods back", .uncertain),
    Row("Q: [drinking] more? A: no", .absent),
    Row("[Effusion], drained on the 3rd, has not recurred", .present, .historical), Row("OS [ulcer] today"),
    Row("no [increase in effort]", .absent), Row("no increase in [effort]"),
    Row("cannot rule [listeriosis] out", .uncertain), Row("[Scurvy] not suspected", .absent),
  ])
  func `a cue ends where what it is said of ends`(row: Row) throws { try check(row) }

  @Test(arguments: [
    // An adverb within a cue.
    Row("His [cough] has now completely gone", .present, .historical),
    Row("she is not currently on [prednisolone]", .absent),
    // A word of time at the end of what it is about, and at the beginning.
    Row("Diagnosed in May 2022, well regulated on [insulin]"),
    Row("In May 2022, had [pancreatitis]", .present, .historical),
    Row("Grade III [murmur], II last November"), Row("FNA last month said [lipoma]"),
    Row("TECA in 2018 without trouble, apart from [facial paralysis]", .present, .historical),
    // What is done once is done; a sign may go on.
    Row("He has had [radioiodine]", .present, .historical), Row("He has had [diarrhoea]"),
    Row("Has had his [booster] today"), Row("2019 [splenectomy]", .present, .historical),
    // Two cues that share a word are both read.
    Row("signs were not attributable to [diabetes]", .absent), Row("[FIV] hasn't been excluded", .uncertain),
  ])
  func `time and denial reach as far as they are meant to`(row: Row) throws { try check(row) }

  @Test(arguments: [
    Row("My other cat Gus had crystals. Gus has [asthma]", .present, .current, .other),
    Row("The gelding is no carrier. The mare has [strangles]", .present, .current, .other),
    Row("My nan's dog had [lymphoma]", .present, .historical, .other),
    Row("Her dam, who had [mange], is well", .present, .historical, .other),
    Row("Zoonotic risk for Mr Lyons, who has [lymphoma]", .present, .current, .other),
    Row("He lives with an elderly cat who is [FIV] positive", .present, .current, .other),
    Row("Siblings went to Cork and have [tapeworms]", .present, .current, .other),
    Row("Both kids have had flu, and now the dog has [diarrhoea]"),
    Row("Hx per neighbour: [seizures] x3"), Row("[straining] in the litter box"),
    Row("My sister said it might be [worms]", .uncertain), Row("Stray tom, [gingivitis]"),
    Row("Bitch whelped 5 pups Sunday, now [trembling]"),
    // What "who" tells of begins the sentence: nothing stands before it to be read.
    Row("Cat who has [asthma], coughing again."),
  ])
  func `names, sexes and company tell whose story it is`(row: Row) throws { try check(row) }
}
