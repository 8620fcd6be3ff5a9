package import Clinical
import Dispatch
import FoundationEssentials

/// The folder `Models/`: everything learned or judged, as data. Each part is read when it is first needed, so that a
/// question does not pay for the triage protocols.
///
/// One process uses it from one thread; the stages it builds are `Sendable` values.
public final class ModelDirectory {
  public var path: String { files.path }
  let files: ModelFiles
  /// Stages already built, by the name of the function that builds them.
  private var built: [String: any Sendable] = [:]
  /// What other folders of this process have built, where they share it.
  private let shared: SharedStages?
  /// Where stages wait for another core, in the order in which they were begun.
  private let queue = DispatchQueue(label: "stages")
  /// Stages that another core is building, or will.
  private var underWay: [String: Background<Result<any Sendable, any Error>>] = [:]

  /// - Parameters:
  ///   - path: the folder.
  ///   - shared: stages to have in common with other folders of the same path.
  ///   - isCompiled: whether stages may come from the file that ``compile(into:)`` made, where it is of these very tables.
  /// - Throws: ``PracticeError`` when there is no such folder.
  public init(path: String, sharing shared: SharedStages? = nil, isCompiled: Bool = true) throws {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder else {
      throw PracticeError(
        .models, "there is no model folder at '\(path)'", hint: "Maybe set --models or $VETNET_MODELS.")
    }
    files = ModelFiles(path: path, isCompiled: isCompiled)
    self.shared = shared
  }

  /// Works out of the tables what a question needs, and puts it into a file from which every later start of this build of the program
  /// takes it. The tables stay the source: what is made of others than lie there is passed over.
  ///
  /// - Parameter folder: where the file is put; it is found in the folder of the tables only.
  /// - Returns: the bytes of the file's sections; nil where the program was linked without a build's name, and nothing was written.
  /// - Throws: ``PracticeError`` naming the table that can't be used, or the file that can't be written.
  public func compile(into folder: String) throws -> Int? {
    guard !CompiledModels.build.isEmpty else { return nil }
    let sections = try files.sections()
    do {
      try CompiledModels.write(sections, build: CompiledModels.build, into: folder)
    } catch {
      throw PracticeError(
        .failed, "can't write \(folder)/\(CompiledModels.fileName)", hint: "Maybe the folder is another account's.")
    }
    return sections.reduce(0) { $0 + $1.bytes.count }
  }

  deinit { endBegunWork() }

  /// Gives up what another core has not come to, and waits for the end of what it is at: before the process may end.
  public func endBegunWork() {
    for work in underWay.values { work.giveUp() }
  }

  /// Finds the folder: the option, `$VETNET_MODELS`, beside an installed program, then upward from the program.
  ///
  /// - Parameters:
  ///   - option: the value of `--models`, which wins.
  ///   - environment: the process's environment.
  ///   - executable: the path of the running program, links resolved.
  /// - Returns: the first folder found.
  /// - Throws: ``PracticeError`` naming what was tried.
  public static func locate(option: String?, environment: [String: String], executable: String) throws -> ModelDirectory
  {
    if let option { return try ModelDirectory(path: option) }
    if let variable = environment["VETNET_MODELS"], !variable.isEmpty { return try ModelDirectory(path: variable) }
    var folder = parent(of: executable)
    let installed = parent(of: folder) + "/share/vetnet/Models"
    if isModelFolder(installed) { return try ModelDirectory(path: installed) }
    while folder != "/", !folder.isEmpty, folder != "." {
      if isModelFolder(folder + "/Models") { return try ModelDirectory(path: folder + "/Models") }
      folder = parent(of: folder)
    }
    throw PracticeError(
      .models, "no model folder beside '\(executable)' or above it", hint: "Maybe set --models or $VETNET_MODELS.")
  }

  /// A text file of the folder.
  package func text(_ file: String) throws -> String { try files.text(file) }

  /// The bytes of a file.
  func data(_ file: String) throws -> [UInt8] { try files.data(file) }

  /// A table of the folder.
  package func table(_ file: String, required: [String] = [], uniqueKey: String? = nil) throws -> DataTable {
    try files.table(file, required: required, uniqueKey: uniqueKey)
  }

  /// How tables of the folder write phrases that stand for several.
  package func notation() throws -> PhraseNotation { try files.notation() }

  /// Whether the folder has that file.
  package func has(_ file: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(file)") }

  /// The stage `name`, built by `make` the first time.
  func stage<Stage: Sendable>(_ name: String, _ make: () throws -> Stage) throws -> Stage {
    if let stage = built[name] as? Stage { return stage }
    if let stage: Stage = shared?.stage(name) {
      built[name] = stage
      return stage
    }
    let work = underWay.removeValue(forKey: name)
    let made = try usable { try (work?.value().get() as? Stage) ?? make() }
    let stage = shared?.keep(made, as: name) ?? made
    built[name] = stage
    return stage
  }

  /// Has another core begin with the stage `name`, which will be needed soon; ``stage(_:_:)`` then takes it from there, or
  /// builds it where the other core has not come to it yet.
  ///
  /// - Returns: the work, for stages that are made of this one.
  @discardableResult
  func begin<Stage: Sendable>(_ name: String, _ make: @escaping @Sendable () throws -> Stage) -> Begun<Stage> {
    if let stage = built[name] as? Stage { return Begun { stage } }
    let work = underWay[name] ?? Background(on: queue) { Result { try make() } }
    underWay[name] = work
    return Begun { try work.value().get() as? Stage ?? make() }
  }

  /// A stage that another core may be building.
  struct Begun<Stage: Sendable>: Sendable {
    /// Waits for it.
    let value: @Sendable () throws -> Stage
  }

  /// Turns what is wrong with a table into the practice's error, which names file, line and column.
  package func usable<Value, Failure: Error>(_ make: () throws(Failure) -> Value) throws -> Value {
    try files.usable(make)
  }

  private static func isModelFolder(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path + "/lexicon/stop-words.tsv")
  }

  private static func parent(of path: String) -> String {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    return parent.isEmpty ? "/" : parent
  }
}
