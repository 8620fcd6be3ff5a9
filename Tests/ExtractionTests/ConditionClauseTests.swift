import Clinical
import Testing
import VetNetTestSupport

@testable import Extraction

/// What hangs on a condition, and what only stands behind one.
struct ConditionClauseTests {
  @Test(arguments: [
    // About the reader, the writer or a slot.
    ("If you have a slot today, he [collapsed] on his walk", Temporality.current),
    ("If you have a slot today he [collapsed] on his walk", .current),
    ("Whenever you're free, his gums are [white]", .current),
    ("No rush, whenever suits, he [collapsed] an hour ago", .current),
    ("If it isn't too much trouble, she has [collapsed]", .current),
    ("Should anybody be free, my dog is [fitting]", .current),
    ("If somebody could see us, [breath smells] of pear drops", .current),
    ("No rush, whenever suits, back legs cold and [useless]", .current),
    // Joined on behind it.
    ("[maggots] around her bottom plus Thursday or Friday would be ideal", .current),
    ("[hypothermic] and she's due in for her nails so maybe someone could look", .current),
    ("he [won't stop bleeding] if you have a minute", .current),
    ("If you have time he [can't stand]", .current),
    ("If you have a slot today, dog [fitting]", .current),
    // A comparison.
    ("a tear about as long as my little finger and a [pink loop] come through", .current),
    ("a hole as long as a pencil, a [pink loop] come through", .current),
    // About the patient, an order, or what would be.
    ("if he [collapses], ring us", .hypothetical),
    ("If you notice he [limps], ring us", .hypothetical),
    ("If she eats a grape, she could [collapse]", .hypothetical),
    ("If you give him chocolate he will [vomit]", .hypothetical),
    ("If no better, [gabapentin] 100 mg", .hypothetical),
    ("If you notice blood, [lethargy] or vomiting, ring", .hypothetical),
    ("If you miss a dose, [fits] come back", .hypothetical),
    ("Isolate him in case he is incubating [strangles]", .hypothetical),
    ("Ring should there be vomiting, [dark stools] or a change", .hypothetical),
    ("carry on as long as he is bright, stop if [vomiting]", .hypothetical),
    ("As long as he has no [vomiting], carry on", .hypothetical),
    ("If excited she [coughs]", .hypothetical),
    ("[vomiting] and diarrhoea may occur", .hypothetical),
  ])
  func `a condition ends where a main clause tells what is so`(marked: String, expected: Temporality) throws {
    let classifier = try Extractors(tables: ExtractionTables { try modelTable($0) }).classifier
    let start = try #require(marked.utf8.firstIndex(of: UInt8(ascii: "[")))
    let end = try #require(marked.utf8.firstIndex(of: UInt8(ascii: "]")))
    let lower = marked.utf8.distance(from: marked.startIndex, to: start)
    let upper = marked.utf8.distance(from: marked.startIndex, to: end) - 1
    let text = marked.filter { $0 != "[" && $0 != "]" }
    #expect(classifier.assertion(of: lower..<upper, in: text).temporality == expected)
  }
}
