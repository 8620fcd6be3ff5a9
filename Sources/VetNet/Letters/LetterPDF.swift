import FoundationEssentials
import Interchange

/// The text of a PDF, by poppler's `pdftotext`: a program of its own, within its time and memory and without the network, since PDFs
/// are a language that readers have often been tricked by.
enum LetterPDF {
  private static let program = "/usr/bin/pdftotext"

  static func text(of bytes: [UInt8]) throws(LetterError) -> [UInt8] {
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw LetterError("PDFs are read by pdftotext, which isn't installed", hint: "apt install poppler-utils")
    }
    var limits = GuestProcess.Limits()
    limits.seconds = 20
    limits.megabytes = 1024
    limits.outputBytes = LetterFile.longestText
    do {
      return try GuestProcess(words: [program, "-q", "-enc", "UTF-8", "-nopgbrk", "-layout", "-", "-"], limits: limits)
        .run(bytes)
    } catch {
      throw LetterError(
        "pdftotext could not read it within \(limits.seconds) seconds and \(limits.megabytes) MB",
        hint: "it may be damaged or locked: open it and print it into a new PDF")
    }
  }
}
