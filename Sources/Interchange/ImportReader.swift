/// Reads files into records, one event at a time and in flat memory.
///
///     let reader = try ImportReader(["export/"], options: options)
///     while let event = try reader.next() {
///       switch event {
///       case .record(let record, let location, let raw, let stated): …  // store it, or reject it with `raw`
///       case .amendment(let record, let raw, let stated, let reject): …  // change what is on file, or reject it
///       case .reject(let reject): …                         // say so, and keep it in the rejects file
///       case .problem(let problem): …
///       }
///     }
///
/// The reader knows no practice file: whether `patient_id` is anybody is for the caller to say.
public final class ImportReader {
  public let sources: [ImportSource]
  private let context: StreamContext
  private var problems: [ImportFileProblem]
  private var index = 0
  private var stream: (any RowStream)?
  private var textTally: FieldTally?
  private var finishedBytes: Int64 = 0
  private let sizes: [Int64?]

  /// Reads `sources` in their order, after telling `problems`.
  public init(_ sources: [ImportSource], problems: [ImportFileProblem] = [], options: ImportOptions) {
    self.sources = sources
    self.problems = problems.reversed()
    context = StreamContext(options: options, derivedIDs: DerivedIdentifiers())
    sizes = sources.map { fileSize($0.path) }
  }

  /// Finds the files under `paths` and reads them; see ``ImportDiscovery/find(_:kind:format:vocabulary:)``.
  ///
  /// - Throws: ``InterchangeError`` for a path that isn't there, can't be read, or holds nothing to import.
  public convenience init(
    _ paths: [String], kind: ImportKind? = nil, format: ImportFormat? = nil, options: ImportOptions
  ) throws(InterchangeError) {
    let found = try ImportDiscovery.find(paths, kind: kind, format: format, vocabulary: options.vocabulary)
    self.init(found.sources, problems: found.problems, options: options)
  }

  /// The next event; nil when all files have been read.
  ///
  /// - Throws: ``InterchangeError`` when the system fails to read on. A file that can't be opened is a problem event.
  public func next() throws(InterchangeError) -> ImportEvent? {
    if let problem = problems.popLast() { return .problem(problem) }
    while index < sources.count {
      do throws(InterchangeError) {
        if stream == nil { stream = try open(sources[index]) }
        if let event = try stream?.next() { return event }
        finishFile()
      } catch {
        guard stream == nil else { throw error }
        let name = sources[index].name
        finishFile()
        return .problem(ImportFileProblem(.unreadable, file: name, message: "the file can't be opened"))
      }
    }
    // What the text files had in common is told once, after the last of them.
    problems = (textTally?.problems() ?? []).reversed()
    textTally = nil
    return problems.popLast().map(ImportEvent.problem)
  }

  /// How far reading has come.
  public var progress: ImportProgress {
    let isReading = index < sources.count
    let current = stream?.bytesRead ?? 0
    let known = sizes.compactMap { $0 }
    return ImportProgress(
      file: isReading ? sources[index].name : sources.last?.name ?? "", fileNumber: min(index + 1, sources.count),
      fileCount: sources.count, bytesRead: current, totalBytes: isReading ? sizes[index] : nil,
      overallBytesRead: finishedBytes + current,
      overallTotalBytes: known.count == sizes.count ? known.reduce(0, +) : nil)
  }

  private func finishFile() {
    finishedBytes += stream?.bytesRead ?? 0
    stream = nil
    index += 1
  }

  private func open(_ source: ImportSource) throws(InterchangeError) -> any RowStream {
    switch source.format {
    case .jsonLines: return try JSONLinesStream(source, kind: source.kind, context: context)
    case .csv: return try CSVStream(source, kind: source.kind, context: context)
    case .calendar: return try CalendarStream(source, context: context)
    case .text:
      let tally = textTally ?? FieldTally(file: source.name)
      textTally = tally
      return try TextStream(source, context: context, tally: tally)
    }
  }
}
