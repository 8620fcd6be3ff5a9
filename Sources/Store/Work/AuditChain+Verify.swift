/// What a verification of the audit chain found.
public struct AuditVerification: Hashable, Sendable {
  /// Why the chain is not what was written.
  public enum Flaw: Hashable, Sendable {
    /// The entry's content is not what its digest says.
    case altered
    /// The entry doesn't follow the one before it: something was put in, taken out or moved.
    case misplaced
    /// The entry's content is gone, and no checkpoint says so.
    case emptied
    /// The last entry is not the one that the head names: entries were cut off, or added.
    case headMoved
    /// The head was not made with the practice's key.
    case headNotAuthentic
    /// An entry was added to a head that was not authentic.
    case brokenBefore
    /// The entry that an anchor names is not there, or another: entries were cut off or written anew, or an older file was
    /// put in place.
    case anchorMissed
  }

  /// How many entries there are.
  public var entries = 0
  /// The first entry that is not as it was written; nil for a chain that is sound.
  public var firstBad: Int64?
  public var flaw: Flaw?
  /// Entries whose content was taken out, as checkpoints say.
  public var compacted = 0
  /// Whether the head was compared with the practice's key; not where the key is not here.
  public var isKeyed = false
  /// The entry from which on the key of today was used, where it is not the first.
  public var keyedFrom: Int64?
  /// Anchors that were compared.
  public var anchors = 0

  public var isSound: Bool { flaw == nil }
}

extension AuditChain {
  /// Compares the chain with itself, its head with the key, and places in it with anchors that were kept elsewhere.
  ///
  /// - Complexity: reads the chain once, in constant memory but for what compaction left.
  public func verify(key: AuditKey?, anchors: [AuditAnchor] = []) throws(StoreError) -> AuditVerification {
    var result = AuditVerification()
    var bad: [(Int64, AuditVerification.Flaw)] = []
    var expected = AuditAnchor(sequence: 0, hash: Self.origin)
    var anchored: [Int64: [ContentHash]] = [:]
    for anchor in anchors { anchored[anchor.sequence, default: []].append(anchor.hash) }
    var taken: [Int64: (count: Int, bytes: CanonicalBytes)] = [:]
    var checkpoints: [Int64: [AuditEntry.Subject]] = [:]
    try connection.withStatement(Self.subjectsOfAll) { subjects throws(StoreError) in
      var hasSubject = try subjects.step()
      try connection.withStatement(Self.all) { row throws(StoreError) in
        while try row.step() {
          let sequence = row.int64(0)
          let previous = ContentHash(stored: row.bytes(9))
          let digest = ContentHash(stored: row.bytes(10))
          let hash = ContentHash(stored: row.bytes(11))
          result.entries += 1
          if sequence != expected.sequence + 1 || previous != expected.hash
            || hash != ChainedEntry.hash(sequence: sequence, previous: previous, digest: digest)
          {
            bad.append((min(sequence, expected.sequence + 1), .misplaced))
          }
          // What names an entry that isn't there was one's that was taken out.
          while hasSubject, subjects.int64(0) < sequence {
            bad.append((subjects.int64(0), .altered))
            hasSubject = try subjects.step()
          }
          var canonical = CanonicalBytes()
          for column in Int32(1)...7 { row.append(column, to: &canonical) }
          var own: [AuditEntry.Subject] = []
          let isCheckpoint = row.text(1) == AuditEntry.Kind.checkpoint.rawValue
          while hasSubject, subjects.int64(0) == sequence {
            for column in Int32(1)...4 { subjects.append(column, to: &canonical) }
            if isCheckpoint {
              own.append(
                .init(kind: subjects.text(1), id: subjects.text(2), after: ContentHash(stored: subjects.bytes(4))))
            }
            hasSubject = try subjects.step()
          }
          if let checkpoint = row.optionalInt64(8) {
            let kind = AuditEntry.Kind(rawValue: row.text(1))
            if (kind != .access && kind != .earlier) || !own.isEmpty
              || (Int32(2)...7).contains(where: { !row.isNull($0) })
            {
              bad.append((sequence, .altered))
            }
            var group = taken[checkpoint] ?? (0, CanonicalBytes())
            group.count += 1
            group.bytes.append(sequence)
            group.bytes.append(digest.bytes)
            taken[checkpoint] = group
            result.compacted += 1
          } else if ContentHash(of: canonical) != digest {
            bad.append((sequence, .altered))
          }
          switch AuditEntry.Kind(rawValue: row.text(1)) {
          case .broken: bad.append((sequence, .brokenBefore))
          case .key: result.keyedFrom = sequence
          case .checkpoint: checkpoints[sequence] = own
          default: break
          }
          for anchor in anchored.removeValue(forKey: sequence) ?? [] {
            result.anchors += 1
            if anchor != hash { bad.append((sequence, .anchorMissed)) }
          }
          expected = AuditAnchor(sequence: sequence, hash: hash)
        }
      }
      if hasSubject { bad.append((subjects.int64(0), .altered)) }
    }
    for (checkpoint, group) in taken {
      let said = checkpoints[checkpoint] ?? []
      let isSaid = said.contains {
        ($0.kind == Self.checkpointKind || $0.kind == Self.earlierKind) && $0.id == "\(group.count)"
          && $0.after == ContentHash(of: group.bytes)
      }
      if !isSaid { bad.append((try firstTaken(by: checkpoint), .emptied)) }
    }
    for sequence in anchored.keys { bad.append((min(sequence, expected.sequence + 1), .anchorMissed)) }
    result.anchors += anchored.count
    if let flaw = try headFlaw(last: expected, key: key, isKeyed: &result.isKeyed) {
      bad.append((flaw == .headMoved ? min(expected.sequence, try last()?.sequence ?? 0) + 1 : expected.sequence, flaw))
    }
    // The order within a place is that of the checks: what the chain itself shows comes before what the head does.
    let first = bad.enumerated().min { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }?.element
    result.firstBad = first?.0
    result.flaw = first?.1
    return result
  }

  private static let all = """
    SELECT sequence, kind, at, actor, role, operation, version, details, checkpoint, previous, digest, hash
    FROM audit_entry ORDER BY sequence
    """
  private static let subjectsOfAll = """
    SELECT sequence, kind, id, before, after FROM audit_about ORDER BY sequence, ordinal
    """

  private func firstTaken(by checkpoint: Int64) throws(StoreError) -> Int64 {
    try connection.number("SELECT min(sequence) FROM audit_entry WHERE checkpoint = ?", checkpoint)
  }

  private func headFlaw(
    last: AuditAnchor, key: AuditKey?, isKeyed: inout Bool
  ) throws(StoreError) -> AuditVerification.Flaw? {
    let head = try head()
    guard (head?.anchor ?? AuditAnchor(sequence: 0, hash: Self.origin)) == last else { return .headMoved }
    guard let key, key.isInPlace, let secret = key.bytes() else { return nil }
    isKeyed = true
    return head?.isAuthentic(secret) == true ? nil : .headNotAuthentic
  }
}
