import Clinical
import Presentation
import VetNet

/// Photos: all of them, one large, and those of one region side by side.
enum PhotosPage {
  static let routes: [Route] = [
    Route("GET", "/photos", .page, needs: .readRecord) { .page(try page($0)) },
    Route("GET", "/photos/timeline", .page, needs: .readRecord) { .page(try timeline($0)) },
    Route("GET", "/photo/{picture}/{size}", .plain) { try picture($0) },
    Route("GET", "/photo-original/{id}", .plain) { try original($0) },
  ]

  // MARK: Pictures

  /// A picture by its hash, which only a list tells that is on record: so it may be kept, by whoever is signed in now.
  private static func picture(_ call: Call) throws -> Response {
    guard let size = PhotoSize(rawValue: call.value("size")) else {
      throw ErrorBody(404, "not_found", "there is no such picture")
    }
    let found = try call.perform(ReadPicture(picture: call.value("picture"), size: size))
    let tag = "\"\(call.value("picture").prefix(32))-\(size.rawValue)\""
    // A thumbnail may stay with a browser; what is large is asked for again, so that who signed out finds nothing.
    let caching = size == .thumbnail ? "private, max-age=31536000, immutable" : "private, no-cache"
    let headers = [("ETag", tag), ("Cache-Control", caching), ("Vary", "Cookie")]
    if call.request.header("if-none-match") == tag {
      return Response(304, type: found.mediaType, [], headers: headers)
    }
    return Response(200, type: found.mediaType, found.bytes, headers: headers)
  }

  /// The largest size that is kept, to be saved.
  private static func original(_ call: Call) throws -> Response {
    let id = call.value("id")
    let found = try call.perform(SavePhoto(id: id))
    let name = id.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return Response(
      200, type: "application/octet-stream", found.bytes,
      headers: [("Content-Disposition", "attachment; filename=\"\(name)\(found.suffix)\"")])
  }

  // MARK: All of them

  private static func page(_ call: Call) throws -> HTML {
    let filter = try PhotoRoutes.filter(call.request)
    let patient = try filter.patient.map { try call.perform(IdentifyPatient(reference: $0)) }
    if call.request.parameter("part") == "live" { return try tally(filter, call) }
    let words = try call.perform(ListPhotoWords(patient: patient?.id))
    let query = query(call.request)
    let main: HTML = """
      <div class="toolbar"><h1>Photos\(patient.map { " of <a href=\"\(Link.patient($0.id))\"><bdi>\($0.name)</bdi></a>" as HTML })</h1></div>
      \(PhotoPieces.add(patient: patient.map { ($0.id, $0.name) }, words: words, keepsDetails: call.practice.photos.photoRules.keepsDetails))
      \(try filters(filter, patient, words, call))
      <div id="live" data-live="/photos?part=live&amp;\(query)" data-kinds="photo patient">\(try tally(filter, call))</div>
      <div id="photo-grid" class="photo-grid" role="list" aria-label="Photos" data-query="\(query)" data-testid="photo_grid"></div>
      """
    return Layout(
      title: "Photos", tab: .photos, script: "photos.js", main: main, dialogs: PhotoPieces.viewer
    ).page(call)
  }

  /// How many there are, and what says that the list has changed.
  private static func tally(_ filter: PhotoFilter, _ call: Call) throws -> HTML {
    let page = try call.perform(ListPhotos(filter: filter, limit: 1))
    guard let newest = page.photos.first else {
      return
        "<p class=\"empty\" data-total=\"0\" data-testid=\"photos_empty\">No photos here yet. Drop some above, or choose files; on a telephone its camera opens.</p>"
    }
    return
      "<p class=\"hint\" data-total=\"\(page.total)\" data-newest=\"\(newest.id)\" data-testid=\"photo_count\">\(page.total) \(page.total == 1 ? "photo" : "photos")</p>"
  }

  /// The filters as they were asked for, in an address.
  private static func query(_ request: Request) -> String {
    PhotoRoutes.filters.compactMap { parameter in
      request.parameter(parameter.name).flatMap { $0.isEmpty ? nil : "\(parameter.name)=\(Link.encoded($0))" }
    }.joined(separator: "&")
  }

  private static func filters(
    _ filter: PhotoFilter, _ patient: Patient?, _ words: ListPhotoWords.Words, _ call: Call
  ) throws -> HTML {
    func options(_ values: [(String, String)], _ chosen: String?) -> HTML {
      ([("", "any")] + values).html {
        "<option value=\"\($0.0)\"\($0.0 == (chosen ?? "") ? " selected" : "" as HTML)>\($0.1)</option>"
      }
    }
    let checks = try call.perform(ListPhotoChecks()).filter { $0.remarks > 0 || $0.name == filter.check }
    let hidden: HTML =
      patient.map { "<input type=\"hidden\" name=\"patient_id\" value=\"\($0.id)\">" } ?? ""
    let waiting: HTML =
      patient == nil
      ? "<div class=\"field check\"><label><input type=\"checkbox\" name=\"waiting\" value=\"1\"\(filter.isWaiting ? " checked" : "" as HTML)> without a patient</label></div>"
      : ""
    let beside: HTML =
      patient.map { patient in
        words.regions.prefix(12).html {
          " <a class=\"button small\" href=\"\(timelinePath(patient.id, $0))\" data-testid=\"photo_timeline_link\">\($0) side by side</a>"
        }
      } ?? ""
    return """
      <form class="photo-filter" method="get" action="/photos" aria-label="Which photos" data-testid="photo_filter">\(hidden)
      <div class="field"><label for="photo-tag">Tag</label><select id="photo-tag" name="tag" data-testid="photo_tag_filter">\(options(words.tags.map { ($0, $0) }, words.tags.first { $0.lowercased() == filter.tag?.lowercased() }))</select></div>
      <div class="field"><label for="photo-region">Region</label><select id="photo-region" name="region" data-testid="photo_region_filter">\(options(words.regions.map { ($0, $0) }, words.regions.first { $0.lowercased() == filter.region?.lowercased() }))</select></div>
      <div class="field"><label for="photo-check">To look at</label><select id="photo-check" name="check" data-testid="photo_check_filter">\(options(checks.map { ($0.name, "\($0.name) (\($0.remarks))") }, filter.check))</select></div>
      <div class="field"><label for="photo-from">From</label><input id="photo-from" type="date" name="from" value="\(filter.from.map { "\($0)" })"></div>
      <div class="field"><label for="photo-until">Until</label><input id="photo-until" type="date" name="until" value="\(filter.through.map { "\($0)" })"></div>
      \(waiting)
      <div class="actions"><button type="submit" data-testid="photo_filter_button">Show</button></div></form>
      <p>\(beside)</p>
      """
  }

  private static func timelinePath(_ patient: String, _ region: String) -> String {
    "/photos/timeline?patient_id=\(Link.encoded(patient))&region=\(Link.encoded(region))"
  }

  // MARK: Side by side

  /// No more full pictures than a page may hold at once.
  private static let mostBeside = 8

  private static func timeline(_ call: Call) throws -> HTML {
    let filter = try PhotoRoutes.filter(call.request)
    guard let wanted = filter.patient else {
      throw ErrorBody(
        400, "invalid_field", "a patient is needed", hint: "Open a patient's photos first.", field: "patient_id")
    }
    let patient = try call.perform(IdentifyPatient(reference: wanted))
    let paging = try Paging(call.request, limit: mostBeside, most: mostBeside)
    let page = try call.perform(
      ListPhotos(filter: filter, offset: paging.offset, limit: paging.limit, isAscending: true))
    let first = page.photos.first?.shownAt
    let figures = page.photos.html { figure($0, since: first, call) }
    func step(_ offset: Int, _ words: HTML) -> HTML {
      "<a class=\"button\" href=\"\(timelinePath(patient.id, filter.region ?? ""))&amp;offset=\(offset)\">\(words)</a>"
    }
    let earlier = paging.offset > 0 ? step(max(0, paging.offset - mostBeside), "Earlier") : ""
    let end = page.offset + page.photos.count
    let later = end < page.total ? step(end, "Later") : ""
    let none: HTML =
      page.photos.isEmpty
      ? "<p class=\"empty\" data-testid=\"photos_empty\">No photo of this region.</p>" : ""
    let main: HTML = """
      <div class="toolbar"><h1>\(filter.region ?? "All regions") · <a href="\(Link.patient(patient.id))"><bdi>\(patient.name)</bdi></a></h1></div>
      <p class="hint">\(page.total) \(page.total == 1 ? "photo" : "photos"), the earliest first. A bar of 10 mm stands under those with a scale; without one, sizes can't be compared.</p>\(none)
      <div class="photo-timeline" tabindex="0" role="region" aria-label="Photos side by side" data-testid="photo_timeline">\(figures)</div>
      <p class="actions">\(earlier) \(later) <a class="button" href="/photos?patient_id=\(Link.encoded(patient.id))">All photos</a></p>
      """
    return Layout(title: "Photos side by side", tab: .photos, main: main).page(call)
  }

  private static func figure(_ photo: Photo, since first: Timestamp?, _ call: Call) -> HTML {
    let date = call.zone.date(of: photo.shownAt)
    let days = first.map { date.daysSince1970 - call.zone.date(of: $0).daysSince1970 } ?? 0
    let scale: HTML =
      photo.millimetresPerPixel.map { scale in
        // As wide as the picture: the bar keeps its proportion at any size.
        let width = max(1, min(Double(photo.width), 10 / scale))
        return
          "<svg class=\"photo-scale\" viewBox=\"0 0 \(photo.width) \(max(1, photo.width / 20))\" role=\"img\" aria-label=\"10 millimetres\"><rect x=\"0\" y=\"0\" width=\"\(TrendFigure.number(width, 1))\" height=\"\(max(1, photo.width / 40))\"/></svg><span class=\"hint\">10 mm</span>"
      } ?? "<span class=\"hint\">no scale</span>"
    return """
      <figure class="photo-beside"><img src="\(PhotoPieces.path(photo.picture, .screen))" width="\(photo.width)" height="\(photo.height)" alt="\(PhotoPieces.words(photo, call))" decoding="async">
      \(scale)<figcaption><b>\(Badges.longDate(date))</b>\(days > 0 ? " · day \(days)" : "") <span class="id">\(photo.id)</span>\(photo.note.map { "<br>\($0)" as HTML })</figcaption></figure>
      """
  }
}

/// Parts that show photos, on their own page and on a patient's.
enum PhotoPieces {
  static func path(_ picture: String, _ size: PhotoSize) -> String { Link.path(["photo", picture, size.rawValue]) }

  /// What a picture is of, for whoever doesn't see it.
  static func words(_ photo: Photo, _ call: Call) -> String {
    "\(photo.region ?? "photo") of \(photo.patientName ?? "no patient yet"), \(call.zone.date(of: photo.shownAt))"
  }

  /// Dropping, choosing, and a telephone's camera.
  static func add(
    patient: (id: String, name: String)?, words: ListPhotoWords.Words, keepsDetails: Bool
  ) -> HTML {
    let whose: HTML =
      patient.map { "<input type=\"hidden\" name=\"patient_id\" value=\"\($0.id)\">" }
      ?? PatientPicker(id: "photo-patient", testID: "photo_patient_input", label: "Patient (empty: they wait for one)")
      .html
    let regions = words.regions.prefix(100).html { "<option value=\"\($0)\"></option>" }
    return """
      <details class="photo-add-part"\(patient == nil ? "" : " open" as HTML) data-testid="photo_add_part"><summary>Add photos</summary>
      <form id="photo-add" class="photo-add">\(whose)
      <div class="fields"><div class="field"><label for="photo-add-region">Region of the body</label><input id="photo-add-region" name="region" maxlength="60" list="photo-regions" placeholder="left flank" data-testid="photo_region_input"><datalist id="photo-regions">\(regions)</datalist></div>
      <div class="field"><label for="photo-add-tags">Tags, with commas between</label><input id="photo-add-tags" name="tags" maxlength="400" data-testid="photo_tags_input"></div>
      <div class="field"><label for="photo-add-note">Note</label><input id="photo-add-note" name="note" maxlength="2000" data-testid="photo_note_input"></div></div>
      <div class="photo-drop" id="photo-drop" data-testid="photo_drop"><label class="button" for="photo-files">Choose photos</label><input id="photo-files" class="hidden" type="file" multiple accept="image/jpeg,image/png,image/webp,image/heic,image/heif,.heic" data-needs="write record" data-testid="photo_file_input">
      <label class="button" for="photo-camera">Take a photo</label><input id="photo-camera" class="hidden" type="file" accept="image/*" capture="environment" data-needs="write record" data-testid="photo_camera_input">
      <span class="hint">or drop them here. JPEG, PNG, WebP or HEIC, 32 MB at most; place and device \(keepsDetails ? "stay in the original, as the practice has set it" : "are taken out").</span></div></form>
      <div role="status"><ul class="plain photo-uploads" id="photo-uploads" data-testid="photo_uploads"></ul></div></details>
      """
  }

  /// A patient's latest, with a way to all of them.
  static func strip(_ page: PhotoPage, patient: Patient, _ call: Call) -> HTML {
    let all = "/photos?patient_id=\(Link.encoded(patient.id))"
    let tiles = page.photos.enumerated().html { index, photo in
      """
      <li><a class="photo-tile" href="\(all)" data-photo="\(index)" data-testid="photo_\(photo.id)"><img src="\(path(photo.picture, .thumbnail))" width="128" height="96" alt="\(words(photo, call))" loading="lazy" decoding="async"><span>\(Badges.shortDate(call.zone.date(of: photo.shownAt)))\(photo.region.map { " · \($0)" })</span></a></li>
      """
    }
    let body: HTML =
      page.photos.isEmpty
      ? "<p class=\"hint\">None yet.</p>"
      : "<ul class=\"plain photo-strip\" data-query=\"patient_id=\(Link.encoded(patient.id))\">\(tiles)</ul>"
    return """
      <section class="card photos-part" data-testid="patient_photos" aria-label="Photos"><h2>Photos</h2>\(body)
      <p><a class="button small" href="\(all)" data-testid="photo_all_link">\(page.total > page.photos.count ? "All \(page.total) photos, or add some" : "All photos, or add some")</a></p></section>
      """
  }

  static let viewer: HTML = """
    <dialog id="photo-viewer" class="photo-viewer" aria-labelledby="photo-viewer-title" data-testid="photo_viewer">\(Dialogs.head("Photo", id: "photo-viewer"))
    <div class="photo-stage"><button type="button" data-step="-1" aria-label="Later photo" data-testid="photo_previous">‹</button>
    <div class="photo-frame" id="photo-frame" tabindex="0" role="group" aria-label="Photo" data-testid="photo_frame"></div>
    <button type="button" data-step="1" aria-label="Earlier photo" data-testid="photo_next">›</button></div>
    <p class="photo-place" id="photo-place" role="status" data-testid="photo_place"></p>
    <div id="photo-about" data-testid="photo_about"></div>
    <form id="photo-edit" class="photo-edit" novalidate>
    <div class="fields"><div class="field"><label for="photo-edit-region">Region</label><input id="photo-edit-region" name="region" maxlength="60" data-needs="write record" data-testid="photo_edit_region"></div>
    <div class="field"><label for="photo-edit-tags">Tags, with commas between</label><input id="photo-edit-tags" name="tags" maxlength="400" data-needs="write record" data-testid="photo_edit_tags"></div>
    <div class="field"><label for="photo-edit-note">Note</label><input id="photo-edit-note" name="note" maxlength="2000" data-needs="write record" data-testid="photo_edit_note"></div>
    <div class="field"><label for="photo-length">A length on it, in mm</label><input id="photo-length" type="number" min="0.1" step="any" inputmode="decimal" data-needs="write record" data-testid="photo_length"></div></div>
    <p class="hint">For a scale: type the length of something that you see, such as a ruler's part, then draw along it on the photo.</p>
    \(PatientPicker(id: "photo-whose", testID: "photo_whose_input", label: "Whose it is").html)
    <p class="problem" role="alert" hidden></p>
    <div class="actions"><button type="submit" class="primary" data-needs="write record" data-testid="photo_save_button">Save</button>
    <a class="button" id="photo-original" data-testid="photo_original">Save the original</a>
    <button type="button" class="quiet" data-close>Close</button></div></form>
    <details><summary>Take it off file</summary><form id="photo-remove" novalidate><div class="field"><label for="photo-reason">Why</label><input id="photo-reason" name="reason" maxlength="1000" data-needs="write record" data-testid="photo_reason"></div>
    <p class="problem" role="alert" hidden></p><div class="actions"><button type="submit" class="danger" data-needs="write record" data-testid="photo_remove_button">Take it off file for good</button></div></form></details></dialog>
    """
}
