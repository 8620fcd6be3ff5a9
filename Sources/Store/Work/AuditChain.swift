public import Clinical

/// The record of who did what: it only grows, and shows when it was tampered with.
///
///     digest(n) = BLAKE2b-256(kind, at, actor, role, operation, version, details, subjects of entry n)
///     hash(n)   = BLAKE2b-256("vetnet-audit-1", n, hash(n - 1), digest(n))
///     mac       = BLAKE2b-256 under the key ("vetnet-audit-head-1", last n, hash(last n))
///
/// Values are encoded as ``CanonicalBytes`` says. To append takes the same time however long the chain is; to verify reads it once.
public struct AuditChain {
  let connection: Connection

  /// What the chain begins with.
  static let origin = ContentHash(stored: [UInt8](repeating: 0, count: 32))

  struct Head {
    let anchor: AuditAnchor
    let keyID: [UInt8]?
    let mac: [UInt8]?

    /// Whether it was made with a key.
    func isAuthentic(_ key: [UInt8]) -> Bool { mac == AuditKey.mac(anchor, key: key).bytes }
  }

  func head() throws(StoreError) -> Head? {
    try connection.first("SELECT sequence, hash, key_id, mac FROM audit_head") { row in
      Head(
        anchor: AuditAnchor(sequence: row.int64(0), hash: ContentHash(stored: row.bytes(1))),
        keyID: row.isNull(2) ? nil : row.bytes(2), mac: row.isNull(3) ? nil : row.bytes(3))
    }
  }

  /// The last entry's place; nil before there is one.
  public func last() throws(StoreError) -> AuditAnchor? { try head()?.anchor }

  /// Adds an entry in the open transaction.
  ///
  /// A head that the key doesn't confirm is not confirmed by going on: an entry that says so comes first. A file whose key is
  /// not here, a copy of a practice for one, gets a new key, with an entry that says so.
  ///
  /// - Parameters:
  ///   - entry: what was done.
  ///   - key: nil for a practice in memory.
  /// - Returns: the place of the entry.
  /// - Throws: ``StoreError`` where it can't be written; what it is about can't be committed then.
  /// - Complexity: O(subjects), whatever the chain's length.
  @discardableResult
  public func append(_ entry: AuditEntry, key: AuditKey?) throws(StoreError) -> AuditAnchor {
    precondition(connection.transactionDepth > 0, "an entry stands and falls with what it is about")
    let head = try head()
    var last = head?.anchor ?? AuditAnchor(sequence: 0, hash: Self.origin)
    let secret = key?.bytesMakingOne()
    if let key, key.isUnreadable { throw StoreError(.auditKeyUnreadable, context: key.path) }
    if let secret, let key {
      if key.isInPlace {
        if head?.isAuthentic(secret) != true {
          last = try insert(Self.remark(.broken, "audit.head", on: entry), after: last)
        }
      } else if let head, head.keyID != nil, !head.isAuthentic(secret) {
        last = try insert(Self.remark(.key, "audit.key", on: entry), after: last)
      }
    }
    last = try insert(entry, after: last)
    try connection.execute(
      """
      INSERT INTO audit_head (id, sequence, hash, key_id, mac) VALUES (1, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET
        sequence = excluded.sequence, hash = excluded.hash, key_id = excluded.key_id, mac = excluded.mac
      """, last.sequence, last.hash.bytes, secret.map { AuditKey.id(of: $0).bytes },
      secret.map { AuditKey.mac(last, key: $0).bytes })
    return last
  }

  private static func remark(_ kind: AuditEntry.Kind, _ operation: String, on entry: AuditEntry) -> AuditEntry {
    AuditEntry(kind, at: entry.at, actor: entry.actor, role: entry.role, operation: operation)
  }

  private func insert(_ entry: AuditEntry, after last: AuditAnchor) throws(StoreError) -> AuditAnchor {
    let sequence = last.sequence + 1
    let digest = entry.digest
    let hash = ChainedEntry.hash(sequence: sequence, previous: last.hash, digest: digest)
    try connection.execute(
      """
      INSERT INTO audit_entry
        (sequence, kind, at, actor, role, operation, version, details, previous, digest, hash)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, sequence, entry.kind.rawValue, entry.at, entry.actor, entry.role, entry.operation, entry.version,
      entry.details, last.hash.bytes, digest.bytes, hash.bytes)
    for (ordinal, subject) in entry.subjects.enumerated() {
      try connection.execute(
        "INSERT INTO audit_about (sequence, ordinal, kind, id, before, after) VALUES (?, ?, ?, ?, ?, ?)", sequence,
        ordinal, subject.kind, subject.id, subject.before?.bytes, subject.after?.bytes)
    }
    return AuditAnchor(sequence: sequence, hash: hash)
  }

  /// Makes the entries of a file from before there was a chain its beginning, and takes their table away. Nobody can say
  /// any more whether they were altered until then.
  func adoptEarlier() throws(StoreError) {
    let rows = try connection.rows(
      "SELECT at, actor, action, subject, details FROM audit ORDER BY id"
    ) { row in
      let subject = row.optionalText(3).map { text in
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        return AuditEntry.Subject(kind: words.count == 2 ? words[0] : "", id: words.last ?? "")
      }
      return AuditEntry(
        .earlier, at: row.timestamp(0), actor: row.text(1), operation: row.text(2), version: 0,
        details: row.optionalText(4), subjects: subject.map { [$0] } ?? [])
    }
    var last = AuditAnchor(sequence: 0, hash: Self.origin)
    for row in rows { last = try insert(row, after: last) }
    if last.sequence > 0 {
      try connection.execute(
        "INSERT INTO audit_head (id, sequence, hash) VALUES (1, ?, ?)", last.sequence, last.hash.bytes)
    }
    try connection.executeScript("DROP TABLE audit", context: "chaining what was on record")
  }

  /// Whether a key that is in its place is not the one that the head was made with.
  public func isForeign(to key: AuditKey) throws(StoreError) -> Bool {
    guard key.isInPlace, let bytes = key.bytes() else { return false }
    return try head()?.keyID != AuditKey.id(of: bytes).bytes
  }

  /// Whether the head was made with a key, and none is here.
  public func lacksKey(_ key: AuditKey) throws(StoreError) -> Bool {
    try head()?.keyID != nil && key.bytes() == nil
  }

  // MARK: Reading

  /// Which entries are asked for; all that is given has to fit.
  public struct Filter: Sendable {
    /// Kind and id of a record.
    public var subject: (kind: String, id: String)?
    public var actor: String?
    public var since: Timestamp?
    public var kinds: Set<AuditEntry.Kind>?
    /// Only entries behind this one.
    public var after: Int64 = 0
    /// Only entries ahead of this one.
    public var before = Int64.max

    public init() {}
  }

  /// Hands over entries in their order, the oldest first, or the latest first.
  ///
  /// - Complexity: reads the entries once; those of a record by an index.
  public func forEach(
    _ filter: Filter = Filter(), latestFirst: Bool = false, limit: Int? = nil,
    _ body: (ChainedEntry) throws(StoreError) -> Void
  ) throws(StoreError) {
    let about =
      filter.subject == nil
      ? "(?1 IS NULL OR ?2 IS NULL)" : "sequence IN (SELECT sequence FROM audit_about WHERE kind = ?1 AND id = ?2)"
    let kinds = filter.kinds.map { kinds in
      "AND kind IN (\(kinds.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")))"
    }
    let found = try connection.rows(
      """
      SELECT sequence, kind, at, actor, role, operation, version, details, checkpoint, previous, digest, hash
      FROM audit_entry
      WHERE sequence > ?6 AND sequence < ?7 AND \(about) AND (?3 IS NULL OR actor = ?3) AND (?4 IS NULL OR at >= ?4) \(kinds ?? "")
      ORDER BY sequence \(latestFirst ? "DESC" : "ASC") LIMIT ?5
      """, filter.subject?.kind, filter.subject?.id, filter.actor, filter.since, limit ?? -1, filter.after,
      filter.before
    ) { row throws(StoreError) in
      let sequence = row.int64(0)
      var entry: AuditEntry?
      if row.isNull(8) {
        entry = AuditEntry(
          AuditEntry.Kind(rawValue: row.text(1)) ?? .broken, at: row.timestamp(2), actor: row.text(3),
          role: row.optionalText(4), operation: row.text(5), version: row.int(6), details: row.optionalText(7),
          subjects: try subjects(of: sequence))
      }
      return ChainedEntry(
        sequence: sequence, entry: entry, checkpoint: row.optionalInt64(8), previous: ContentHash(stored: row.bytes(9)),
        digest: ContentHash(stored: row.bytes(10)), hash: ContentHash(stored: row.bytes(11)))
    }
    for entry in found { try body(entry) }
  }

  public func entries(
    _ filter: Filter = Filter(), latestFirst: Bool = false, limit: Int? = nil
  ) throws(StoreError) -> [ChainedEntry] {
    var entries: [ChainedEntry] = []
    try forEach(filter, latestFirst: latestFirst, limit: limit) { entry throws(StoreError) in entries.append(entry) }
    return entries
  }

  private func subjects(of sequence: Int64) throws(StoreError) -> [AuditEntry.Subject] {
    try connection.rows(
      "SELECT kind, id, before, after FROM audit_about WHERE sequence = ? ORDER BY ordinal", sequence
    ) { row in
      AuditEntry.Subject(
        kind: row.text(0), id: row.text(1), before: row.isNull(2) ? nil : ContentHash(stored: row.bytes(2)),
        after: row.isNull(3) ? nil : ContentHash(stored: row.bytes(3)))
    }
  }

  // MARK: Compaction

  /// Takes the content of accesses out that were made before a moment. Their digests and hashes stay, so that the chain and
  /// every anchor can be verified as before; a checkpoint says how many there were, and the digest of theirs.
  ///
  /// - Parameters:
  ///   - moment: accesses from then on are kept in full.
  ///   - checkpoint: the entry that says so, to which count and digest are added; within the open transaction.
  ///   - key: as for ``append(_:key:)``.
  /// - Returns: how many; 0, and no entry, where there was nothing to take out.
  /// - Throws: ``StoreError`` where it can't be written.
  /// - Complexity: O(entries before the moment).
  public func compact(
    accessesBefore moment: Timestamp, checkpoint: AuditEntry, key: AuditKey?
  ) throws(StoreError) -> Int {
    let old = try connection.rows(
      "SELECT sequence, digest FROM audit_entry WHERE kind = 'access' AND checkpoint IS NULL AND at < ? ORDER BY sequence",
      moment
    ) { (sequence: $0.int64(0), digest: $0.bytes(1)) }
    try takeOut(old, checkpoint: checkpoint, as: Self.checkpointKind, key: key)
    return old.count
  }

  /// Takes the content of entries out that were on record before there was a chain, and are about any of some records: they may
  /// hold reasons in words. As ``compact(accessesBefore:checkpoint:key:)``.
  @discardableResult
  public func withdrawEarlier(
    about subjects: [(kind: String, id: String)], checkpoint: AuditEntry, key: AuditKey?
  ) throws(StoreError) -> Int {
    var rows: [Int64: [UInt8]] = [:]
    for subject in subjects {
      for row in try connection.rows(
        """
        SELECT sequence, digest FROM audit_entry
        WHERE kind = 'earlier' AND checkpoint IS NULL AND details IS NOT NULL AND sequence IN (
          SELECT sequence FROM audit_about WHERE kind = ? AND id = ?)
        """, subject.kind, subject.id, read: { (sequence: $0.int64(0), digest: $0.bytes(1)) })
      {
        rows[row.sequence] = row.digest
      }
    }
    try takeOut(
      rows.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, checkpoint: checkpoint, as: Self.earlierKind, key: key
    )
    return rows.count
  }

  private func takeOut(
    _ rows: [(sequence: Int64, digest: [UInt8])], checkpoint: AuditEntry, as kind: String, key: AuditKey?
  ) throws(StoreError) {
    guard !rows.isEmpty else { return }
    var canonical = CanonicalBytes()
    for row in rows {
      canonical.append(row.sequence)
      canonical.append(row.digest)
    }
    let place = try append(
      AuditEntry(
        .checkpoint, at: checkpoint.at, actor: checkpoint.actor, role: checkpoint.role,
        operation: checkpoint.operation, version: checkpoint.version, details: checkpoint.details,
        subjects: [.init(kind: kind, id: "\(rows.count)", after: ContentHash(of: canonical))]), key: key)
    for row in rows {
      try connection.execute("DELETE FROM audit_about WHERE sequence = ?", row.sequence)
      try connection.execute(
        """
        UPDATE audit_entry SET at = NULL, actor = NULL, role = NULL, operation = NULL, version = NULL, details = NULL,
          checkpoint = ?
        WHERE sequence = ?
        """, place.sequence, row.sequence)
    }
  }

  static let checkpointKind = "accesses"
  static let earlierKind = "earlier entries"
}

extension Connection {
  public var audit: AuditChain { AuditChain(connection: self) }
}

extension AuditChain {
  /// The patient that a changed record is about, as the practice shows it; nil for a record about nobody, or that is gone.
  public func patient(of change: RecordChange) throws(StoreError) -> String? {
    switch change.table {
    case .patient: return change.id
    case .note, .appointment, .intake:
      let row = try connection.first(
        "SELECT patient_id FROM \(change.table.rawValue) WHERE id = ?", change.rowID
      ) { $0.optionalInt64(0) }
      guard let row, let row else { return nil }
      return try connection.recordIDs.shown(.patient, row)
    case .client, .location, .staff, .resource: return nil
    }
  }
}
