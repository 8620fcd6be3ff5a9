import Clinical
import FoundationEssentials
import Glibc
import Store

/// A picture whose sizes are made, to be put on file by ``AddPhoto``.
public struct PreparedPicture: Codable, Sendable {
  struct Size: Codable, Sendable {
    let tier: PhotoTier
    let mediaType: String
    let width: Int
    let height: Int
    let bytes: Data
  }

  let hash: Data
  public let format: PhotoFormat
  /// Upright, as it was sent.
  public let width: Int
  public let height: Int
  let byteCount: Int
  /// By the camera's clock, which knows no zone.
  let taken: String?
  let perceptualHash: UInt64
  public let findings: [PhotoFinding]
  let sizes: [Size]

  /// What it is known by: ``Photo/picture``.
  public var name: String { ContentHash(stored: Array(hash)).hexadecimal }

  var picture: NewPicture {
    NewPicture(
      hash: ContentHash(stored: Array(hash)), width: width, height: height, byteCount: byteCount,
      mediaType: format.mediaType, perceptualHash: perceptualHash,
      tiers: Dictionary(
        sizes.map {
          ($0.tier, StoredTier(mediaType: $0.mediaType, width: $0.width, height: $0.height, bytes: Array($0.bytes)))
        }, uniquingKeysWith: { first, _ in first }))
  }
}

/// Has pictures decoded, each by a process of its own with little memory, little time, no network and no files: whatever a picture does to
/// a decoder, it does it there.
public enum PhotoDecoder {
  /// Bytes of a picture's file.
  public static let mostBytes = 32 << 20
  static let megabytes = 700
  static let seconds = 30

  /// The words by which this program decodes: a command that help doesn't show.
  public static let command = "decode-photo"

  /// Whether pictures can be decoded here, asked once.
  public static let isAvailable: Bool = (try? report([], PhotoRules()))?.0.failure == nil

  /// Makes what is kept of a picture. It takes a tenth of a second and more, and holds no lock of a practice file.
  ///
  /// - Parameters:
  ///   - bytes: a picture's file.
  ///   - name: what it is called, for what is said when it can't be taken.
  ///   - rules: what the practice keeps.
  /// - Returns: what ``AddPhoto`` takes.
  /// - Throws: ``PracticeError`` saying what is wrong with the file, or with this machine.
  public static func prepare(_ bytes: [UInt8], called name: String, _ rules: PhotoRules) throws -> PreparedPicture {
    let shown = shown(name)
    guard !bytes.isEmpty else { throw PracticeError(.invalidArgument, "\(shown) is empty") }
    guard bytes.count <= mostBytes else {
      throw PracticeError(
        .invalidArgument, "\(shown) has \(bytes.count >> 20) MB; a photo has \(mostBytes >> 20) MB at most",
        hint: "Save it smaller, or as JPEG.")
    }
    guard PhotoFormat(of: bytes) != nil else { throw foreign(shown, bytes) }
    guard let (report, rest) = try Self.report(bytes, rules) else {
      throw PracticeError(
        .invalidArgument,
        "\(shown) takes more time or memory to decode than a photo may (\(seconds) seconds, \(megabytes) MB), or breaks the decoder",
        hint: "Open it in a program for pictures and save it anew as JPEG, smaller.")
    }
    if let failure = report.failure { throw Self.error(failure, shown, bytes) }
    guard let format = report.format, let perceptual = UInt64(report.perceptualHash, radix: 16),
      let sizes = sizes(report, rest), report.width > 0, report.height > 0
    else { throw Self.error(.broken, shown, bytes) }
    return PreparedPicture(
      hash: Data(ContentHash(of: bytes).bytes), format: format, width: report.width, height: report.height,
      byteCount: bytes.count, taken: report.taken, perceptualHash: perceptual, findings: report.findings, sizes: sizes)
  }

  // MARK: The other process

  /// Nil where the picture was too much for the decoder; what is wrong with this machine is thrown, and the picture may be sent again.
  private static func report(_ bytes: [UInt8], _ rules: PhotoRules) throws -> (PictureReport, ArraySlice<UInt8>)? {
    guard let program else {
      throw PracticeError(.failed, "the program that decodes pictures is not beside this one")
    }
    var limits = GuestProcess.Limits()
    limits.called = "the decoder"
    limits.seconds = seconds
    limits.processorSeconds = seconds
    limits.megabytes = megabytes
    limits.outputBytes = mostBytes * 2 + (8 << 20)
    let decoder = GuestProcess(
      words: [program, command, "--original", rules.edgeText] + (rules.keepsDetails ? ["--details"] : []),
      limits: limits)
    let output: [UInt8]
    switch try decoder.attempt(bytes) {
    case .success(let said): output = said
    case .failure(let error):
      if case .stopped = error.code { throw error }
      return nil
    }
    guard let end = output.firstIndex(of: UInt8(ascii: "\n")),
      let report = try? JSONDecoder().decode(PictureReport.self, from: Data(output[..<end]))
    else { throw PracticeError(.failed, "the decoder said nothing that can be read") }
    return (report, output[(end + 1)...])
  }

  /// What the decoder made is looked at as what a stranger sent: the sizes it says are there, and are pictures.
  private static func sizes(_ report: PictureReport, _ rest: ArraySlice<UInt8>) -> [PreparedPicture.Size]? {
    var rest = rest
    var sizes: [PreparedPicture.Size] = []
    for size in report.sizes {
      guard let tier = PhotoTier(rawValue: size.tier), let format = PhotoFormat(mediaType: size.mediaType),
        size.byteCount > 0, size.byteCount <= rest.count, (1...200_000).contains(size.width),
        (1...200_000).contains(size.height)
      else { return nil }
      let bytes = Array(rest.prefix(size.byteCount))
      rest = rest.dropFirst(size.byteCount)
      guard PhotoFormat(of: bytes) == format, tier == .original || format == .jpeg else { return nil }
      sizes.append(
        .init(tier: tier, mediaType: size.mediaType, width: size.width, height: size.height, bytes: Data(bytes)))
    }
    guard rest.isEmpty, Set(sizes.map(\.tier)).isSuperset(of: [.thumbnail, .screen]) else { return nil }
    return sizes
  }

  /// This program itself, or the one beside it, where a test's or another one runs.
  private static let program: String? = {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { room in
      room.baseAddress.map { readlink("/proc/self/exe", $0.assumingMemoryBound(to: CChar.self), room.count) } ?? -1
    }
    guard count > 0 else { return nil }
    let own = String(decoding: buffer.prefix(count), as: UTF8.self)
    if FilePathName.last(own) == "vetnet" { return "/proc/self/exe" }
    var folder = own
    while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
      folder = String(folder[..<slash])
      var status = stat()
      let path = "\(folder)/vetnet"
      if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 { return path }
    }
    return nil
  }()

  // MARK: Words

  /// A file's name may be somebody's, or anything: as much as tells which is meant, on one line.
  private static func shown(_ name: String) -> String {
    let line = String(name.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : Character($0) })
    return "'\(line.count <= 80 ? line : "…" + line.suffix(79))'"
  }

  private static func foreign(_ shown: String, _ bytes: [UInt8]) -> PracticeError {
    let what = PhotoFormat.foreignName(bytes).map { "is \($0), and" } ?? "is none of the pictures that are taken:"
    return PracticeError(
      .invalidArgument,
      PhotoFormat.foreignName(bytes) == nil
        ? "\(shown) \(what) JPEG, PNG, WebP and HEIC are" : "\(shown) \(what) not taken; JPEG, PNG, WebP and HEIC are",
      hint: "Save it as JPEG, or file it as a letter: vetnet import --letter.")
  }

  private static func error(
    _ failure: PictureReport.Failure, _ shown: String, _ bytes: [UInt8]
  ) -> PracticeError {
    switch failure {
    case .missing:
      PracticeError(
        .failed, "photos are decoded by libvips, which isn't installed; everything else works without it",
        hint: "Run: apt-get install libvips42")
    case .foreign: foreign(shown, bytes)
    case .tooLarge:
      PracticeError(
        .invalidArgument, "\(shown) has more than \(PictureWorkshop.mostPixels / 1_000_000) million pixels",
        hint: "Save it smaller.")
    case .broken:
      PracticeError(
        .invalidArgument, "\(shown) is cut off or damaged, or not built as its kind of picture is",
        hint: "Copy it again from the camera or phone, or open it and save it anew as JPEG.")
    }
  }
}

private enum FilePathName {
  static func last(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }
}
