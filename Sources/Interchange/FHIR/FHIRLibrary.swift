/// What the FHIR files of one import hold, found out before any of it is read: which resource is where, what refers to what, and what
/// nobody knows here. A file that is no FHIR, or cut off, gives nothing at all.
final class FHIRLibrary {
  /// A resource as other resources' references mean it.
  struct Target: Hashable {
    let type: String
    /// The id that its record goes by.
    let id: String
  }

  /// One file.
  struct Volume {
    var places: [ImportKind: [FHIRPlace]] = [:]
    var rejects: [ImportReject] = []
    var problems: [ImportFileProblem] = []
  }

  /// Of an animal.
  struct Owner {
    let id: String
    let name: String?
  }

  /// Of a result that leaves it to its report.
  struct Report {
    let moment: String?
    let subject: JSONValue?
  }

  private let sources: [ImportSource]
  private let maximumLength: Int
  private var volumes: [String: Volume]?
  /// By full URL or `Type/id`, where the record's id is another than FHIR's.
  private var targets: [String: Target] = [:]
  /// By the id of the animal's record.
  private(set) var owners: [String: Owner] = [:]
  /// PractitionerRole by the id of the Practitioner's record.
  private(set) var roles: [String: [JSONValue]] = [:]
  /// What reports say of the results they list, by the result's `Type/id`.
  private var reported: [String: Report] = [:]
  /// What medications are, by `Medication/id` or full URL.
  private var medications: [String: String] = [:]
  /// Ids of people who have a resource of their own beside those that tell whose owner they are.
  private(set) var people: Set<String> = []
  private var files: [String: InputFile] = [:]

  init(_ sources: [ImportSource], maximumLength: Int) {
    var seen: Set<String> = []
    self.sources = sources.filter { $0.format == .fhir && seen.insert($0.path).inserted }
    self.maximumLength = maximumLength
  }

  /// What a file holds.
  func volume(_ path: String) -> Volume {
    if volumes == nil { survey() }
    return volumes?[path] ?? Volume()
  }

  func splitter(_ source: ImportSource) throws(InterchangeError) -> FHIRSplitter {
    let file = if let file = files[source.path] { file } else { try InputFile(source.path) }
    return FHIRSplitter(
      file: file, maximumLength: maximumLength, isLines: try FHIRRecognition.isLines(file))
  }

  /// What a reference leads to, in these files or elsewhere; nil for one that names nothing.
  func target(of reference: String?) -> Target? {
    guard let reference else { return nil }
    if let known = targets[reference] { return known }
    var parts = reference.split(separator: "/").map(String.init)
    if let history = parts.firstIndex(of: "_history") { parts.removeLast(parts.count - history) }
    guard parts.count >= 2 else { return nil }
    let (type, id) = (parts[parts.count - 2], parts[parts.count - 1])
    return targets["\(type)/\(id)"] ?? Target(type: type, id: id)
  }

  /// The report, or panel, that lists a result.
  func report(on type: String, _ id: String) -> Report? { reported["\(type)/\(id)"] }

  /// What a reference to a Medication means.
  func medication(_ reference: String?) -> String? { reference.flatMap { medications[$0] } }

  // MARK: Survey

  private func survey() {
    volumes = [:]
    // References from one file to another need all names first.
    var found: [(ImportSource, [(resource: JSONValue, id: String)])] = []
    for source in sources {
      var volume = Volume()
      var census = FHIRCensus()
      var linking: [(resource: JSONValue, id: String)] = []
      do throws(InterchangeError) {
        let splitter = try splitter(source)
        do throws(FHIRFileError) {
          try splitter.forEach { item in
            switch item {
            case .resource(let resource, let url, let place):
              note(resource, url: url, place, in: &volume, &census, &linking)
            case .unreadable(let place, let reason, let hint):
              volume.rejects.append(
                ImportReject(at: SourceLocation(file: source.name, line: place.line), reason: reason, hint: hint))
            }
          }
          volume.problems += census.problems(file: source.name)
        } catch {
          linking = []
          volume = Volume()
          volume.problems = [
            ImportFileProblem(
              .wrongFormat, file: source.name, line: error.line,
              message: "\(error.message); nothing of the file was imported", hint: error.hint)
          ]
        }
      } catch {
        volume.problems = [ImportFileProblem(.unreadable, file: source.name, message: "the file can't be opened")]
      }
      volumes?[source.path] = volume
      found.append((source, linking))
    }
    for (_, linking) in found {
      for (resource, id) in linking { link(resource, id) }
    }
  }

  private func note(
    _ resource: JSONValue, url: String?, _ place: FHIRPlace, in volume: inout Volume, _ census: inout FHIRCensus,
    _ linking: inout [(resource: JSONValue, id: String)]
  ) {
    guard let type = resource["resourceType"]?.text else { return census.addResource("(without a type)") }
    let id = FHIRRow.id(of: resource, type: type, url: url)
    let known = resource["id"]?.text.map { "\(type)/\($0)" }
    for key in [known, url].compactMap(\.self) where !key.hasSuffix("/\(type)/\(id)") && key != "\(type)/\(id)" {
      targets[key] = Target(type: type, id: FHIRRow.shownID(of: resource) ?? id)
    }
    if let shown = FHIRRow.shownID(of: resource), let known { targets[known] = Target(type: type, id: shown) }
    switch type {
    case "Medication":
      let words = FHIRConcept(resource["code"])?.words
      for key in [known, url].compactMap(\.self) { medications[key] = words }
    case "RelatedPerson", "PractitionerRole", "DiagnosticReport": linking.append((Self.link(resource), id))
    case "Person": people.insert(id)
    default: break
    }
    census.add(resource, type: type)
    if let kind = FHIRRow.kind(of: resource, type: type) { volume.places[kind, default: []].append(place) }
  }

  /// The parts of a resource that tell who belongs to whom.
  private static func link(_ resource: JSONValue) -> JSONValue {
    guard case .object(let members) = resource else { return resource }
    return .object(members.filter { !["text", "contained", "photo", "presentedForm"].contains($0.key) })
  }

  private func link(_ resource: JSONValue, _ id: String) {
    if resource["resourceType"]?.text == "DiagnosticReport" {
      let report = Report(
        moment: FHIRNoteText(resource, type: "DiagnosticReport", library: self).moment.0, subject: resource["subject"])
      for result in resource.objects("result") {
        guard let target = target(of: FHIRReference(result)?.reference) else { continue }
        reported["\(target.type)/\(target.id)"] = report
      }
    } else if resource["resourceType"]?.text == "RelatedPerson" {
      guard let animal = target(of: FHIRReference(resource["patient"])?.reference), animal.type == "Patient",
        owners[animal.id] == nil
      else { return }
      owners[animal.id] = Owner(id: FHIRRow.shownID(of: resource) ?? id, name: FHIRRow.name(resource))
    } else if let person = target(of: FHIRReference(resource["practitioner"])?.reference) {
      roles[person.id, default: []].append(resource)
    }
  }
}

/// Whether files are FHIR, by their beginning.
enum FHIRRecognition {
  static func isFHIR(_ path: String) throws(InterchangeError) -> Bool {
    let start = try InputFile(path).start(count: 1 << 16)
    guard start.first(where: { !isJSONSpace($0) && !byteOrderMark.contains($0) }) == UInt8(ascii: "{") else {
      return false
    }
    return String(decoding: start, as: UTF8.self).contains("\"resourceType\"")
  }

  /// Whether the first line is a resource of its own and something follows it.
  static func isLines(_ file: InputFile) throws(InterchangeError) -> Bool {
    if file.path.lowercased().hasSuffix(".ndjson") || file.path.lowercased().hasSuffix(".jsonl") { return true }
    return false
  }
}

/// What a file holds that nobody here knows, or that has no place of its own: counted, and named once.
struct FHIRCensus {
  /// A file may name anything: beyond so many different names they are only counted.
  private static let limit = 100

  private enum Matter { case resource, `extension`, passedOver }

  private var names: [Matter: [String: Int]] = [:]
  private var derived = 0
  private var otherNames = 0

  mutating func addResource(_ type: String) { count(type, .resource) }

  mutating func add(_ resource: JSONValue, type: String) {
    if FHIRRow.isDerived(resource) {
      derived += 1
      return
    }
    if FHIRRow.passedOver.contains(type) {
      count(type, .passedOver)
    } else if FHIRRow.kind(of: resource, type: type) == nil, !FHIRRow.merged.contains(type) {
      addResource(type)
      return
    }
    addExtensions(of: resource)
  }

  private mutating func addExtensions(of value: JSONValue) {
    switch value {
    case .list(let items): for item in items { addExtensions(of: item) }
    case .object(let members):
      for member in members {
        if member.key == "extension" || member.key == "modifierExtension" {
          for item in member.value.items {
            let url = item["url"]?.text ?? "(without a url)"
            if url != FHIRSex.animalURL, !url.hasPrefix(FHIRName.base) { count(url, .extension) }
          }
        } else {
          addExtensions(of: member.value)
        }
      }
    case .string, .number, .truth, .null: break
    }
  }

  private mutating func count(_ name: String, _ matter: Matter) {
    let isHarmless = name.utf8.count <= 200 && name.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    let isKnown = names[matter]?[name] != nil
    guard isHarmless, isKnown || names[matter]?.count ?? 0 < Self.limit else {
      otherNames += 1
      return
    }
    names[matter, default: [:]][name, default: 0] += 1
  }

  func problems(file: String) -> [ImportFileProblem] {
    func tell(_ matter: Matter, _ words: (String, Int) -> String) -> [ImportFileProblem] {
      (names[matter] ?? [:]).sorted { $0.key < $1.key }.map { name, count in
        ImportFileProblem(.unknownField, file: file, count: count, message: words(name, count))
      }
    }
    var problems = tell(.resource) { "\($1) \($0): unknown here, passed over" }
    problems += tell(.passedOver) { "\($1) \($0): no record of its own" }
    problems += tell(.extension) { "the extension \($0) is unknown and was ignored (\($1) times)" }
    if derived > 0 {
      problems.append(
        ImportFileProblem(
          .unknownField, file: file, count: derived,
          message: "\(derived) resources that VetNet derived: made anew from the notes"))
    }
    if otherNames > 0 {
      problems.append(
        ImportFileProblem(
          .unknownField, file: file, count: otherNames,
          message: "further unknown resources and extensions were passed over (\(otherNames) times)"))
    }
    return problems
  }
}
