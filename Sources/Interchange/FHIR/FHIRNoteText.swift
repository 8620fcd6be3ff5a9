/// A clinical resource of another program as a note: VetNet keeps what was written, and reads facts from the words.
///
/// The sentences are the plainest that say the same, denials and suspicions included.
struct FHIRNoteText {
  /// The types that become notes, and which kind of note.
  static let kinds: [String: String] = [
    "AllergyIntolerance": "consult", "Composition": "consult", "Condition": "consult", "DiagnosticReport": "lab",
    "Encounter": "consult", "Immunization": "consult", "MedicationRequest": "prescription",
    "MedicationStatement": "prescription", "Observation": "lab", "Procedure": "surgery",
  ]

  private let resource: JSONValue
  private let type: String
  private let library: FHIRLibrary

  init(_ resource: JSONValue, type: String, library: FHIRLibrary) {
    self.resource = resource
    self.type = type
    self.library = library
  }

  func fill(_ row: inout FHIRRow, id: String) {
    row.set("id", id.isEmpty ? nil : "\(type)/\(id)", from: "id")
    let subject = ["AllergyIntolerance", "Immunization"].contains(type) ? "patient" : "subject"
    // A result may leave patient and time to its report.
    let report = library.report(on: type, id)
    let patient = library.target(of: FHIRReference(resource[subject] ?? report?.subject)?.reference)
    row.set("patient_id", patient?.type == "Patient" ? patient?.id : nil, from: subject)
    let (moment, path) = self.moment
    row.set("recorded_at", FHIRRow.moment(moment ?? report?.moment), from: path)
    row.set("kind", Self.kinds[type], from: "resourceType")
    let authors = ["performer", "author", "recorder", "asserter", "requester", "informationSource", "participant"]
    let author = authors.lazy.flatMap { resource.objects($0) }
      .compactMap { Self.author($0["actor"] ?? $0["individual"] ?? $0, library) }.first
    row.set("author", author, from: "performer")
    let lines = ([head] + details + notes).compactMap(\.self).filter { !$0.isEmpty }
    row.set("text", lines.isEmpty ? nil : lines.joined(separator: "\n"), from: "code")
  }

  /// A name, or else the id of somebody on the staff.
  static func author(_ reference: JSONValue?, _ library: FHIRLibrary) -> String? {
    guard let reference = FHIRReference(reference) else { return nil }
    if let display = reference.display { return display }
    let target = library.target(of: reference.reference)
    return target.flatMap { $0.type == "Practitioner" ? $0.id : nil }
  }

  /// The texts of attachments, and the names of those that are none.
  static func attachments(_ attachments: [JSONValue]) -> String? {
    let texts = attachments.compactMap { attachment -> String? in
      let type = attachment["contentType"]?.text ?? ""
      if type.hasPrefix("text/"), let data = attachment["data"]?.text.flatMap(Base64.decode),
        firstInvalidUTF8Offset(in: data) == nil
      {
        let text = String(decoding: data, as: UTF8.self)
        return type.hasPrefix("text/html") ? plain(text) : text
      }
      let name = attachment["title"]?.text ?? "without a title"
      return "Document, not brought along: \(name)\(type.isEmpty ? "" : " (\(type))")."
    }
    return texts.isEmpty ? nil : texts.joined(separator: "\n\n")
  }

  // MARK: Sentences

  /// When it was, and the element that says so.
  var moment: (String?, path: String) {
    let paths: [String] =
      switch type {
      case "Observation", "DiagnosticReport": ["effectiveDateTime", "effectivePeriod", "effectiveInstant", "issued"]
      case "Condition": ["recordedDate", "onsetDateTime", "onsetPeriod", "abatementDateTime"]
      case "AllergyIntolerance": ["recordedDate", "onsetDateTime", "lastOccurrence"]
      case "MedicationRequest": ["authoredOn"]
      case "MedicationStatement": ["dateAsserted", "effectiveDateTime", "effectivePeriod"]
      case "Immunization": ["occurrenceDateTime", "recorded"]
      case "Procedure": ["performedDateTime", "performedPeriod"]
      case "Encounter": ["period"]
      default: ["date"]
      }
    for path in paths {
      if let text = resource[path]?.text ?? resource[path]?["start"]?.text ?? resource[path]?["end"]?.text {
        return (text, path)
      }
    }
    return (resource["meta"]?["lastUpdated"]?.text, paths[0])
  }

  private var status: String { resource["status"]?.text ?? "" }

  private func words(_ key: String) -> String? {
    let all = resource.objects(key).compactMap { FHIRConcept($0)?.words }
    return all.isEmpty ? nil : all.joined(separator: ", ")
  }

  private var code: String { words("code") ?? "unnamed" }

  private var medication: String {
    if let words = words("medicationCodeableConcept") { return words }
    let reference = FHIRReference(resource["medicationReference"])
    if let local = reference?.reference, local.hasPrefix("#") {
      let held = resource.objects("contained").first { "#\($0["id"]?.text ?? "")" == local }
      if let words = FHIRConcept(held?["code"])?.words { return words }
    }
    return library.medication(reference?.reference) ?? reference?.display ?? "a medication that is not named"
  }

  private var head: String? {
    switch type {
    case "Condition": condition
    case "AllergyIntolerance": intolerance
    case "Observation": measured(resource, name: code)
    case "DiagnosticReport": "Report: \(code)."
    case "MedicationRequest": prescription
    case "MedicationStatement":
      switch status {
      case "stopped": "Stopped \(medication)."
      case "not-taken": "Not given: \(medication)."
      case "intended": "Plan: start \(medication)."
      case "completed": "Had a course of \(medication)."
      default: "On \(medication)."
      }
    case "Immunization":
      status == "not-done"
        ? "Not vaccinated: \(words("vaccineCode") ?? "vaccine")."
        : "Vaccinated: \(words("vaccineCode") ?? "vaccine")."
    case "Procedure":
      switch status {
      case "not-done": "Not done: \(code)."
      case "preparation": "Planned: \(code)."
      default: "Done: \(code)."
      }
    case "Encounter": "Visit: \(words("type") ?? resource["class"]?["display"]?.text ?? "consultation")."
    case "Composition": resource["title"]?.text
    default: nil
    }
  }

  private var condition: String {
    let verification = FHIRConcept(resource["verificationStatus"])?.codings.first?.code
    let clinical = FHIRConcept(resource["clinicalStatus"])?.codings.first?.code
    let side = words("bodySite").map { " (\($0))" } ?? ""
    switch (verification, clinical) {
    case ("refuted", _): return "No \(code)\(side): ruled out."
    case ("unconfirmed", _), ("provisional", _), ("differential", _): return "Suspected \(code)\(side)."
    case (_, "resolved"), (_, "inactive"), (_, "remission"): return "History of \(code)\(side), resolved."
    default: return "Diagnosis: \(code)\(side)."
    }
  }

  private var intolerance: String {
    let name =
      words("code") ?? resource.objects("reaction").lazy.compactMap { FHIRConcept($0["substance"])?.words }.first
    guard let name else { return "Allergy, not said to what." }
    if name.lowercased().hasPrefix("no known") { return "\(name)." }
    let verification = FHIRConcept(resource["verificationStatus"])?.codings.first?.code
    if verification == "refuted" { return "Not allergic to \(name)." }
    let manifestations = resource.objects("reaction").flatMap { $0.objects("manifestation") }
      .compactMap { FHIRConcept($0)?.words }
    let shown = manifestations.isEmpty ? "" : ": \(manifestations.joined(separator: ", "))"
    return "\(verification == "unconfirmed" ? "Possibly allergic" : "Allergic") to \(name)\(shown)."
  }

  private var prescription: String {
    if resource["doNotPerform"]?.truth == true { return "Do not give \(medication)." }
    switch status {
    case "stopped", "cancelled": return "Stopped \(medication)."
    case "draft": return "Plan: \(medication)."
    default: return "Prescribed \(medication)."
    }
  }

  private var details: [String?] {
    switch type {
    case "Observation":
      return resource.objects("component").map { measured($0, name: FHIRConcept($0["code"])?.words ?? "part") }
    case "DiagnosticReport":
      return [
        resource["conclusion"]?.text, words("conclusionCode"), Self.attachments(resource.objects("presentedForm")),
      ]
    case "MedicationRequest", "MedicationStatement":
      return (resource.objects("dosageInstruction") + resource.objects("dosage")).map { $0["text"]?.text }
        + [words("reasonCode").map { "For \($0)." }, words("statusReason").map { "Because: \($0)." }]
    case "Immunization":
      return [
        resource["lotNumber"]?.text.map { "Batch \($0)." }, words("statusReason").map { "Because: \($0)." },
        words("reasonCode").map { "For \($0)." },
      ]
    case "Condition":
      return [
        words("severity").map { "Severity: \($0)." }, resource["onsetString"]?.text.map { "Onset: \($0)." },
        resource["onsetDateTime"]?.text.map { "Onset \($0)." },
      ]
    case "Procedure":
      return [
        words("bodySite").map { "At: \($0)." }, words("reasonCode").map { "For \($0)." }, words("outcome"),
        words("complication").map { "Complication: \($0)." }, words("statusReason").map { "Because: \($0)." },
      ]
    case "Encounter":
      return [words("reasonCode").map { "Reason: \($0)." }]
    case "Composition": return resource.objects("section").flatMap(Self.section)
    default: return []
    }
  }

  private var notes: [String] { resource.objects("note").compactMap { $0["text"]?.text } }

  /// A name and what was found of it.
  private func measured(_ part: JSONValue, name: String) -> String {
    var words = "\(name): \(value(part) ?? "no value")"
    let ranges = part.objects("referenceRange").compactMap { range -> String? in
      if let text = range["text"]?.text { return text }
      let ends = [range["low"]?["value"], range["high"]?["value"]].map { $0.flatMap(FieldValue.init)?.cellText }
      return ends[0] == nil && ends[1] == nil ? nil : "\(ends[0] ?? "")-\(ends[1] ?? "")"
    }
    if !ranges.isEmpty { words += " (\(ranges.joined(separator: "; ")))" }
    let marks = part.objects("interpretation").compactMap { FHIRConcept($0)?.words }
    if !marks.isEmpty { words += ", \(marks.joined(separator: ", "))" }
    return words
  }

  private func value(_ part: JSONValue) -> String? {
    if let quantity = part["valueQuantity"] { return Self.quantity(quantity) }
    if let concept = FHIRConcept(part["valueCodeableConcept"])?.words { return concept }
    for key in ["valueString", "valueDateTime", "valueTime"] {
      if let text = part[key]?.text { return text }
    }
    if let truth = part["valueBoolean"]?.truth { return truth ? "yes" : "no" }
    if let whole = part["valueInteger"].flatMap(FieldValue.init)?.cellText { return whole }
    if let range = part["valueRange"] {
      return [range["low"], range["high"]].compactMap { $0.flatMap(Self.quantity) }.joined(separator: " - ")
    }
    if let ratio = part["valueRatio"] {
      return [ratio["numerator"], ratio["denominator"]].compactMap { $0.flatMap(Self.quantity) }.joined(separator: "/")
    }
    if let period = part["valuePeriod"] {
      return [period["start"]?.text, period["end"]?.text].compactMap(\.self).joined(separator: " to ")
    }
    if let sampled = part["valueSampledData"], sampled["period"] != nil { return "a curve, not brought along" }
    return FHIRConcept(part["dataAbsentReason"])?.words.map { "not measured (\($0))" }
  }

  private static func quantity(_ quantity: JSONValue) -> String? {
    guard let number = quantity["value"].flatMap(FieldValue.init)?.cellText else { return nil }
    let unit = quantity["unit"]?.text ?? quantity["code"]?.text
    return (quantity["comparator"]?.text ?? "") + number + (unit.map { " \($0)" } ?? "")
  }

  private static func section(_ section: JSONValue) -> [String] {
    let text = section["text"]?["div"]?.text.map(plain)
    return [section["title"]?.text, text].compactMap(\.self).filter { !$0.isEmpty }
      + section.objects("section").flatMap(Self.section)
  }

  /// The words of a narrative in XHTML: tags become breaks or go, the entities that XML knows become characters.
  static func plain(_ markup: String) -> String {
    var text = ""
    var tag: String?
    for character in markup {
      if tag != nil {
        if character == ">" {
          let name = tag?.lowercased().drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber } ?? ""
          text += ["p", "div", "br", "tr", "li", "h1", "h2", "h3", "h4", "table"].contains(String(name)) ? "\n" : " "
          tag = nil
        } else if tag?.utf8.count ?? 0 < 20 {
          tag?.append(character)
        }
      } else if character == "<" {
        tag = ""
      } else {
        text.append(character.isNewline ? " " : character)
      }
    }
    for (entity, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"),
      ("&nbsp;", " "), ("&#160;", " "), ("&amp;", "&"),
    ] {
      text = text.replacing(entity, with: character)
    }
    return text.split(separator: "\n").map { $0.split { $0.isWhitespace }.joined(separator: " ") }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
