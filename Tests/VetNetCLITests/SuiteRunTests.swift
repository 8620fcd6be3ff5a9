import Testing

@testable import VetNetCLI

@Suite struct SuiteRunTests {
  @Test(arguments: [
    (["Evaluations/questions/dev"], "questions-dev"),
    (["/a/clone/Evaluations/triage/dev.jsonl"], "triage-dev"),
    (["q/train", "q/harbour"], "q-train+q-harbour"),
    ((1...40).map { "Evaluations/questions/practice-\($0)" }, "questions-practice-1+39-more"),
  ])
  func `a run is called after what it measured, and always by a name that a file can have`(
    paths: [String], name: String
  ) {
    #expect(SuiteRun.name(of: paths) == name)
    #expect(SuiteRun.name(of: paths).utf8.count < 200)
  }
}
