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
  /// The file that a caller has opened already, in place of the only source's path.
  private let opened: InputFile?
  /// How many of the files read so far are in which encoding.
  public private(set) var encodings: [TextEncoding: Int] = [:]
  /// Texts in other encodings than UTF-8, told once for all of them.
  private var foreignTexts: [TextEncoding: (count: Int, first: String)] = [:]

  /// Reads `sources` in their order, after telling `problems`.
  public convenience init(_ sources: [ImportSource], problems: [ImportFileProblem] = [], options: ImportOptions) {
    self.init(sources, problems: problems, options: options, opened: nil)
  }

  /// Reads rows of one kind from an open file.
  public convenience init(_ file: InputFile, kind: ImportKind, format: ImportFormat, options: ImportOptions) {
    self.init(
      [ImportSource(path: file.path, kind: kind, format: format)], problems: [], options: options, opened: file)
  }

  private init(
    _ sources: [ImportSource], problems: [ImportFileProblem], options: ImportOptions, opened: InputFile?
  ) {
    self.sources = sources
    self.opened = opened
    self.problems = problems.reversed()
    context = StreamContext(
      options: options, derivedIDs: DerivedIdentifiers(),
      fhir: FHIRLibrary(sources, maximumLength: options.maximumLineLength))
    // A file of FHIR is among them once for each kind.
    sizes = sources.map { $0.format == .fhir && $0.kind != ImportKind.allCases.min() ? 0 : fileSize($0.path) }
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

  /// Finds the files that a mapping names under `paths` and reads them by it.
  ///
  /// - Throws: ``InterchangeError`` for a path that isn't there or can't be read, and where none of the mapping's files is.
  public convenience init(
    _ paths: [String], mapping: ImportMapping, options: ImportOptions
  ) throws(InterchangeError) {
    let found = try ImportDiscovery.find(paths, mapping: mapping)
    self.init(found.sources, problems: found.problems, options: options)
  }

  /// The next event; nil when all files have been read.
  ///
  /// - Throws: ``InterchangeError`` when the system fails to read on. A file that can't be opened is a problem event.
  public func next() throws(InterchangeError) -> ImportEvent? {
    if let problem = problems.popLast() { return .problem(problem) }
    while index < sources.count {
      do throws(InterchangeError) {
        if stream == nil {
          switch try open(sources[index]) {
          case .rows(let rows): stream = rows
          case .problem(let problem):
            finishFile()
            return .problem(problem)
          }
          if let problem = problems.popLast() { return .problem(problem) }
        }
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
    problems = ((textTally?.problems() ?? []) + foreignTextProblems()).reversed()
    textTally = nil
    foreignTexts = [:]
    return problems.popLast().map(ImportEvent.problem)
  }

  /// The source that the last row's ids belong to, where its file says so: a rejects file does.
  public var sourceName: String? { stream?.sourceName }

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

  private enum Opening {
    case rows(any RowStream)
    case problem(ImportFileProblem)
  }

  private func open(_ source: ImportSource) throws(InterchangeError) -> Opening {
    // Always UTF-8, and checked resource by resource.
    if source.format == .fhir, let library = context.fhir {
      if source.kind == ImportKind.allCases.min() { encodings[.utf8, default: 0] += 1 }
      return .rows(try FHIRStream(source, library: library, context: context))
    }
    let file: InputFile
    if let opened { file = opened } else { file = try InputFile(source.path) }
    if let format = foreignFormat(of: try file.start(count: 8)) {
      return .problem(
        ImportFileProblem(
          .wrongFormat, file: source.name, line: 1, message: "the file is \(format), not text",
          hint: "unpack or export it as text first"))
    }
    let encoding: TextEncoding
    let declared = source.format == .rejects ? .utf8 : context.options.encoding ?? source.mapping?.form.encoding
    switch try EncodingSurvey.survey(file, declared: declared) {
    case .encoding(let found): encoding = found
    case .undecidable(let line, let column, let reason):
      let names = TextEncoding.allCases.map { $0.rawValue.replacing(" ", with: "-").lowercased() }
      return .problem(
        ImportFileProblem(
          .undecidable, file: source.name, line: line,
          message: "column \(column): \(reason); nothing of the file was imported",
          hint: "correct it, or say with --encoding what the file is in: " + names.joined(separator: ", ")))
    }
    var source = source
    if source.path == "-", opened == nil, source.format == .jsonLines {
      let recognizer = KindRecognizer(vocabulary: context.options.vocabulary)
      source = ImportSource(
        path: "-", kind: source.kind, format: try recognizer.format(of: file, encoding: encoding, kind: source.kind),
        defaultID: source.defaultID)
    }
    encodings[encoding, default: 0] += 1
    if encoding != .utf8 { tell(encoding, source) }
    if let table = source.mapping {
      return .rows(MappedStream(source, file, encoding: encoding, table: table, context: context))
    }
    switch source.format {
    case .jsonLines:
      return .rows(JSONLinesStream(source, file, encoding: encoding, kind: source.kind, context: context))
    case .csv: return .rows(CSVStream(source, file, encoding: encoding, kind: source.kind, context: context))
    case .calendar: return .rows(CalendarStream(source, file, encoding: encoding, context: context))
    case .rejects, .fhir: return .rows(RejectsStream(source, file, context: context))
    case .text:
      let tally = textTally ?? FieldTally(file: source.name)
      textTally = tally
      return .rows(TextStream(source, file, encoding: encoding, context: context, tally: tally))
    }
  }

  private func tell(_ encoding: TextEncoding, _ source: ImportSource) {
    if source.format == .text {
      foreignTexts[encoding] = ((foreignTexts[encoding]?.count ?? 0) + 1, foreignTexts[encoding]?.first ?? source.name)
    } else {
      problems.append(
        ImportFileProblem(.encoding, file: source.name, message: "read as \(encoding.rawValue)"))
    }
  }

  private func foreignTextProblems() -> [ImportFileProblem] {
    foreignTexts.sorted { $0.key.rawValue < $1.key.rawValue }.map { encoding, texts in
      ImportFileProblem(
        .encoding, file: texts.first, count: texts.count,
        message: texts.count == 1
          ? "read as \(encoding.rawValue)" : "this text and \(texts.count - 1) more were read as \(encoding.rawValue)")
    }
  }
}
