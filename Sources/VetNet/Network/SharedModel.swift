import FoundationEssentials
import Store
import Vectorization

/// A model file that several practices learned together, and whose signature it must have.
public struct SharedModelFile: Codable, Sendable {
  public var path: String
  /// The public key, 64 hexadecimal digits.
  public var signer: String

  public init(path: String, signer: String) {
    self.path = path
    self.signer = signer
  }

  /// The file's content, its checksum and signature compared.
  ///
  /// - Throws: ``PracticeError`` saying what is wrong; nothing was read from it then.
  func verified(in models: ModelDirectory) throws -> ModelFile {
    let file = try ModelFile.verified(FileContents.bytes(path), in: models)
    let signature = try ModelSignature(beside: path)
    guard signature.publicKey == signer.lowercased() else {
      throw PracticeError(
        .integrity, "'\(path)' is signed by \(signature.publicKey.prefix(16))…, not by the key that was named",
        hint: "Ask whoever sent it for the public key, by another way.")
    }
    guard signature.isValid(for: file) else {
      throw PracticeError(
        .integrity, "the signature of '\(path)' is not of this file", hint: "Fetch both files again.")
    }
    return file
  }
}

/// The signature of a model file, which lies beside it as `FILE.sig`.
public struct ModelSignature: Codable, Sendable {
  public let publicKey: String
  public let signature: String
  private let algorithm: String

  private enum CodingKeys: String, CodingKey {
    case algorithm, signature
    case publicKey = "public_key"
  }

  init(of file: ModelFile, by key: SigningKey) {
    algorithm = "Ed25519"
    publicKey = NetworkKey.hexadecimal(key.publicKey)
    signature = NetworkKey.hexadecimal(key.signature(of: Self.message(file)))
  }

  init(beside path: String) throws {
    let bytes = try FileContents.bytes(path + ".sig")
    guard let decoded = try? JSONDecoder().decode(Self.self, from: Data(bytes)), decoded.algorithm == "Ed25519" else {
      throw PracticeError(.integrity, "'\(path).sig' is no signature of a model")
    }
    self = decoded
  }

  /// The checksum is of all that follows it: settings, provenance and numbers.
  private static func message(_ file: ModelFile) -> [UInt8] { Array("VetNet model 1\n".utf8) + file.checksum }

  func isValid(for file: ModelFile) -> Bool {
    guard let key = NetworkKey.bytes(publicKey), let signature = NetworkKey.bytes(signature) else { return false }
    return SigningKey.isSigned(Self.message(file), signature, by: key)
  }
}

/// What is kept with a shared model: how it came to be. It stands in the file's head, below the signature.
public struct SharedModelProvenance: Codable, Sendable {
  public let program: String
  public let analyzer: String
  /// A digest of each practice under the group's key.
  public let practices: [String]
  public let passages: Int
  public let buckets: Int
  /// Terms of fewer practices are not in it.
  public let least: Int
  public let seed: UInt64
  public let passes: Int

  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

/// Keys of a network: one that signs models, one from which practices make tags. Each is 32 random bytes in a file of its owner's, as
/// hexadecimal digits.
public enum NetworkKey {
  static let byteCount = 32

  /// Makes a key in a new file, readable by its owner only.
  ///
  /// - Returns: the public key that belongs to it, as hexadecimal digits.
  public static func create(at path: String) throws -> String {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw PracticeError(.failed, "'\(path)' exists already, and was left alone")
    }
    try FileContents.write(Array((hexadecimal(AuditKey.randomBytes()) + "\n").utf8), to: path)
    return try publicKey(of: path)
  }

  public static func publicKey(of path: String) throws -> String { hexadecimal(try signing(path).publicKey) }

  /// A public key that somebody gave: the digits, or a file with them.
  public static func named(_ word: String) throws -> String {
    if bytes(word.lowercased())?.count == byteCount { return word.lowercased() }
    let text = String(decoding: try FileContents.bytes(word), as: UTF8.self)
    let digits = text.split(whereSeparator: \.isWhitespace).first.map { $0.lowercased() } ?? ""
    guard bytes(digits)?.count == byteCount else {
      throw PracticeError(.invalidArgument, "'\(word)' holds no public key of 64 hexadecimal digits")
    }
    return digits
  }

  static func signing(_ path: String) throws -> SigningKey {
    let seed = try secret(path)
    return seed.withUnsafeBytes { SigningKey(seed: LockedBytes(copying: $0)) }
  }

  /// The bytes of a key file.
  public static func secret(_ path: String) throws -> [UInt8] {
    let text = String(decoding: try FileContents.bytes(path), as: UTF8.self)
    guard let key = bytes(text.split(whereSeparator: \.isWhitespace).first.map { $0.lowercased() } ?? ""),
      key.count == byteCount
    else {
      throw PracticeError(
        .invalidArgument, "'\(path)' holds no key of 64 hexadecimal digits",
        hint: "Make one: vetnet network key --out FILE")
    }
    return key
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Nil for anything but an even number of hexadecimal digits.
  static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.map { Int(String(UnicodeScalar($0)), radix: 16) }
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    let values = digits.compactMap(\.self)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
