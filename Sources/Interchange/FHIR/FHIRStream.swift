import Clinical

/// The records of one kind in a FHIR file.
final class FHIRStream: RowStream {
  private let source: ImportSource
  private let context: StreamContext
  private let reader: FHIRRowReader
  private let builder: RecordBuilder
  private let tally: FieldTally
  private let places: [FHIRPlace]
  private let splitter: FHIRSplitter
  private var pending: [ImportEvent]
  private var position = 0
  private(set) var bytesRead: Int64 = 0
  private(set) var sourceName: String?

  init(_ source: ImportSource, library: FHIRLibrary, context: StreamContext) throws(InterchangeError) {
    self.source = source
    reader = FHIRRowReader(library: library)
    self.context = context
    let volume = library.volume(source.path)
    places = volume.places[source.kind] ?? []
    splitter = try library.splitter(source)
    builder = RecordBuilder(kind: source.kind, context)
    tally = FieldTally(file: source.name)
    // What concerns the file as a whole is said with the first of its kinds.
    pending =
      source.kind == ImportKind.allCases.min()
      ? (volume.problems.map(ImportEvent.problem) + volume.rejects.map(ImportEvent.reject)).reversed() : []
  }

  func next() throws(InterchangeError) -> ImportEvent? {
    if let event = pending.popLast() { return event }
    while position < places.count {
      let place = places[position]
      position += 1
      bytesRead += Int64(place.length)
      if let event = try event(at: place) { return event }
      if position == places.count { break }
    }
    guard position == places.count else { return nil }
    position += 1
    pending = tally.problems().map(ImportEvent.problem).reversed()
    return pending.popLast()
  }

  private func event(at place: FHIRPlace) throws(InterchangeError) -> ImportEvent? {
    let read: (resource: JSONValue, url: String?)?
    do throws(FHIRFileError) {
      read = try splitter.resource(at: place)
    } catch {
      throw InterchangeError(.readFailed, path: source.path, hint: error.hint)
    }
    guard let (resource, url) = read, let type = resource["resourceType"]?.text,
      let row = reader.row(resource, type: type, kind: source.kind, url: url)
    else { return nil }
    let name = FHIRIdentity.isPlain(resource["id"]?.text ?? "") ? "\(type)/\(resource["id"]?.text ?? "")" : type
    let location = SourceLocation(file: source.name, line: place.line, resource: name)
    tally.line = place.line
    var dates = DateReader(timeZone: context.options.timeZone)
    dates.today = context.options.today
    let fields = Row(
      values: row.values, format: .jsonLines, dates: dates, vocabulary: context.options.vocabulary, tally: tally,
      report: RowReport())
    let known = Set(row.kind.fields + row.kind.extraFields)
    // A row of the import format from here on: that is how a rejected one is kept, and corrected.
    var origin = RowOrigin(kind: row.kind, format: .jsonLines)
    origin.source = row.source
    sourceName = row.source
    let event = builder.event(
      from: fields, columns: known.intersection(row.values.keys), raw: row.values.asJSON, origin: origin
    ) { _ in location }
    return event.naming(paths: row.paths)
  }
}

extension ImportEvent {
  /// The event with the place in the resource beside the reason of a reject.
  fileprivate func naming(paths: [String: String]) -> ImportEvent {
    switch self {
    case .reject(let reject): .reject(reject.naming(paths))
    case .amendment(let record, let raw, let stated, let reject):
      .amendment(record, raw: raw, stated: stated, otherwise: reject.naming(paths))
    case .record, .problem: self
    }
  }
}

extension ImportReject {
  fileprivate func naming(_ paths: [String: String]) -> ImportReject {
    guard let field, let path = paths[String(field.prefix { $0 != "[" && $0 != "." })] else { return self }
    return ImportReject(
      at: location, field: field, value: value, reason: "\(reason) (\(path) of the resource)", hint: hint, raw: raw)
  }
}
