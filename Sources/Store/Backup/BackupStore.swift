public import Clinical

/// A backup that was restored beside and compared before it was called good.
public struct ProvenBackup: Hashable, Sendable {
  public let provenAt: Timestamp
  /// The whole path.
  public let file: String
  /// BLAKE2b-256 of the file's bytes.
  public let digest: ContentHash
  public let byteCount: Int
  public let recordCount: Int
  /// ``FileState/changeNumber`` of what it holds.
  public let changeNumber: Int

  public init(
    provenAt: Timestamp, file: String, digest: ContentHash, byteCount: Int, recordCount: Int, changeNumber: Int
  ) {
    self.provenAt = provenAt
    self.file = file
    self.digest = digest
    self.byteCount = byteCount
    self.recordCount = recordCount
    self.changeNumber = changeNumber
  }
}

/// The backups that were proven. The file that was backed up keeps their record; the backups themselves don't know of it.
public struct BackupStore {
  let connection: Connection

  public func append(_ backup: ProvenBackup) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      // What had the name before is no longer there.
      try connection.execute(
        "UPDATE backup SET removed_at = ? WHERE file = ? AND removed_at IS NULL", backup.provenAt, backup.file)
      try connection.execute(
        """
        INSERT INTO backup (proven_at, file, digest, byte_count, record_count, change_number) VALUES (?, ?, ?, ?, ?, ?)
        """, backup.provenAt, backup.file, backup.digest.bytes, backup.byteCount, backup.recordCount,
        backup.changeNumber)
    }
  }

  /// Those that are kept, the latest first.
  public func kept() throws(StoreError) -> [ProvenBackup] {
    try connection.rows(
      """
      SELECT proven_at, file, digest, byte_count, record_count, change_number FROM backup WHERE removed_at IS NULL
      ORDER BY proven_at DESC, id DESC
      """
    ) { row in
      ProvenBackup(
        provenAt: row.timestamp(0), file: row.text(1), digest: ContentHash(stored: row.bytes(2)), byteCount: row.int(3),
        recordCount: row.int(4), changeNumber: row.int(5))
    }
  }

  /// Says that a file was deleted, or is no longer what was proven.
  public func markRemoved(file: String, at moment: Timestamp) throws(StoreError) {
    try connection.execute("UPDATE backup SET removed_at = ? WHERE file = ? AND removed_at IS NULL", moment, file)
  }
}

extension Connection {
  public var backups: BackupStore { BackupStore(connection: self) }
}
