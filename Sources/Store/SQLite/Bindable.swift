public import Clinical

/// A value that a statement takes at a `?`, and that a ``ContentHash`` can be made of.
public protocol Bindable {
  /// Gives the value to the parameter at `index`, counted from 1.
  func bind(to statement: Statement, at index: Int32) throws(StoreError)

  /// Adds the value to what a content hash is taken of.
  func append(to canonical: inout CanonicalBytes)
}

extension Int64: Bindable {
  public func bind(to statement: Statement, at index: Int32) throws(StoreError) {
    try statement.bind(self, at: index)
  }

  public func append(to canonical: inout CanonicalBytes) { canonical.append(self) }
}

extension Int: Bindable {
  public func bind(to statement: Statement, at index: Int32) throws(StoreError) {
    try statement.bind(Int64(self), at: index)
  }

  public func append(to canonical: inout CanonicalBytes) { canonical.append(Int64(self)) }
}

extension Double: Bindable {
  public func bind(to statement: Statement, at index: Int32) throws(StoreError) {
    try statement.bind(self, at: index)
  }

  public func append(to canonical: inout CanonicalBytes) { canonical.append(self) }
}

extension String: Bindable {
  public func bind(to statement: Statement, at index: Int32) throws(StoreError) {
    try statement.bind(self, at: index)
  }

  public func append(to canonical: inout CanonicalBytes) { canonical.append(self) }
}

/// A blob.
extension [UInt8]: Bindable {
  public func bind(to statement: Statement, at index: Int32) throws(StoreError) {
    try statement.bind(self, at: index)
  }

  public func append(to canonical: inout CanonicalBytes) { canonical.append(self) }
}

/// Stored as its seconds.
extension Timestamp: Bindable {
  public func bind(to statement: Statement, at index: Int32) throws(StoreError) {
    try statement.bind(seconds, at: index)
  }

  public func append(to canonical: inout CanonicalBytes) { canonical.append(seconds) }
}

/// Stored as ISO 8601 writes it.
extension CalendarDate: Bindable {
  public func bind(to statement: Statement, at index: Int32) throws(StoreError) {
    try statement.bind(description, at: index)
  }

  public func append(to canonical: inout CanonicalBytes) { canonical.append(description) }
}

/// Nil is SQL's NULL.
extension Optional: Bindable where Wrapped: Bindable {
  public func bind(to statement: Statement, at index: Int32) throws(StoreError) {
    if let self {
      try self.bind(to: statement, at: index)
    } else {
      try statement.bindNull(at: index)
    }
  }

  public func append(to canonical: inout CanonicalBytes) {
    if let self {
      self.append(to: &canonical)
    } else {
      canonical.appendNull()
    }
  }
}
