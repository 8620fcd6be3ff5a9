extension Connection {
  /// Runs a statement that returns nothing.
  public func execute<each Value: Bindable>(_ sql: String, _ values: repeat each Value) throws(StoreError) {
    try withStatement(sql) { statement throws(StoreError) in
      try statement.bind(repeat each values)
      try statement.run()
    }
  }

  /// The rows a statement returns, each as `read` makes it.
  public func rows<Row, each Value: Bindable>(
    _ sql: String, _ values: repeat each Value, read: (Statement) throws(StoreError) -> Row
  ) throws(StoreError) -> [Row] {
    try withStatement(sql) { statement throws(StoreError) in
      try statement.bind(repeat each values)
      var rows: [Row] = []
      while try statement.step() { rows.append(try read(statement)) }
      return rows
    }
  }

  /// The first row a statement returns, if any.
  public func first<Row, each Value: Bindable>(
    _ sql: String, _ values: repeat each Value, read: (Statement) throws(StoreError) -> Row
  ) throws(StoreError) -> Row? {
    try withStatement(sql) { statement throws(StoreError) in
      try statement.bind(repeat each values)
      return try statement.step() ? try read(statement) : nil
    }
  }

  /// The number a statement such as `SELECT count(*) …` returns; 0 without a row.
  func number<each Value: Bindable>(_ sql: String, _ values: repeat each Value) throws(StoreError) -> Int64 {
    try first(sql, repeat each values) { $0.int64(0) } ?? 0
  }

  func exists<each Value: Bindable>(_ sql: String, _ values: repeat each Value) throws(StoreError) -> Bool {
    try first(sql, repeat each values) { _ in true } ?? false
  }
}
