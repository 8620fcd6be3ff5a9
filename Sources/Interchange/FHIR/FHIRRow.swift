/// A resource as a row of the import format.
struct FHIRRow {
  let kind: ImportKind
  var values: [String: FieldValue] = [:]
  /// The source that the id belongs to, where the resource says so.
  var source: String?
  /// Where in the resource each field was looked for, for messages.
  var paths: [String: String] = [:]

  init(_ kind: ImportKind) { self.kind = kind }

  /// Told in other resources, or needed only to read these.
  static let merged: Set<String> = ["PractitionerRole", "RelatedPerson", "Person", "Medication"]
  /// Known, and nothing that a practice file keeps: who one is, and times that follow from hours and bookings.
  static let passedOver: Set<String> = ["Organization", "Schedule", "Slot"]

  private static let kinds: [String: ImportKind] = [
    "Person": .clients, "RelatedPerson": .clients, "Patient": .patients, "Practitioner": .staff, "Location": .resources,
    "Appointment": .appointments,
  ]

  /// What a resource's record is; nil for one that has none.
  static func kind(of resource: JSONValue, type: String) -> ImportKind? {
    if isDerived(resource) { return nil }
    if type == "Location", isSite(resource) { return .locations }
    if let kind = kinds[type] { return kind }
    if type == "DocumentReference" { return isRequest(resource) ? .intakes : .notes }
    return FHIRNoteText.kinds[type] == nil ? nil : .notes
  }

  /// Whether a Location is a place with rooms of its own, and not one of them.
  private static func isSite(_ resource: JSONValue) -> Bool {
    FHIRConcept(resource["physicalType"])?.code(in: siteSystem) == "si"
  }

  static let siteSystem = "http://terminology.hl7.org/CodeSystem/location-physical-type"

  /// Whether VetNet made it from other resources of the file.
  static func isDerived(_ resource: JSONValue) -> Bool {
    resource["meta"]?.objects("tag").contains {
      $0["system"]?.text == FHIRName.codes("origin") && $0["code"]?.text == "derived"
    } ?? false
  }

  private static func isRequest(_ resource: JSONValue) -> Bool {
    FHIRConcept(resource["type"])?.code(in: FHIRName.codes("document")) == "request"
  }

  // MARK: Ids

  /// The id of a resource's record: the one that VetNet wrote, else FHIR's own, else the one in a full URL.
  static func id(of resource: JSONValue, type: String, url: String?) -> String {
    identifier(of: resource)?["value"]?.text ?? resource["id"]?.text
      ?? url.map { $0.hasPrefix("urn:uuid:") ? String($0.dropFirst(9)) : $0 } ?? ""
  }

  /// The id that other records use, where it is not the record's own.
  static func shownID(of resource: JSONValue) -> String? {
    resource.objects("identifier").first { $0["system"]?.text == FHIRName.reference }?["value"]?.text
  }

  static func identifier(of resource: JSONValue) -> JSONValue? {
    let systems = Set(ImportKind.allCases.map(FHIRName.identifier))
    return resource.objects("identifier").first { $0["system"]?.text.map(systems.contains) ?? false }
  }

  // MARK: Data types

  /// A name as people say it.
  static func name(_ resource: JSONValue) -> String? { name(of: resource.objects("name")) }

  static func name(of names: [JSONValue]) -> String? {
    let name =
      names.first { $0["use"]?.text == "usual" } ?? names.first { $0["use"]?.text == "official" } ?? names.first
    if let text = name?["text"]?.text { return text }
    let parts = ["prefix", "given"].flatMap { (name?[$0]?.items ?? []).compactMap(\.text) }
    let words = parts + [name?["family"]?.text].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  static func address(_ resource: JSONValue) -> String? {
    let addresses = resource.objects("address")
    guard let address = addresses.first(where: { $0["use"]?.text == "home" }) ?? addresses.first else { return nil }
    if let text = address["text"]?.text { return text }
    let lines = (address["line"]?.items ?? []).compactMap(\.text)
    let place = [address["postalCode"]?.text, address["city"]?.text].compactMap(\.self).joined(separator: " ")
    let parts = lines + [place, address["state"]?.text ?? "", address["country"]?.text ?? ""].filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// A day or moment as the import format reads it: of a year or a month its first day.
  static func moment(_ text: String?) -> FieldValue? {
    guard let text else { return nil }
    switch text.utf8.count {
    case 4: return .text("\(text)-01-01")
    case 7: return .text("\(text)-01")
    default: return .text(text)
    }
  }

  static func `extension`(_ name: String, of value: JSONValue) -> JSONValue? {
    value.objects("extension").first { $0["url"]?.text == FHIRName.extension(name) }
  }

  mutating func set(_ field: String, _ value: FieldValue?, from path: String) {
    paths[field] = path
    values[field] = value
  }

  mutating func set(_ field: String, _ text: String?, from path: String) {
    set(field, text.map(FieldValue.text), from: path)
  }
}
