import CLetters

/// The text of a Word document (Office Open XML), read in memory: nothing of it is written to the disk, so no path in it can lead
/// anywhere, and of its parts only the one with the text is unpacked, as far as a letter may be long.
///
/// - Source: ECMA-376 part 1, 17.3 (paragraphs and runs).
enum DocxText {
  /// Of the unpacked part with the text: markup is many times what it says.
  private static let longestPart = 64 << 20

  static func read(_ bytes: [UInt8]) throws(LetterError) -> String {
    try DocumentParser.text(of: try part("word/document.xml", of: bytes))
  }

  private static func part(_ name: String, of bytes: [UInt8]) throws(LetterError) -> [UInt8] {
    var library = vetnet_zip()
    guard vetnet_zip_load(&library), let makeSource = library.source_buffer_create, let open = library.open_from_source,
      let locate = library.name_locate, let openPart = library.fopen_index, let read = library.fread,
      let closePart = library.fclose, let discard = library.discard, let freeSource = library.source_free
    else {
      throw LetterError("Word documents are read by libzip, which isn't installed", hint: "apt install libzip4")
    }
    let damaged = LetterError(
      "it is no Word document, or damaged", hint: "open it in a word processor and save it anew")
    var content: [UInt8]?
    var isTooLong = false
    bytes.withUnsafeBytes { buffer in
      guard let source = makeSource(buffer.baseAddress, UInt64(buffer.count), 0, nil) else { return }
      guard let archive = open(source, Int32(ZIP_RDONLY), nil) else {
        freeSource(source)
        return
      }
      defer { discard(archive) }
      let index = locate(archive, name, 0)
      guard index >= 0, let file = openPart(archive, UInt64(index), 0) else { return }
      defer { _ = closePart(file) }
      var output: [UInt8] = []
      var portion = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(file, &portion, UInt64(portion.count))
        guard count >= 0 else { return }
        guard count > 0 else { break }
        output += portion[..<Int(count)]
        guard output.count <= longestPart else {
          isTooLong = true
          return
        }
      }
      content = output
    }
    if isTooLong {
      throw LetterError("its text unpacks to more than \(longestPart >> 20) MB", hint: "no letter is so long")
    }
    guard let content else { throw damaged }
    return content
  }
}

/// Gathers the text of a document's paragraphs.
private final class DocumentParser {
  private var text = ""
  private var depth = 0
  /// How many elements deep text counts: within `t`.
  private var isText = false
  private var fault: LetterError?
  private let stop: () -> Void

  private static let deepest = 256

  private init(stop: @escaping () -> Void) {
    self.stop = stop
  }

  static func text(of xml: [UInt8]) throws(LetterError) -> String {
    var library = vetnet_expat()
    guard vetnet_expat_load(&library), let create = library.create, let free = library.free, let parse = library.parse,
      let stopParser = library.stop, let setUserData = library.set_user_data,
      let onElement = library.set_element_handler,
      let onText = library.set_character_data_handler, let onDoctype = library.set_start_doctype_handler
    else {
      throw LetterError("Word documents are read by Expat, which isn't installed", hint: "apt install libexpat1")
    }
    guard let parser = create(nil) else { throw LetterError("there is no memory to read it with") }
    defer { free(parser) }
    let document = DocumentParser { _ = stopParser(parser, 0) }
    setUserData(parser, Unmanaged.passUnretained(document).toOpaque())
    onElement(
      parser,
      { context, name, _ in context.map(DocumentParser.at)?.begin(name) },
      { context, name in context.map(DocumentParser.at)?.end(name) })
    onText(parser) { context, letters, count in context.map(DocumentParser.at)?.add(letters, Int(count)) }
    // No document of a word processor declares entities: what does is made to grow.
    onDoctype(parser) { context, _, _, _, _ in
      context.map(DocumentParser.at)?.refuse(LetterError("it declares entities, which no word processor writes"))
    }
    // Expat counts in 32 bits; the longest part fits.
    let isWhole = xml.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { parse(parser, $0.baseAddress, Int32($0.count), 1) }
    }
    if let fault = document.fault { throw fault }
    guard isWhole == XML_STATUS_OK else {
      throw LetterError("its text is damaged", hint: "open it in a word processor and save it anew")
    }
    return document.text
  }

  private static func at(_ context: UnsafeMutableRawPointer) -> DocumentParser {
    Unmanaged<DocumentParser>.fromOpaque(context).takeUnretainedValue()
  }

  private func refuse(_ error: LetterError) {
    fault = fault ?? error
    stop()
  }

  private static func localName(_ name: UnsafePointer<CChar>?) -> Substring {
    let whole = name.map { String(cString: $0) } ?? ""
    return whole.split(separator: ":").last ?? ""
  }

  private func begin(_ name: UnsafePointer<CChar>?) {
    depth += 1
    if depth > Self.deepest { refuse(LetterError("its parts lie more than \(Self.deepest) deep in each other")) }
    switch Self.localName(name) {
    case "t": isText = true
    case "tab", "ptab": text += "\t"
    case "br", "cr": text += "\n"
    case "noBreakHyphen": text += "-"
    default: break
    }
  }

  private func end(_ name: UnsafePointer<CChar>?) {
    depth -= 1
    switch Self.localName(name) {
    case "t": isText = false
    case "p", "tr": text += "\n"
    // Cells of a table's row stand beside each other.
    case "tc": if text.last == "\n" { text.replaceSubrange(text.index(before: text.endIndex)..., with: "\t") }
    default: break
    }
  }

  private func add(_ letters: UnsafePointer<CChar>?, _ count: Int) {
    guard isText, let letters else { return }
    text += String(
      decoding: UnsafeBufferPointer(start: letters, count: count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if text.utf8.count > LetterFile.longestText {
      refuse(LetterError("it has more than \(LetterFile.longestText >> 20) MB of text", hint: "no letter is so long"))
    }
  }
}
