import Clinical
import Presentation
import VetNet

/// One field that finds everything: animals by name, owner, chip or id, their visits, notes by what they say, and what can be done.
enum SearchRoutes {
  static let all: [Route] = [search]

  private static let search = Route(
    "POST", "/search", .api, .reading,
    "Patients, visits, notes and pages for some words, as far as whoever asks may see them. Words of animals and owners stand in no address.",
    body: .object(["words": .string("as typed so far; none for what can be done")]),
    answer: .object([
      "results": .list(
        .object(
          ["kind": .oneOf(["page", "patient", "appointment", "note"]), "label": .string(), "href": .string()],
          optional: ["detail": .string()]))
    ])
  ) { call in
    let words = try Fields(call, known: ["words"]).text("words", atMost: 200) ?? ""
    return try .json(["results": results(words, call)])
  }

  /// What a result is and where it leads.
  struct Result: Encodable {
    enum Kind: String, Encodable { case page, patient, appointment, note }

    let kind: Kind
    let label: String
    var detail: String?
    let href: String
  }

  private static func results(_ words: String, _ call: Call) throws -> [Result] {
    let role = call.session.actor.role
    let settings = try call.permitted(ListSettings()) ?? []
    let links = settings.first { $0.key == PracticeSetting.links.rawValue }?.value.flatMap(NamedLinks.init)
    var results = Palette.entries(for: words, role: role, links: links).map {
      Result(kind: .page, label: $0.label, href: $0.href)
    }
    guard !words.isEmpty else { return results }
    let patients = role.may(.readRegister) ? try call.perform(FindPatients(words: words, most: 8)) : []
    results += patients.map { patient in
      Result(
        kind: .patient, label: patient.name,
        detail: [
          patient.id, patient.species.rawValue, patient.breed, patient.ownerName,
          patient.deceasedAt.map { "died \($0)" },
        ]
        .compactMap(\.self).joined(separator: " · "), href: Link.patient(patient.id))
    }
    results += try visits(words, patients, call)
    if patients.isEmpty, words.utf8.count >= 4, role.may(.readRecord) { results += try notes(words, call) }
    return results
  }

  /// The visit that an id names, and those to come of the animal that an id or a chip does: a name may still become another.
  private static func visits(_ words: String, _ patients: [Patient], _ call: Call) throws -> [Result] {
    guard call.session.actor.role.may(.readBook) else { return [] }
    var found: [Appointment] = []
    do {
      if !words.contains(" ") { found = [try call.perform(ShowAppointment(id: words)).appointment] }
    } catch let error as PracticeError where error.code == .notFound {
      // No id of a visit.
    }
    if patients.count == 1, let patient = patients.first,
      [patient.id, patient.microchip].compactMap({ $0?.lowercased() }).contains(words.lowercased())
    {
      found += try call.perform(ShowPatient(reference: patient.id)).upcoming.prefix(3)
    }
    return found.map { visit in
      Result(
        kind: .appointment, label: call.zone.describe(visit.start),
        detail: [visit.id, visit.visitType?.rawValue, Badges.words(visit.status)].compactMap(\.self)
          .joined(separator: " · "), href: Link.day(call.zone.date(of: visit.start)))
    }
  }

  private static func notes(_ words: String, _ call: Call) throws -> [Result] {
    try call.perform(FindSimilar(query: .text(words), filter: CaseFilter(limit: 5))).map { hit in
      Result(
        kind: .note, label: hit.quote.shortened(to: 90),
        detail: "\(hit.patient.name) · \(call.zone.date(of: hit.recordedAt))",
        href: Link.note(hit.noteID, words: hit.codePoints))
    }
  }
}
