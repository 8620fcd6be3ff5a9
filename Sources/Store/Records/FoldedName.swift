extension String {
  /// The key under which names are compared, whatever way a person types one: see ``NameKey``. Letters from a to z as far as it goes,
  /// without spaces, marks and apostrophes.
  public var foldedName: String { NameKey.compact(self) }
}
