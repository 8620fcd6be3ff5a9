import Clinical
import Foundation
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Whether libvips is here; `make setup` installs it. Where it isn't, photos can't be decoded and their tests are skipped.
let canDecodePhotos = PhotoDecoder.isAvailable

extension SamplePicture {
  /// By libvips itself.
  func encoded(as format: PhotoFormat, quality: Int = 85) throws -> [UInt8] {
    let library = try #require(PictureLibrary())
    return try library.encode(pixels, width: width, height: height, as: format, quality: quality)
  }
}

/// What libvips makes of a stored size: how large it is, and how bright the corners are.
private func corners(_ bytes: [UInt8]) throws -> (width: Int, height: Int, topLeft: Int, bottomRight: Int) {
  let library = try #require(PictureLibrary())
  let grey = try library.grey(bytes)
  return (
    grey.width, grey.height, Int(grey.pixels[grey.width * 4 + 4]),
    Int(grey.pixels[grey.pixels.count - grey.width * 4 - 5])
  )
}

/// Photos on file: once each, whole or not at all, and gone with their patient.
@Suite(.enabled(if: canDecodePhotos, "libvips42 is not installed: make setup installs it"))
struct PhotoTests {
  let clinic: SmallClinic
  var practice: Practice { clinic.practice }
  let vet = Actor(name: "ann", role: .veterinarian)

  init() throws { clinic = try SmallClinic() }

  @discardableResult
  private func add(
    _ bytes: [UInt8], to patient: String? = "P1", note: String? = nil, tags: [String] = [], region: String? = nil,
    taken: Timestamp? = nil
  ) throws -> AddedPhoto {
    let picture = try PhotoDecoder.prepare(bytes, called: "picture.jpg", practice.photos.photoRules)
    return try practice.perform(
      AddPhoto(picture: picture, patient: patient, note: note, tags: tags, region: region, takenAt: taken), by: vet,
      at: clinic.now)
  }

  private func list(_ filter: PhotoFilter = PhotoFilter()) throws -> [String] {
    try practice.perform(ListPhotos(filter: filter), by: vet, at: clinic.now).photos.map(\.id)
  }

  private func count(_ table: String) throws -> Int64 {
    try practice.connection.number("SELECT count(*) FROM \(table)")
  }

  @Test func `each format becomes a thumbnail, a screen's size and an original`() throws {
    let sample = SamplePicture(seed: 1, width: 1600, height: 1200)
    for format in [PhotoFormat.jpeg, .png, .webp] {
      let added = try add(try sample.encoded(as: format), to: "P\(format == .jpeg ? 1 : format == .png ? 2 : 3)")
      #expect(added.isNew && added.photo.width == 1600 && added.photo.height == 1200)
      #expect(added.photo.mediaType == format.mediaType)
      for (size, edge) in [(PhotoSize.thumbnail, 256), (.screen, 1280)] {
        let bytes = try practice.perform(ReadPicture(picture: added.photo.picture, size: size), by: vet, at: clinic.now)
        #expect(bytes.width == edge && bytes.height == edge * 3 / 4 && bytes.mediaType == "image/jpeg")
        #expect(try corners(bytes.bytes).width == edge)
      }
      let original = try practice.perform(SavePhoto(id: added.photo.id), by: vet, at: clinic.now)
      #expect(original.width == 1600 && original.mediaType == format.mediaType)
    }
    #expect(try practice.integrity.verify().ok)
  }

  /// As systemd's MemoryDenyWriteExecute asks of a service; the decoder has no files to do without that memory either.
  @Test func `a picture is looked at where no memory may be both written and run`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("practice.vetnet"))
    try vetnet.run("init")
    try folder.write(#"{"id":"P1","name":"Biscuit","species":"dog"}"#, to: "patients.jsonl")
    try vetnet.run("import", folder.file("patients.jsonl"))
    let file = folder.file("picture.png")
    try Data(try SamplePicture(seed: 3, width: 640, height: 480).encoded(as: .png)).write(to: URL(filePath: file))
    #if arch(x86_64)
      let prctl = 157
    #else
      let prctl = 167
    #endif
    // PR_SET_MDWE; 77 where the kernel doesn't know it.
    let refusing = ["/usr/bin/perl", "-e", "syscall(\(prctl), 65, 1, 0, 0, 0) == 0 or exit 77; exec @ARGV"]
    let outcome = try vetnet.start(["photo", "add", file, "--patient", "P1"], launcher: refusing).wait()
    guard outcome.status != 77 else { return }
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try vetnet.run("photo", "list", "--patient", "P1").output.contains("photo-1"))
  }

  /// As a telephone sends it: 96 by 64, made with libheif's own encoder.
  @Test func `a HEIC picture is decoded`() throws {
    let bytes = try #require(Data(base64Encoded: Self.heic, options: .ignoreUnknownCharacters))
    let added = try add([UInt8](bytes))
    #expect(added.photo.width == 96 && added.photo.height == 64 && added.photo.mediaType == "image/heif")
    let screen = try practice.perform(
      ReadPicture(picture: added.photo.picture, size: .screen), by: vet, at: clinic.now)
    #expect(screen.width == 96 && screen.height == 64 && screen.mediaType == "image/jpeg")
    #expect(try practice.integrity.verify().ok)
  }

  private static let heic = """
    AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAA
    AAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFmAAEAAAAAAAAAzQAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAwmlwcnAA
    AACkaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkA
    AAAwAAAwAeoDCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQAAAABRpc3BlAAAAAAAAAGAAAABAAAAAEHBpeGkAAAAAAwgICAAA
    ABZpcG1hAAAAAAAAAAEAAQOBAoMAAADVbWRhdAAAAMkoAa9YlhWxooz1WRqUe2ZqVyeVQwogx22qkomlbfhR8w+Ov03qSJ/rCzckSZ2iAKg8Ww
    P27m+x//RjinaJqEQ7YIBAzlbm/RlasvlN8hQUp8vmdYPvK39NhNC3BD/OJ63yllnJuTU3Xw9if1BnPd7oSHS3G66dP7xnqbv7uuZaFrJXB6so
    PB6B7AngOOiKniHqpl+z3hbMwCSD5fxjqddh5t4pXju0yFlY6IiEPcaJmlw1UBg0Wh+K2rRub1fv3TVrasawUWaSXcA=
    """

  @Test func `the same picture is stored once, and linked to each patient it is added to`() throws {
    let bytes = try SamplePicture(seed: 2).encoded(as: .jpeg)
    let first = try add(bytes, region: "left flank")
    let again = try add(bytes, region: "Left Flank")
    #expect(first.isNew && !again.isNew && again.photo.id == first.photo.id)
    let other = try add(bytes, to: "P2")
    #expect(other.isNew && other.isKnownPicture && other.similar == first.photo.id)
    let elsewhere = try add(bytes, region: "right flank")
    #expect(elsewhere.isNew)
    #expect(try count("picture") == 1 && count("picture_tier") == 3 && count("photo") == 3)
  }

  @Test func `a picture stands upright, and place, device and time leave the original`() throws {
    // Light at the top left before it is turned by a quarter.
    var pixels = [UInt8](repeating: 20, count: 400 * 200 * 3)
    for y in 0..<100 { for x in 0..<200 { for c in 0..<3 { pixels[(y * 400 + x) * 3 + c] = 240 } } }
    let plain = try SamplePicture(width: 400, height: 200, pixels: pixels).encoded(as: .jpeg, quality: 95)
    let canary = "Zanzibar Camera"
    let turned = SamplePicture.withEXIF(plain, orientation: 6, taken: "2026:11:03 10:20:30", maker: canary)
    let trailing = turned + Array("hidden behind the end \(canary)".utf8)
    let added = try add(trailing)
    let photo = added.photo
    #expect(photo.width == 200 && photo.height == 400)
    #expect(photo.takenAt == SmallClinic.at("2026-11-03T10:20:30"))
    let screen = try practice.perform(ReadPicture(picture: photo.picture, size: .screen), by: vet, at: clinic.now)
    let seen = try corners(screen.bytes)
    #expect(seen.width == 200 && seen.height == 400 && seen.topLeft < 60 && seen.bottomRight < 60)
    let original = try practice.perform(SavePhoto(id: photo.id), by: vet, at: clinic.now).bytes
    for bytes in [original, screen.bytes] {
      for trace in [canary, "2026:11:03", "hidden behind"] { #expect(!bytes.contains(text: trace), "\(trace)") }
    }
    // The pixels are the very same, and turned when they are shown.
    let start = try #require(plain.firstRange(of: [0xFF, 0xDA])?.lowerBound)
    let kept = plain.count - start
    #expect(original.suffix(kept) == plain.suffix(kept))
    let head = try #require(PictureLibrary()).head(original)
    #expect(head.orientation == 6 && head.taken == nil)
  }

  @Test func `a practice may keep what the camera says, bound the original, or keep none`() throws {
    let bytes = SamplePicture.withEXIF(
      try SamplePicture(seed: 3, width: 2000, height: 1000).encoded(as: .jpeg), orientation: 1,
      taken: "2026:11:03 10:20:30", maker: "Kept Camera")
    func set(_ key: String, _ value: String?) throws {
      try practice.perform(ChangeSetting(key: key, value: value), by: .local, at: clinic.now)
    }
    try set("photo-details", "keep")
    let kept = try add(bytes)
    #expect(try practice.perform(SavePhoto(id: kept.photo.id), by: vet, at: clinic.now).bytes == bytes)
    try practice.perform(RemovePhoto(id: kept.photo.id, reason: "again"), by: vet, at: clinic.now)
    try set("photo-details", nil)
    try set("photo-original", "1280")
    let bounded = try practice.perform(SavePhoto(id: try add(bytes).photo.id), by: vet, at: clinic.now)
    #expect(bounded.width == 1280 && bounded.height == 640 && !bounded.bytes.contains(text: "Kept Camera"))
    try practice.perform(RemovePhoto(id: try list()[0], reason: "again"), by: vet, at: clinic.now)
    try set("photo-original", "none")
    let none = try add(bytes)
    let largest = try practice.perform(SavePhoto(id: none.photo.id), by: vet, at: clinic.now)
    #expect(largest.width == 1280)
    let error = #expect(throws: PracticeError.self) {
      try practice.perform(SavePhoto(id: none.photo.id, size: .original), by: vet, at: clinic.now)
    }
    #expect(error?.code == .notFound)
    for bad in ["100", "many", "-1"] {
      #expect(throws: PracticeError.self) { try set("photo-original", bad) }
    }
  }

  /// What may come instead of a picture, and what is said of it.
  private struct Hostile: CustomTestStringConvertible {
    let name: String
    let says: String
    let bytes: @Sendable () throws -> [UInt8]
    var testDescription: String { name }
  }

  private static let hostile: [Hostile] = [
    Hostile(name: "nothing", says: "empty") { [] },
    Hostile(name: "text", says: "JPEG, PNG, WebP and HEIC") { Array("I am a picture, honestly.".utf8) },
    Hostile(name: "pdf", says: "a PDF") { Array("%PDF-1.7\n1 0 obj".utf8) },
    Hostile(name: "svg", says: "an SVG") { Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8) },
    Hostile(name: "gif", says: "a GIF") { Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0] },
    Hostile(name: "tiff", says: "a TIFF") { Array("II*\0".utf8) + [8, 0, 0, 0] },
    Hostile(name: "bomb", says: "million pixels") { SamplePicture.png(width: 60_000, height: 60_000, rows: []) },
    Hostile(name: "largest", says: "cut off or damaged") { SamplePicture.png(width: 0x7FFF_FFFF, height: 1, rows: []) },
    Hostile(name: "head only", says: "cut off or damaged") {
      SamplePicture.png(width: 9000, height: 9000, rows: [1, 2, 3])
    },
    Hostile(name: "cut JPEG", says: "cut off or damaged") {
      let whole = try SamplePicture(seed: 4).encoded(as: .jpeg)
      return Array(whole.prefix(whole.count / 2))
    },
    Hostile(name: "three bytes", says: "cut off or damaged") { [0xFF, 0xD8, 0xFF] },
    Hostile(name: "HEIC of nothing", says: "cut off or damaged") {
      [0, 0, 0, 24] + Array("ftypheic".utf8) + [UInt8](repeating: 0, count: 64)
    },
    Hostile(name: "WebP of nothing", says: "cut off or damaged") {
      Array("RIFF".utf8) + [255, 255, 255, 127] + Array("WEBPVP8X".utf8) + [UInt8](repeating: 255, count: 40)
    },
  ]

  @Test(arguments: hostile) private func `what is no picture is refused by name, and nothing of it is kept`(
    _ row: Hostile
  ) throws {
    let before = try practice.connection.contentSummary()
    let bytes = try row.bytes()
    let error = #expect(throws: PracticeError.self) {
      try PhotoDecoder.prepare(bytes, called: "wound.jpg", practice.photos.photoRules)
    }
    #expect(error?.code == .invalidArgument)
    #expect(
      error?.description.contains("'wound.jpg'") == true && error?.description.contains(row.says) == true,
      "\(error as Any)")
    #expect(row.name == "nothing" || error?.hint != nil)
    #expect(try practice.connection.contentSummary() == before)
  }

  @Test func `random damage is refused or decoded, within bounds`() throws {
    let whole = try SamplePicture(seed: 5, width: 300, height: 200).encoded(as: .jpeg)
    var state: UInt64 = 7
    for _ in 0..<12 {
      var bytes = whole
      for _ in 0..<20 {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 25)
      }
      do {
        let picture = try PhotoDecoder.prepare(bytes, called: "a.jpg", practice.photos.photoRules)
        #expect(picture.width > 0 && picture.width * picture.height <= 100_000_000)
      } catch let error as PracticeError {
        #expect(error.code == .invalidArgument, "\(error)")
      }
    }
  }

  @Test func `a copy that was compressed again or made smaller is said to be like the first`() throws {
    let sample = SamplePicture(seed: 6, width: 1200, height: 900)
    let first = try add(try sample.encoded(as: .jpeg, quality: 92))
    #expect(first.similar == nil)
    let recompressed = try add(try sample.encoded(as: .jpeg, quality: 30))
    let smaller = try practice.perform(
      ReadPicture(picture: first.photo.picture, size: .thumbnail), by: vet, at: clinic.now)
    let scaled = try add(smaller.bytes, to: "P2")
    let other = try add(try sample.encoded(as: .webp, quality: 60), to: "P3")
    #expect([recompressed, scaled, other].map(\.similar) == [first, first, first].map(\.photo.id))
    for seed in UInt64(20)..<32 {
      let different = try add(try SamplePicture(seed: seed).encoded(as: .jpeg), to: "P4")
      #expect(different.similar == nil, "\(seed)")
    }
    var filter = PhotoFilter()
    filter.check = "duplicate"
    #expect(try Set(list(filter)) == Set([recompressed, scaled, other].map(\.photo.id)))
    // What is like nothing any more says so no more.
    try practice.perform(RemovePhoto(id: first.photo.id, reason: "double"), by: vet, at: clinic.now)
    #expect(try list(filter) == [])
  }

  @Test func `checks remark on what is blurred, dark, bright or empty, and not on a good picture`() throws {
    let good = SamplePicture(seed: 8)
    func remarks(_ sample: SamplePicture) throws -> Set<String> {
      let picture = try PhotoDecoder.prepare(sample.encoded(as: .jpeg), called: "a", practice.photos.photoRules)
      return Set(picture.findings.filter(\.isRemark).map(\.check))
    }
    #expect(try remarks(good) == [])
    #expect(try remarks(good.blurred(by: 9)).contains("sharpness"))
    let dark = SamplePicture(width: good.width, height: good.height, pixels: good.pixels.map { $0 / 8 })
    #expect(try remarks(dark).contains("exposure"))
    let bright = SamplePicture(width: good.width, height: good.height, pixels: good.pixels.map { 225 + $0 / 9 })
    #expect(try remarks(bright).contains("exposure"))
    #expect(try remarks(SamplePicture(tone: 120)).contains("subject"))
    // One empty picture is not like another.
    try add(try SamplePicture(tone: 120).encoded(as: .jpeg))
    #expect(try add(try SamplePicture(tone: 180).encoded(as: .jpeg)).similar == nil)
  }

  @Test func `lines of strokes may be writing, grain and stripes all over are not`() throws {
    func finding(_ paint: (_ x: Int, _ y: Int) -> UInt8) throws -> Bool {
      var pixels: [UInt8] = []
      for y in 0..<480 { for x in 0..<640 { pixels.append(paint(x, y)) } }
      let grey = try #require(GreyPicture(width: 640, height: 480, pixels: pixels))
      return WritingCheck().finding(CheckedPicture(grey: grey, screen: [])).isRemark
    }
    // Strokes of three pixels and gaps of five, with bars: two lines on a label.
    func letters(_ x: Int, _ y: Int) -> UInt8 {
      let isLine = (100..<116).contains(y) || (140..<156).contains(y)
      guard isLine, (100..<400).contains(x) else { return 230 }
      return x % 8 < 3 || (y % 8 < 2 && x % 16 < 8) ? 20 : 230
    }
    #expect(try finding(letters))
    #expect(try !finding { _, _ in 128 })
    #expect(try !finding { x, y in UInt8(truncatingIfNeeded: Grain.mixed(x, y)) })
    #expect(try !finding { x, _ in x % 8 < 4 ? 20 : 230 })
    #expect(try !finding { x, y in UInt8(60 + (x + y) / 10) })
  }

  @Test func `photos are found by patient, tag, region, day and check`() throws {
    let a = try add(
      try SamplePicture(seed: 9).encoded(as: .jpeg), tags: ["Wound", "for the owner"], region: "Left Flank",
      taken: SmallClinic.at("2026-11-01T09:00"))
    let b = try add(
      try SamplePicture(seed: 10).encoded(as: .jpeg), tags: ["wound"], region: "left flank",
      taken: SmallClinic.at("2026-11-10T09:00"))
    let c = try add(try SamplePicture(seed: 11).encoded(as: .jpeg), to: "P2", note: " ears ")
    let d = try add(try SamplePicture(seed: 12).blurred(by: 9).encoded(as: .jpeg), to: nil)
    let ids = [a, b, c, d].map(\.photo.id)
    #expect(try list() == [ids[3], ids[2], ids[1], ids[0]])
    #expect(try list(PhotoFilter(patient: "P1")) == [ids[1], ids[0]])
    func filter(_ change: (inout PhotoFilter) -> Void) throws -> [String] {
      var filter = PhotoFilter()
      change(&filter)
      return try list(filter)
    }
    #expect(try filter { $0.tag = "WOUND" } == [ids[1], ids[0]])
    #expect(try filter { $0.region = "LEFT flank" } == [ids[1], ids[0]])
    #expect(
      try filter {
        $0.from = CalendarDate(iso: "2026-11-02"); $0.through = CalendarDate(iso: "2026-11-10")
      } == [ids[1]])
    #expect(try filter { $0.isWaiting = true } == [ids[3]])
    #expect(try filter { $0.check = "sharpness" } == [ids[3]])
    let page = try practice.perform(ListPhotos(offset: 1, limit: 2), by: vet, at: clinic.now)
    #expect(page.total == 4 && page.photos.map(\.id) == [ids[2], ids[1]])
    let words = try practice.perform(ListPhotoWords(patient: "P1"), by: vet, at: clinic.now)
    #expect(words.tags == ["for the owner", "Wound"] && words.regions.count == 1)
    // One that waited is somebody's, and of it no more is to be said.
    let filed = try practice.perform(FilePhoto(id: ids[3], patient: "P3"), by: vet, at: clinic.now)
    #expect(filed.patientID == "P3")
    #expect(try filter { $0.isWaiting = true } == [])
    var edit = PhotoEdit()
    (edit.region, edit.note, edit.millimetresPerPixel) = ("", "seen from above", 0.12)
    (edit.addedTags, edit.removedTags) = (["day 1"], ["wound"])
    let amended = try practice.perform(AmendPhoto(id: ids[0], edit: edit), by: vet, at: clinic.now)
    #expect(amended.region == nil && amended.note == "seen from above" && amended.millimetresPerPixel == 0.12)
    #expect(amended.tags == ["day 1", "for the owner"] && amended.takenAt == a.photo.takenAt)
    for bad in [0.00001, 1000, -1] {
      var edit = PhotoEdit()
      edit.millimetresPerPixel = bad
      #expect(throws: PracticeError.self) {
        try practice.perform(AmendPhoto(id: ids[0], edit: edit), by: vet, at: clinic.now)
      }
    }
    for id in ["photo-99", "photo-0", "1", "photo-01"] {
      let error = #expect(throws: PracticeError.self) {
        try practice.perform(ShowPhoto(id: id), by: vet, at: clinic.now)
      }
      #expect(error?.code == .notFound)
    }
  }

  @Test func `who may not read or write the record gets no photo`() throws {
    let added = try add(try SamplePicture(seed: 13).encoded(as: .jpeg))
    let id = added.photo.id
    for role in [Role.reception, .administrator] {
      let actor = Actor(name: "kim", role: role)
      let operations: [any VetNet.Operation] = [
        ListPhotos(), ShowPhoto(id: id), SavePhoto(id: id), ReadPicture(picture: added.photo.picture, size: .thumbnail),
        RemovePhoto(id: id, reason: "x"), AmendPhoto(id: id, edit: PhotoEdit()), FilePhoto(id: id, patient: "P2"),
      ]
      for operation in operations {
        let error = #expect(throws: PracticeError.self) { try practice.perform(operation, by: actor, at: clinic.now) }
        #expect(error?.code == .notPermitted)
      }
    }
    #expect(try list() == [id])
  }

  @Test func `a list is put on record once, its thumbnails are not, an original is, and no words are`() throws {
    let canary = "zanzibarquartz"
    let added = try add(
      try SamplePicture(seed: 14).encoded(as: .jpeg), note: "\(canary) note", tags: [canary], region: "\(canary) flank")
    let before = try practice.connection.audit.entries().count
    _ = try list()
    for _ in 0..<5 {
      _ = try practice.perform(ReadPicture(picture: added.photo.picture, size: .thumbnail), by: vet, at: clinic.now)
    }
    let entries = try practice.connection.audit.entries().compactMap(\.entry)
    #expect(entries.count == before + 1 && entries.last?.operation == "photo.list")
    #expect(entries.last?.subjects.contains { $0.kind == "patient" && $0.id == "P1" } == true)
    _ = try practice.perform(SavePhoto(id: added.photo.id), by: vet, at: clinic.now)
    try practice.perform(RemovePhoto(id: added.photo.id, reason: "\(canary) reason"), by: vet, at: clinic.now)
    let all = try practice.connection.audit.entries().compactMap(\.entry)
    #expect(all.suffix(2).map(\.operation) == ["photo.save", "photo.remove"])
    for entry in all { #expect(!"\(entry)".contains(canary)) }
    #expect(try practice.perform(VerifyAudit(), by: .local, at: clinic.now).ok)
  }

  @Test func `an erased patient's pictures are gone from file and log, and one that another has stays`() throws {
    // A canary that is in the original's pixels as they are stored, which PNG keeps as they are.
    let canary = Array("ERASED-PIXELS-CANARY".utf8)
    var own = SamplePicture(seed: 15, width: 120, height: 90).pixels
    own.replaceSubrange(0..<canary.count, with: canary)
    let png = SamplePicture(width: 120, height: 90, pixels: own).png
    try add(png, note: "wordcanary-note", tags: ["wordcanary-tag"], region: "wordcanary-region")
    let shared = try SamplePicture(seed: 16).encoded(as: .jpeg)
    try add(shared)
    let kept = try add(shared, to: "P2")
    let path = clinic.folder.file("p.vetnet")
    func holds(_ text: [UInt8]) throws -> Bool {
      try ["", "-wal"].contains { suffix in
        guard let data = FileManager.default.contents(atPath: path + suffix) else { return false }
        return data.range(of: Data(text)) != nil
      }
    }
    #expect(try holds(canary) && holds(Array("wordcanary".utf8)))
    let report = try practice.perform(ErasePatient(reference: "P1", reason: "asked for"), by: .local, at: clinic.now)
    #expect(report.removed["photos"] == 2)
    #expect(try count("picture") == 1 && count("photo") == 1 && list() == [kept.photo.id])
    #expect(try !holds(canary) && !holds(Array("wordcanary".utf8)))
    #expect(
      try practice.perform(ReadPicture(picture: kept.photo.picture, size: .screen), by: vet, at: clinic.now).width > 0)
    #expect(try practice.integrity.verify().ok)
  }

  @Test func `what is merged takes its photos along, and a split gives them back`() throws {
    let own = try add(try SamplePicture(seed: 17).encoded(as: .jpeg))
    let other = try add(try SamplePicture(seed: 18).encoded(as: .jpeg), to: "P2")
    let report = try practice.perform(
      MergePatients(first: "P1", second: "P2", keep: .first, reason: "twice"), by: vet, at: clinic.now)
    #expect(report.moved["photo"] == 1)
    #expect(try Set(list(PhotoFilter(patient: "P1"))) == [own.photo.id, other.photo.id])
    try practice.perform(SplitPatient(id: "P2", reason: "they are two"), by: vet, at: clinic.now)
    #expect(try list(PhotoFilter(patient: "P1")) == [own.photo.id])
    #expect(try list(PhotoFilter(patient: "P2")) == [other.photo.id])
  }

  @Test func `doctor names the photo of which a bit was flipped, and it isn't shown`() throws {
    let added = try add(try SamplePicture(seed: 19).encoded(as: .jpeg))
    try practice.connection.execute(
      """
      UPDATE picture_tier SET bytes = CAST(substr(bytes, 1, 500) || char(1) || substr(bytes, 502) AS BLOB)
      WHERE tier = 'thumbnail'
      """)
    let findings = try practice.perform(Examine(isQuick: false), by: .local, at: clinic.now)
    #expect(findings.contains { $0.subject == "photo \(added.photo.id)" && $0.message.contains("thumbnail") })
    #expect(try !practice.integrity.verify().ok)
    let error = #expect(throws: PracticeError.self) {
      try practice.perform(ReadPicture(picture: added.photo.picture, size: .thumbnail), by: vet, at: clinic.now)
    }
    #expect(error?.code == .integrity)
    // As doctor says: the same picture, added again, is whole again.
    try add(try SamplePicture(seed: 19).encoded(as: .jpeg))
    #expect(try practice.integrity.verify().ok && count("picture") == 1)
    #expect(
      try practice.perform(ReadPicture(picture: added.photo.picture, size: .thumbnail), by: vet, at: clinic.now).width
        > 0)
  }

  @Test func `an import is not taken back from under a patient's photo`() throws {
    let bench = try ImportBench()
    try bench.load([("patients.jsonl", #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n")])
    let picture = try PhotoDecoder.prepare(
      try SamplePicture(seed: 40).encoded(as: .jpeg), called: "picture.jpg", bench.practice.photos.photoRules)
    try bench.practice.perform(AddPhoto(picture: picture, patient: "P1"), by: .local, at: bench.now)
    let undone = try bench.practice.exchange.undoImport(nil, now: bench.now)
    #expect(undone.kept.map { "\($0.kind) \($0.id) \($0.reason)" } == ["patients P1 has photos"])
    #expect(try bench.practice.records.patient("P1").name == "Rex")
  }

  @Test func `a backup holds the photos, and an export says that it doesn't`() throws {
    let added = try add(try SamplePicture(seed: 33).encoded(as: .jpeg))
    let copy = clinic.folder.file("copy.vetnet")
    try practice.perform(BackUp(destination: copy), by: .local, at: clinic.now)
    let backup = try Practice.openBackup(at: copy, models: clinic.models)
    #expect(
      try backup.perform(ReadPicture(picture: added.photo.picture, size: .screen), by: vet, at: clinic.now).width > 0)
    let summary = try practice.perform(
      ExportRecords(request: ExportRequest(.folder, to: clinic.folder.file("out"))), by: .local, at: clinic.now)
    #expect(summary.remarks.contains { $0.contains("1 photo is not among them") })
  }

  @Test func `a practice's own program looks at pictures, without the network, and may fail`() throws {
    let program = try clinic.folder.write(
      """
      #!/bin/sh
      test -s "$1" || exit 3
      printf '{"remark": true, "value": 0.5, "message": "seen %s"}' "$(head -c 3 "$1" | od -An -tx1 | tr -d ' \\n')"
      """, to: "look")
    chmod(program, 0o755)
    let added = try add(try SamplePicture(seed: 34).encoded(as: .png))
    func run() throws -> RunPhotoCheck.Summary {
      try practice.perform(RunPhotoCheck(), by: vet, at: clinic.now)
    }
    #expect(throws: PracticeError.self) { try run() }
    func name(_ command: String) throws {
      try practice.perform(ChangeSetting(key: "photo-check", value: command), by: .local, at: clinic.now)
    }
    try name(program)
    let summary = try run()
    #expect(summary.checked == 1 && summary.remarks == 1 && summary.failed == 0, "\(summary)")
    let full = try practice.perform(ShowPhoto(id: added.photo.id), by: vet, at: clinic.now)
    #expect(full.findings.contains { $0.check == "practice" && $0.value == 0.5 && $0.message == "seen ffd8ff" })
    #expect(try run().checked == 0)
    for (text, says) in [("echo nonsense", "no answer"), ("exit 9", "exit code 9")] {
      let bad = try clinic.folder.write("#!/bin/sh\n\(text)\n", to: "bad")
      chmod(bad, 0o755)
      try name(bad)
      try add(try SamplePicture(seed: 35 + UInt64(text.count)).encoded(as: .jpeg), to: "P5")
      let failed = try run()
      #expect(failed.checked == 0 && failed.failed > 0 && failed.problem?.contains(says) == true, "\(failed)")
    }
    for bad in ["look", "/bin/x 'open"] { #expect(throws: PracticeError.self) { try name(bad) } }
  }
}

private enum Grain {
  static func mixed(_ x: Int, _ y: Int) -> UInt64 {
    var value = UInt64(y * 640 + x + 1) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 31
    return value &* 0xBF58_476D_1CE4_E5B9 >> 40
  }
}

/// The arithmetic of checks, which takes no library.
struct PictureArithmeticTests {
  @Test func `the slow waves of a cosine are that cosine`() {
    // A wave of two periods across and one down, as the transform has it.
    let size = PerceptualHash.size
    func wave(_ periods: Double, _ place: Int) -> Double { cos(Double.pi * periods * Double(2 * place + 1) / 64) }
    var values: [Double] = []
    for y in 0..<size { for x in 0..<size { values.append(wave(3, x) * wave(2, y)) } }
    let waves = PerceptualHash.slowWaves(of: values)
    for v in 0..<8 {
      for u in 0..<8 {
        let wanted: Double = u == 3 && v == 2 ? 256 : 0
        #expect(abs(waves[v * 8 + u] - wanted) < 1e-9, "\(u) \(v)")
      }
    }
  }

  @Test func `sharpness is the variance of the Laplacian`() throws {
    // A single bright pixel: the Laplacian is -400, four times 100, and 0 elsewhere.
    var pixels = [UInt8](repeating: 0, count: 49)
    pixels[24] = 100
    let grey = try #require(GreyPicture(width: 7, height: 7, pixels: pixels))
    let mean = 0.0
    let variance = (400.0 * 400 + 4 * 100 * 100) / 25 - mean
    #expect(abs(grey.sharpness - variance) < 1e-9)
    #expect(GreyPicture(width: 2, height: 1, pixels: [1, 2])?.sharpness == 0)
    #expect(GreyPicture(width: 2, height: 2, pixels: [1]) == nil)
  }

  @Test func `what surrounds the pixels leaves a PNG and a WebP`() throws {
    let sample = SamplePicture(seed: 1, width: 20, height: 10)
    let end = sample.png.count - 12
    let noted =
      Array(sample.png.prefix(end)) + SamplePicture.chunk("tEXt", Array("Author\0Zanzibar".utf8))
      + SamplePicture.chunk("eXIf", Array("MM*Zanzibar".utf8)) + Array(sample.png.suffix(12)) + Array("Zanzibar".utf8)
    #expect(PhotoDetails.stripped(noted, .png, orientation: 1) == sample.png)
    #expect(PhotoDetails.stripped(Array(noted.prefix(60)), .png, orientation: 1) == nil)
    let body = Array("WEBP".utf8) + Array("VP8X".utf8) + [10, 0, 0, 0, 0x0C, 0, 0, 0, 1, 0, 0, 1, 0, 0]
    let extra = Array("EXIF".utf8) + [8, 0, 0, 0] + Array("Zanzibar".utf8)
    let size = body.count + extra.count
    let webp = Array("RIFF".utf8) + [UInt8(size), 0, 0, 0] + body + extra
    let stripped = try #require(PhotoDetails.stripped(webp, .webp, orientation: 1))
    #expect(!stripped.contains(text: "Zanzibar") && stripped[4] == UInt8(body.count) && stripped[20] == 0)
    #expect(PhotoDetails.stripped([1, 2, 3], .webp, orientation: 1) == nil)
  }

  @Test func `a thumbnail in JFIF's head leaves a JPEG, and what others wrote under its marker`() throws {
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }
    let jfif = Array("JFIF\0".utf8) + [1, 2, 1, 0, 72, 0, 72]
    let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
    let scan: [UInt8] = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 2, 3, 0xFF, 0xD9]
    let noted =
      [0xFF, 0xD8] + segment(0xE0, jfif + [2, 1] + Array("ZanZib".utf8)) + segment(0xE0, Array("JFXX\0Zanzibar".utf8))
      + segment(0xEE, adobe + Array("Zanzibar".utf8)) + segment(0xE1, Array("Exif\0\0Zanzibar".utf8)) + scan
    let stripped = try #require(PhotoDetails.stripped(noted, .jpeg, orientation: 1))
    #expect(stripped == [0xFF, 0xD8] + segment(0xE0, jfif + [0, 0]) + segment(0xEE, adobe) + scan)
  }

  @Test func `a hash reads back from its digits`() {
    let hash = ContentHash(of: [1, 2, 3])
    #expect(ContentHash(hexadecimal: hash.hexadecimal) == hash)
    for bad in ["", "g" + hash.hexadecimal.dropFirst(), hash.hexadecimal.uppercased(), hash.hexadecimal + "00"] {
      #expect(ContentHash(hexadecimal: bad) == nil)
    }
  }
}

extension [UInt8] {
  fileprivate func contains(text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
