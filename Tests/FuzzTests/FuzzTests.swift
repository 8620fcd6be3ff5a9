import Foundation
import FuzzTargets
import Testing
import VetNetTestSupport

/// What may be anything is read whatever it is: the kept inputs, those that once ended a process, and some that are made of them. Each
/// reader reads in a process of its own, which a crash ends. `make fuzz` makes more of them.
struct FuzzTests {
  /// Inputs below a folder, in order.
  private static func inputs(_ folder: String, _ target: FuzzTarget) throws -> [[UInt8]] {
    let path = "\(projectDirectory)/Tests/FuzzTests/\(folder)/\(target.rawValue)"
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      .map { [UInt8](try Data(contentsOf: URL(filePath: "\(path)/\($0)"))) }
  }

  private static func read(_ target: FuzzTarget, count: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "vetnet-fuzz-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let bench = try FuzzBench(models: modelsDirectory, folder: folder)
    let corpus = try inputs("Corpus", target)
    for input in try corpus + inputs("Crashes", target) { bench.run(target, input) }
    // Whole and cut off at each byte, as a copy that broke off.
    for input in corpus.prefix(2) {
      for end in stride(from: 0, to: input.count, by: max(1, input.count * 10 / count)) {
        bench.run(target, Array(input[..<end]))
      }
    }
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["VETNET_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    let times = environment["VETNET_FUZZ_TIMES"].flatMap { Int($0) } ?? 1
    var mutator = Mutator(seed: seed, words: target.words)
    for _ in 0..<(count * times) {
      let input = mutator.next(corpus)
      // Left behind by a process that is ended while it is read.
      if let last = environment["VETNET_FUZZ_LAST"] {
        try Data(input).write(to: URL(filePath: "\(last)/\(target.rawValue)"))
      }
      bench.run(target, input)
    }
    if times > 1 { print("\(target.rawValue): \(count * times) inputs of seed \(seed)") }
  }

  /// How many inputs are made up; fewer where a whole question is answered for each.
  private static func count(_ target: FuzzTarget) -> Int {
    switch target {
    case .question, .triage: 15
    case .note, .bookQuestion: 60
    default: 400
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `whatever is read, the process goes on, and gives only what it may`(target: FuzzTarget) async throws {
    #expect(try !Self.inputs("Corpus", target).isEmpty)
    await #expect(processExitsWith: .success) { [target] in
      try FuzzTests.read(target, count: FuzzTests.count(target))
    }
  }
}
