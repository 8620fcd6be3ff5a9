public import Clinical

/// Who did what to which records, when.
public struct AuditEntry: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Something was changed, whole and in one transaction.
    case change
    /// Somebody saw records.
    case access
    /// Somebody wanted what they may not.
    case refusal
    /// Long work began, made a step that changed records, and ended.
    case begun, step, ended
    /// The content of old accesses was taken out.
    case checkpoint
    /// From here on another key authenticates the head.
    case key
    /// The head that was met was not authentic; what came before may have been altered.
    case broken
    /// From before there was a chain.
    case earlier
  }

  /// A record, and its hash before and after where the entry changed it.
  public struct Subject: Hashable, Sendable {
    public let kind: String
    public let id: String
    public let before: ContentHash?
    public let after: ContentHash?

    public init(kind: String, id: String, before: ContentHash? = nil, after: ContentHash? = nil) {
      self.kind = kind
      self.id = id
      self.before = before
      self.after = after
    }
  }

  public let kind: Kind
  public let at: Timestamp
  public let actor: String
  public let role: String?
  public let operation: String
  /// Of the operation's encoding.
  public let version: Int
  /// JSON, never words of a note.
  public let details: String?
  public let subjects: [Subject]

  public init(
    _ kind: Kind, at: Timestamp, actor: String, role: String? = nil, operation: String, version: Int = 1,
    details: String? = nil, subjects: [Subject] = []
  ) {
    self.kind = kind
    self.at = at
    self.actor = actor
    self.role = role
    self.operation = operation
    self.version = version
    self.details = details
    self.subjects = subjects
  }

  var digest: ContentHash {
    var canonical = CanonicalBytes()
    canonical.append(kind.rawValue)
    canonical.append(at.seconds)
    canonical.append(actor)
    canonical.append(optional: role)
    canonical.append(operation)
    canonical.append(Int64(version))
    canonical.append(optional: details)
    for subject in subjects {
      canonical.append(subject.kind)
      canonical.append(subject.id)
      canonical.append(optional: subject.before?.bytes)
      canonical.append(optional: subject.after?.bytes)
    }
    return ContentHash(of: canonical)
  }
}

/// An entry in its place.
public struct ChainedEntry: Hashable, Sendable {
  public let sequence: Int64
  /// Nil for one whose content was taken out.
  public let entry: AuditEntry?
  /// The entry that says so.
  public let checkpoint: Int64?
  public let previous: ContentHash
  public let digest: ContentHash
  public let hash: ContentHash

  static func hash(sequence: Int64, previous: ContentHash, digest: ContentHash) -> ContentHash {
    var canonical = CanonicalBytes()
    canonical.append("vetnet-audit-1")
    canonical.append(sequence)
    canonical.append(previous.bytes)
    canonical.append(digest.bytes)
    return ContentHash(of: canonical)
  }
}

/// A place in the chain, to be kept where nobody reaches it who reaches the practice file.
public struct AuditAnchor: Hashable, Sendable {
  public let sequence: Int64
  public let hash: ContentHash

  public init(sequence: Int64, hash: ContentHash) {
    self.sequence = sequence
    self.hash = hash
  }
}

extension CanonicalBytes {
  mutating func append(optional value: String?) {
    if let value { append(value) } else { appendNull() }
  }

  mutating func append(optional value: [UInt8]?) {
    if let value { append(value) } else { appendNull() }
  }
}
