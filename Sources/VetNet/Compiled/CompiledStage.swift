import Clinical
import Store

/// A stage that may have been worked out beforehand: of which files, how, and how it is laid out.
struct CompiledStage<Stage> {
  /// Of its section.
  let name: String
  /// All that it is made of, stages that it is made with included.
  let sources: [String]
  let make: () throws -> Stage
  let pack: (Stage, inout Packer) -> Void
  let unpack: (inout Unpacker) throws(PackingError) -> Stage
}

extension CompiledStage where Stage: Packable {
  init(_ name: String, of sources: [String], make: @escaping () throws -> Stage) {
    self.init(
      name: name, sources: sources, make: make, pack: { $0.pack(into: &$1) },
      unpack: { unpacker throws(PackingError) in try Stage(from: &unpacker) })
  }
}

/// A stage as bytes, whatever it is of.
protocol PackedStage {
  var name: String { get }
  var sources: [String] { get }

  /// Made of its files.
  func packed() throws -> [UInt8]

  /// Read from bytes and laid out anew: the same bytes again.
  func repacked(_ bytes: [UInt8]) throws -> [UInt8]
}

extension CompiledStage: PackedStage {
  func packed() throws -> [UInt8] {
    var packer = Packer()
    pack(try make(), &packer)
    return packer.bytes
  }

  func repacked(_ bytes: [UInt8]) throws -> [UInt8] {
    let stage = try bytes.withUnsafeBytes { bytes throws(PackingError) in
      var unpacker = Unpacker(bytes)
      let stage = try unpack(&unpacker)
      guard unpacker.isAtEnd else { throw PackingError() }
      return stage
    }
    var packer = Packer()
    pack(stage, &packer)
    return packer.bytes
  }
}

extension ModelFiles {
  /// A stage as it was worked out of the very files that are there, or else made of them.
  ///
  /// - Throws: ``PracticeError`` naming a file that can't be read, or the row of one that can't be used.
  func value<Stage>(of stage: CompiledStage<Stage>) throws -> Stage {
    try compiled?.value(stage.name, key: { try key(of: stage.sources) }, stage.unpack) ?? stage.make()
  }

  /// All that can be compiled, made of the files.
  ///
  /// - Throws: ``PracticeError`` naming the file and row of a table that can't be used.
  func sections() throws -> [CompiledModels.Section] {
    try stages().map {
      CompiledModels.Section(name: $0.name, key: try key(of: $0.sources), bytes: try $0.packed())
    }
  }

  /// Names files by what is in them and in those that say what their phrases stand for (``NameLexicon``, ``PhraseNotation``).
  func key(of sources: [String]) throws -> UInt64 {
    var packer = Packer()
    for (source, digest) in try digests(of: sources) {
      packer.add(source)
      packer.add(digest.value)
    }
    return ContentDigest(of: packer.bytes).value
  }

  /// The files of a stage, and those that say what their phrases stand for.
  func digests(of sources: [String]) throws -> [(file: String, digest: ContentDigest)] {
    var files = sources
    var digests: [(file: String, digest: ContentDigest)] = []
    while digests.count < files.count {
      let file = files[digests.count]
      let bytes = try data(file)
      digests.append((file, ContentDigest(of: bytes)))
      let verbs = PhraseNotation.isUsed(by: bytes) ? PhraseNotation.verbFile : nil
      for named in [NameLexicon.file(namedBy: bytes), verbs].compactMap(\.self) where !files.contains(named) {
        files.append(named)
      }
    }
    return digests
  }
}
