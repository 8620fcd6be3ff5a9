import Clinical
import FoundationEssentials
import Presentation
import VetNet

/// Photos of patients, as JSON; pictures themselves lie at /photo/PICTURE/thumbnail and /photo/PICTURE/screen.
enum PhotoRoutes {
  static let all: [Route] = [list, add, words, checks, show, amend, file, remove]

  private static let fields: [String: Schema] = [
    "patient_id": .string(), "patient_name": .string(), "taken_at": .string(), "note": .string(), "region": .string(),
    "mm_per_pixel": .number, "similar": .list(.string()), "sizes": .any,
    "checks": .list(
      .object(["check": .string(), "remark": .boolean], optional: ["value": .number, "message": .string()])),
  ]
  private static let shape: Schema = .object(
    [
      "id": .string(), "added_at": .string(), "added_by": .string(), "tags": .list(.string()), "picture": .string(),
      "width": .integer, "height": .integer, "bytes": .integer, "media_type": .string(), "remarks": .list(.string()),
    ], optional: fields)

  static let filters: [Route.Parameter] = [
    .init(name: "patient_id", meaning: "of one patient"),
    .init(name: "waiting", meaning: "1 for those without a patient"),
    .init(name: "tag", meaning: "with a tag"), .init(name: "region", meaning: "of a region of the body"),
    .init(name: "from", meaning: "taken, or added, that day or later"),
    .init(name: "until", meaning: "that day or earlier"),
    .init(name: "check", meaning: "of which a check has something to remark"),
  ]

  private struct PageOfPhotos: Encodable {
    let photos: [PhotoOutput]
    let total: Int
    let next_offset: Int?
  }

  private static let list = Route(
    "GET", "/photos", .api, .reading, "Photos, the latest first.",
    parameters: filters + [.init(name: "order", meaning: "asc for the earliest first")] + Shapes.paging,
    answer: Shapes.page("photos", shape)
  ) { call in
    let paging = try Paging(call.request)
    let page = try call.perform(
      ListPhotos(
        filter: try filter(call.request), offset: paging.offset, limit: paging.limit,
        isAscending: call.request.parameter("order") == "asc"))
    let end = page.offset + page.photos.count
    return try .json(
      PageOfPhotos(
        photos: page.photos.map { PhotoOutput($0, zone: call.zone) }, total: page.total,
        next_offset: end < page.total && !page.photos.isEmpty ? end : nil))
  }

  static func filter(_ request: Request) throws -> PhotoFilter {
    func said(_ name: String) -> String? { request.parameter(name).flatMap { $0.isEmpty ? nil : $0 } }
    func day(_ name: String) throws -> CalendarDate? {
      guard let text = said(name) else { return nil }
      guard let date = CalendarDate(iso: text) else {
        throw ErrorBody(400, "invalid_field", "'\(name)' is not a date", hint: "Write 2026-11-23.", field: name)
      }
      return date
    }
    var filter = PhotoFilter(patient: said("patient_id"))
    filter.isWaiting = said("waiting") == "1"
    filter.tag = said("tag")
    filter.region = said("region")
    filter.check = said("check")
    filter.from = try day("from")
    filter.through = try day("until")
    return filter
  }

  /// What is said of a picture beside its bytes. It comes in a header, so that no words of people stand in an address.
  private struct Said: Decodable {
    var name: String?
    var patient_id: String?
    var note: String?
    var region: String?
    var tags: [String]?

    static let header = "x-vetnet-photo"

    init(_ request: Request) throws {
      guard let text = request.header(Self.header) else { return }
      guard text.utf8.count <= 16_384, let data = Data(base64Encoded: text),
        let said = try? JSONDecoder().decode(Said.self, from: data), (said.tags?.count ?? 0) <= 20
      else {
        throw ErrorBody(
          400, "invalid_field", "the header X-VetNet-Photo can't be read",
          hint: "It is a JSON object in base 64, with name, patient_id, note, region and tags.")
      }
      self = said
    }
  }

  private static let add = Route(
    "POST", "/photos", .api, .writing,
    "Adds a photo, whose file is the body, of type application/octet-stream and \(Limits.upload >> 20) MiB at most: JPEG, PNG, WebP or HEIC. Without a patient it waits for one.",
    parameters: [
      Shapes.idempotencyKey,
      .init(
        name: "X-VetNet-Photo",
        meaning: "a JSON object in base 64: name, patient_id, note, region, tags", isHeader: true),
    ],
    answer: .object(
      ["photo": shape, "added": .boolean, "known": .boolean, "messages": .list(.string())],
      optional: ["similar": .string()]), status: 201,
    // Decoding takes its time, and nobody who writes waits for it.
    before: { call in
      guard call.session.actor.role.may(AddPhoto.permission) else {
        throw ErrorBody(lacking: AddPhoto.permission, call.session.actor.role, for: "to add photos")
      }
      let said = try Said(call.request)
      return try PhotoDecoder.prepare(
        call.request.body, called: said.name ?? "the photo", call.practice.photos.photoRules)
    }
  ) { call in
    let said = try Said(call.request)
    guard let picture = call.made as? PreparedPicture else {
      throw ErrorBody(500, "failed", "the picture was not decoded")
    }
    let new = AddPhoto(
      picture: picture, patient: said.patient_id.flatMap { $0.isEmpty ? nil : $0 }, note: said.note,
      tags: said.tags ?? [], region: said.region)
    return try call.once(new, alsoSaid: Said.header) { added, _ in
      try .json(AddedPhotoOutput(added, zone: call.zone), status: 201)
    }
  }

  private static let words = Route(
    "GET", "/photo-words", .api, .reading, "Tags and regions that photos have.",
    parameters: [.init(name: "patient_id", meaning: "of one patient")],
    answer: .object(["tags": .list(.string()), "regions": .list(.string())])
  ) { call in
    try .json(call.perform(ListPhotoWords(patient: call.request.parameter("patient_id"))))
  }

  private static let checks = Route(
    "GET", "/photo-checks", .api, .reading, "What looks at photos, and on how many each check has something to remark.",
    answer: .object([
      "checks": .list(
        .object(["name": .string(), "summary": .string(), "checked": .integer, "remarks": .integer]))
    ])
  ) { call in try .json(["checks": call.perform(ListPhotoChecks())]) }

  private static let show = Route(
    "GET", "/photos/{id}", .api, .reading, "One photo, with what checks say and others like it.", answer: shape
  ) { call in try .json(PhotoOutput(call.perform(ShowPhoto(id: call.value("id"))), zone: call.zone)) }

  private static let amend = Route(
    "PATCH", "/photos/{id}", .api, .writing, "Changes what is said of a photo; what isn't named stays.",
    parameters: [Shapes.idempotencyKey],
    body: .object(
      [:],
      optional: [
        "note": .string("null for none"), "region": .string("null for none"), "tags": .list(.string("all that it has")),
        "taken_at": .string(), "mm_per_pixel": .number,
      ]), answer: shape
  ) { call in
    let fields = try Fields(call, known: ["note", "region", "tags", "taken_at", "mm_per_pixel"])
    var edit = PhotoEdit()
    if fields.names("note") { edit.note = try fields.text("note") ?? "" }
    if fields.names("region") { edit.region = try fields.text("region", atMost: 200) ?? "" }
    edit.takenAt = try fields.moment("taken_at")
    if fields.names("mm_per_pixel") {
      edit.millimetresPerPixel = try fields.number("mm_per_pixel", above: 0, below: 100) ?? 0
    }
    if fields.names("tags") {
      let wanted = try fields.list("tags") ?? []
      guard wanted.count <= 20 else {
        throw ErrorBody(400, "invalid_field", "'tags' has 20 at most", field: "tags")
      }
      edit.tags = wanted
    }
    return try call.once(AmendPhoto(id: call.value("id"), edit: edit)) { photo, _ in
      try .json(PhotoOutput(photo, zone: call.zone))
    }
  }

  private static let file = Route(
    "POST", "/photos/{id}/file", .api, .writing,
    "Says whose a photo is: of one that waits, or that is with the wrong animal.",
    parameters: [Shapes.idempotencyKey], body: .object(["patient_id": .string("an id, or words that fit one patient")]),
    answer: shape
  ) { call in
    let fields = try Fields(call, known: ["patient_id"])
    let filing = FilePhoto(id: call.value("id"), patient: try fields.required("patient_id", atMost: 200))
    return try call.once(filing) { photo, _ in try .json(PhotoOutput(photo, zone: call.zone)) }
  }

  private static let remove = Route(
    "POST", "/photos/{id}/remove", .api, .writing, "Takes a photo off file for good, with a reason.",
    parameters: [Shapes.idempotencyKey], body: .object(["reason": .string()]), answer: shape
  ) { call in
    let fields = try Fields(call, known: ["reason"])
    let removal = RemovePhoto(id: call.value("id"), reason: try fields.required("reason", atMost: 1000))
    return try call.once(removal) { photo, _ in try .json(PhotoOutput(photo, zone: call.zone)) }
  }
}
