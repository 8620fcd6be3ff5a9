import Clinical
import FoundationEssentials
import Presentation
import VetNet

/// Photos of patients: adding, finding, saving, and what checks say of them.
enum PhotoCommands {
  private static let photo = Positional("PHOTO", "an id that vetnet photo list shows, such as photo-3")

  static let add = Command(
    "photo add", "adds photos to a patient's record",
    positionals: [Positional("FILE", "a JPEG, PNG, WebP or HEIC; - is standard input", repeating: true)],
    options: [
      Option("--patient", "PATIENT", "an id, a microchip, or a name that fits one patient"),
      Option("--waiting", nil, "instead of a patient: they wait until somebody says whose they are"),
      Option("--note", "TEXT", "what is to be said of them"),
      Option("--tag", "TAG", "to find them by; may be given several times"),
      Option("--region", "WORDS", "of the body: photos of one region are shown side by side"),
      Option("--taken", "TIME", "when they were taken, where the camera doesn't say or is wrong"),
    ],
    examples: [
      Example("vetnet photo add IMG_2041.jpg --patient P001 --region \"left flank\"", "one of a wound"),
      Example("vetnet photo add *.heic --patient P001 --note \"after the bandage came off\"", "several"),
    ],
    discussion: """
      What is kept is in the practice file: a thumbnail, the size of a screen, and the original without place and device (vetnet config:
      photo-original, photo-details). The same picture twice is stored once. Pictures are decoded by libvips in a process of their own that
      may do little; what is damaged, too large or no picture is refused by name, and the others are added. Checks say what to look at:
      vetnet photo checks.
      """,
    // It starts the process that decodes.
    files: { _ in .anywhere }
  ) { invocation in
    let arguments = invocation.arguments
    let patient = arguments.value("--patient")
    guard (patient == nil) == arguments.isSet("--waiting") else {
      throw UsageError("photos are for a --patient, or --waiting for somebody to say whose they are")
    }
    let practice = try invocation.openPractice(.write)
    let taken = try invocation.moment("--taken", in: practice.timeZone)
    StopSignal.watch()
    let bar = ProgressBar("photos", isVisible: invocation.terminal.stderrIsTerminal && !invocation.wantsJSON)
    var refused: [PracticeError] = []
    let files = arguments.positionals
    for (index, path) in files.enumerated() {
      bar.update(done: index, total: files.count)
      // Between two files: each is added whole or not at all.
      if let signal = StopSignal.current {
        throw PracticeError(.stopped(signal: signal), "stopped; \(index) of \(files.count) files were looked at")
      }
      do {
        let picture = try PhotoDecoder.prepare(try read(path), called: path, practice.photos.photoRules)
        let added = try invocation.perform(
          AddPhoto(
            picture: picture, patient: patient, note: arguments.value("--note"), tags: arguments.values("--tag"),
            region: arguments.value("--region"), takenAt: taken), on: practice)
        bar.finish()
        if invocation.wantsJSON {
          try invocation.terminal.printJSON(AddedPhotoOutput(added, zone: practice.timeZone))
        } else {
          invocation.terminal.print(line(added, of: path))
        }
      } catch let error as PracticeError where error.code == .invalidArgument && files.count > 1 {
        bar.finish()
        refused.append(error)
        invocation.terminal.say("vetnet: \(error.description)\(error.hint.map { "\n\($0)" } ?? "")")
      }
    }
    if refused.isEmpty { return .ok }
    invocation.terminal.say("\(refused.count) of \(files.count) files were not added; nothing of them is kept.")
    return refused.count == files.count ? .failed : .someInputRejected
  }

  private static func read(_ path: String) throws -> [UInt8] {
    if path == "-" { return DecodePhotoCommand.readAll() ?? [] }
    guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0,
      FileManager.default.isReadableFile(atPath: path)
    else {
      throw PracticeError(.invalidArgument, "there is no file '\(path)' that can be read")
    }
    // What is too large is said without reading it.
    guard size <= PhotoDecoder.mostBytes else {
      throw PracticeError(
        .invalidArgument, "'\(path)' has \(size >> 20) MB; a photo has \(PhotoDecoder.mostBytes >> 20) MB at most",
        hint: "Save it smaller, or as JPEG.")
    }
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw PracticeError(.invalidArgument, "'\(path)' can't be read; a photo is a file")
    }
    return [UInt8](data)
  }

  private static func line(_ added: AddedPhoto, of path: String) -> String {
    let photo = added.photo
    guard added.isNew else {
      return "\(path): is on file already as \(photo.id)".withoutControls
    }
    let whose = photo.patientID.map { "of \($0)" } ?? "waits for its patient"
    let known = added.isKnownPicture ? "; the picture was on file" : ""
    let like = added.similar.map { "; like \($0)" } ?? ""
    let remarks = added.remarks.isEmpty ? "" : "; " + added.remarks.joined(separator: "; ")
    return "\(photo.id): \(path), \(whose)\(known)\(like)\(remarks)".withoutControls
  }

  static let list = Command(
    "photo list", "lists photos, the latest first",
    options: [
      Option("--patient", "PATIENT", "of one patient"),
      Option("--waiting", nil, "those that wait for their patient"),
      Option("--tag", "TAG", "with a tag"), Option("--region", "WORDS", "of a region"),
      Option("--from", "DATE", "taken that day or later"), Option("--until", "DATE", "taken that day or earlier"),
      Option("--check", "NAME", "of which a check has something to remark, such as sharpness"),
      Option("--limit", "N", "at most so many (default: 100)"),
    ],
    examples: [
      Example("vetnet photo list --patient P001 --region \"left flank\"", "how a wound healed"),
      Example("vetnet photo list --check duplicate", "what may be on file twice"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    let arguments = invocation.arguments
    var filter = PhotoFilter(patient: arguments.value("--patient"))
    filter.isWaiting = arguments.isSet("--waiting")
    filter.tag = arguments.value("--tag")
    filter.region = arguments.value("--region")
    filter.check = arguments.value("--check")
    let zone = practice.timeZone
    filter.from = try invocation.moment("--from", in: zone).map(zone.date)
    filter.through = try invocation.moment("--until", in: zone).map(zone.date)
    let limit = try invocation.integer("--limit", in: 1...100_000) ?? 100
    var offset = 0
    var total = 0
    repeat {
      let page = try invocation.perform(
        ListPhotos(filter: filter, offset: offset, limit: min(ListPhotos.most, limit - offset)), on: practice)
      total = page.total
      if page.photos.isEmpty { break }
      for photo in page.photos {
        if invocation.wantsJSON {
          try invocation.terminal.printJSON(PhotoOutput(photo, zone: zone))
        } else {
          invocation.terminal.print(line(photo, zone))
        }
      }
      offset += page.photos.count
    } while offset < min(limit, total)
    if total == 0 { invocation.terminal.say("No photos.") }
    if total > offset, !invocation.wantsJSON { invocation.terminal.say("\(total - offset) more: --limit \(total)") }
    return .ok
  }

  private static func line(_ photo: Photo, _ zone: PracticeTimeZone) -> String {
    let whose = (photo.patientID ?? "waits").padded(to: 8)
    let words =
      [photo.region].compactMap(\.self) + photo.tags.map { "#\($0)" } + [photo.note].compactMap(\.self)
      + photo.remarks.map { "(\($0))" }
    return "\(photo.id.padded(to: 12)) \(whose) \(zone.describe(photo.shownAt))  \(words.joined(separator: " · "))"
      .withoutControls
  }

  static let show = Command(
    "photo show", "shows what is known of a photo", positionals: [photo],
    examples: [Example("vetnet photo show photo-3", "whose, when, what checks say, and others like it")]
  ) { invocation in
    let practice = try invocation.openPractice()
    let full = try invocation.perform(ShowPhoto(id: invocation.arguments.positionals[0]), on: practice)
    try print(full, practice, invocation)
    return .ok
  }

  private static func print(_ full: PhotoInFull, _ practice: Practice, _ invocation: Invocation) throws {
    if invocation.wantsJSON { return try invocation.terminal.printJSON(PhotoOutput(full, zone: practice.timeZone)) }
    let photo = full.photo
    let zone = practice.timeZone
    var lines = [
      "\(photo.id)  \(photo.patientID.map { "\($0) \(photo.patientName ?? "")" } ?? "waits for its patient")",
      "  \(photo.width) × \(photo.height), \(photo.mediaType), \(photo.byteCount / 1000) kB as it came",
      photo.takenAt.map { "  taken \(zone.describe($0))" } ?? "  when it was taken isn't known",
      "  added \(zone.describe(photo.addedAt)) by \(photo.addedBy)",
    ]
    if let region = photo.region { lines.append("  region: \(region)") }
    if !photo.tags.isEmpty { lines.append("  tags: \(photo.tags.joined(separator: ", "))") }
    if let scale = photo.millimetresPerPixel { lines.append("  \(scale) mm a pixel of the picture as it came") }
    if let note = photo.note { lines.append("  \(note)") }
    for finding in full.findings {
      let value = finding.value.map { " \(($0 * 10).rounded() / 10)" } ?? ""
      lines.append("  \(finding.check)\(value): \(finding.message ?? "nothing to remark")")
    }
    if !full.similar.isEmpty { lines.append("  like \(full.similar.joined(separator: ", "))") }
    let sizes = full.sizes.sorted { $0.value < $1.value }.map { "\($0.key.rawValue) \($0.value / 1000) kB" }
    lines.append("  kept: \(sizes.joined(separator: ", "))")
    for line in lines { invocation.terminal.print(line.withoutControls) }
  }

  static let save = Command(
    "photo save", "writes a photo into a new file",
    positionals: [photo, Positional("FILE", "a file that isn't there yet, or a folder")],
    options: [Option("--size", "original|screen|thumbnail", "which size (default: the largest that is kept)")],
    examples: [Example("vetnet photo save photo-3 wound.jpg", "the original as it is kept")],
    files: { _ in .folders }
  ) { invocation in
    let practice = try invocation.openPractice()
    let id = invocation.arguments.positionals[0]
    let size = try invocation.arguments.value("--size").map { word in
      guard let size = PhotoSize(rawValue: word) else {
        throw UsageError("--size '\(word)' is not known; write original, screen or thumbnail")
      }
      return size
    }
    let bytes = try invocation.perform(SavePhoto(id: id, size: size), on: practice)
    var path = invocation.arguments.positionals[1]
    var isFolder: Bool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder {
      path += "/\(id)\(bytes.suffix)"
    }
    do {
      try Data(bytes.bytes).write(to: URL(filePath: path), options: .withoutOverwriting)
    } catch {
      throw PracticeError(
        .failed, "'\(path)' can't be written, or is there already", hint: "Name a file that isn't there yet.")
    }
    invocation.terminal.say("\(path): \(bytes.width) × \(bytes.height), \(bytes.bytes.count / 1000) kB")
    return .ok
  }

  static let tag = Command(
    "photo tag", "gives a photo tags, or changes what is said of it",
    positionals: [photo, Positional("TAG", "a word or a few", optional: true, repeating: true)],
    options: [
      Option("--remove", "TAG", "take a tag away; may be given several times"),
      Option("--region", "WORDS", "of the body; empty for none"), Option("--note", "TEXT", "empty for none"),
      Option("--taken", "TIME", "when it was taken"),
      Option("--mm-per-pixel", "N", "a scale, of the picture as it came; 0 for none"),
    ],
    examples: [
      Example("vetnet photo tag photo-3 \"for the owner\"", "a tag"),
      Example("vetnet photo tag photo-3 --region \"left flank\" --mm-per-pixel 0.12", "what it shows, and how large"),
    ]
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice(.write)
    var edit = PhotoEdit()
    edit.addedTags = Array(arguments.positionals.dropFirst())
    edit.removedTags = arguments.values("--remove")
    edit.region = arguments.value("--region")
    edit.note = arguments.value("--note")
    edit.takenAt = try invocation.moment("--taken", in: practice.timeZone)
    if let text = arguments.value("--mm-per-pixel") {
      guard let scale = Double(text) else { throw UsageError("--mm-per-pixel '\(text)' is not a number") }
      edit.millimetresPerPixel = scale
    }
    guard edit != PhotoEdit() else { throw UsageError("nothing was said to change; name a TAG or an option") }
    try invocation.perform(AmendPhoto(id: arguments.positionals[0], edit: edit), on: practice)
    try print(try invocation.perform(ShowPhoto(id: arguments.positionals[0]), on: practice), practice, invocation)
    return .ok
  }

  static let file = Command(
    "photo file", "says whose a photo is: of one that waits, or that was put with the wrong animal",
    positionals: [photo], options: [Option("--patient", "PATIENT", "an id, a microchip, or a name that fits one")],
    examples: [Example("vetnet photo file photo-3 --patient P001", "it waits no more")]
  ) { invocation in
    guard let patient = invocation.arguments.value("--patient") else { throw UsageError("--patient is needed") }
    let practice = try invocation.openPractice(.write)
    let photo = try invocation.perform(
      FilePhoto(id: invocation.arguments.positionals[0], patient: patient), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(PhotoOutput(photo, zone: practice.timeZone))
    } else {
      invocation.terminal.print("\(photo.id) is \(photo.patientID ?? "")'s")
    }
    return .ok
  }

  static let remove = Command(
    "photo remove", "takes a photo off file for good", positionals: [photo],
    options: [Option("--reason", "TEXT", "why; it is kept as a digest in the audit log")],
    examples: [Example("vetnet photo remove photo-3 --reason \"shows the owner\"", "it can't be brought back")],
    discussion: "Its picture goes with it, unless another photo shows the same. Backups made before still hold it."
  ) { invocation in
    guard let reason = invocation.arguments.value("--reason") else { throw UsageError("--reason is needed") }
    let practice = try invocation.openPractice(.write)
    let photo = try invocation.perform(
      RemovePhoto(id: invocation.arguments.positionals[0], reason: reason), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(PhotoOutput(photo, zone: practice.timeZone))
    } else {
      invocation.terminal.print("\(photo.id) is taken off file")
    }
    return .ok
  }

  static let checks = Command(
    "photo checks", "lists what looks at photos, or has the practice's own program look",
    options: [
      Option("--run", nil, "have the program of the setting photo-check look at photos it hasn't seen"),
      Option("--limit", "N", "at most so many photos (default: 1000)"),
    ],
    examples: [
      Example("vetnet photo checks", "how many photos each check remarked on"),
      Example("vetnet photo checks --json", "one JSON object a check"),
      Example("vetnet photo checks --run", "and have it look"),
    ],
    discussion: """
      A program of the practice's own (vetnet config set photo-check "/usr/local/bin/look") gets a picture's path as its last word and prints {"remark": true, "value": 0.8, "message": "…"}, of which everything but remark may be
      missing. It runs without a shell and without the network, for at most ten seconds a picture. A check decides nothing: photos with
      remarks are on file like any other.
      """,
    files: { $0.isSet("--run") ? .anywhere : .named }
  ) { invocation in
    let terminal = invocation.terminal
    if invocation.arguments.isSet("--run") {
      let practice = try invocation.openPractice(.write)
      StopSignal.watch()
      practice.door.stopSignal = { StopSignal.current }
      let bar = ProgressBar("checking", isVisible: terminal.stderrIsTerminal && !invocation.wantsJSON)
      let summary = try invocation.perform(
        RunPhotoCheck(most: try invocation.integer("--limit", in: 1...1_000_000) ?? 1000), on: practice,
        progress: { bar.update(done: $0.done, total: $0.total) })
      bar.finish()
      if invocation.wantsJSON {
        try terminal.printJSON(summary)
      } else {
        terminal.print("\(summary.checked) looked at, \(summary.remarks) remarks, \(summary.failed) without an answer")
        if let problem = summary.problem { terminal.say(problem.withoutControls) }
      }
      return summary.failed > 0 ? .someInputRejected : .ok
    }
    let practice = try invocation.openPractice()
    for check in try invocation.perform(ListPhotoChecks(), on: practice) {
      if invocation.wantsJSON {
        try terminal.printJSON(check)
      } else {
        terminal.print(
          "\(check.name): \(check.summary.withoutControls); \(check.checked) looked at, \(check.remarks) remarks")
      }
    }
    return .ok
  }
}
