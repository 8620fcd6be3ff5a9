/// What a line rests on beside the words of notes: a registration, an appointment, a message, or a row of a table.
public struct SourceReference: Hashable, Sendable, Encodable {
  public enum Kind: String, Encodable, Sendable {
    /// The registration of a patient.
    case patient
    /// The appointment book.
    case appointment
    /// A message or form that came in.
    case intake
    /// What is written at the patient's side.
    case encounter
    /// A row of a table in `Models/`: `formulary/interactions.tsv#nsaid-steroid`.
    case table
    /// What a model of `Models/` made of the words that are quoted.
    case model
  }

  public let kind: Kind
  /// The id of the record, or the table with the row.
  public let id: String
  /// Where the row has its knowledge from; nil for records.
  public let source: String?
  /// Whether somebody has checked the row against that source; nil for records.
  public let isVerified: Bool?

  private enum CodingKeys: String, CodingKey {
    case kind, id, source
    case isVerified = "verified"
  }

  public init(_ kind: Kind, _ id: String) {
    self.kind = kind
    self.id = id
    source = nil
    isVerified = nil
  }

  public init(table: String, row: String, source: String, isVerified: Bool) {
    kind = .table
    id = "\(table)#\(row)"
    self.source = source
    self.isVerified = isVerified
  }

  /// The row's own id, without its table.
  public var rowID: String { id.split(separator: "#").last.map(String.init) ?? id }

  /// As a line shows it: `nsaid-steroid*`, the star for what nobody has checked.
  package var mark: String {
    switch kind {
    case .patient, .appointment, .intake, .encounter, .model: id
    case .table: rowID + (isVerified == true ? "" : "*")
    }
  }
}

extension SourceReference: Packable {
  package func pack(into packer: inout Packer) {
    kind.pack(into: &packer)
    packer.add(id)
    packer.add(texts: [source].compactMap(\.self))
    packer.add(all: [isVerified].compactMap { $0.map { UInt8($0 ? 1 : 0) } })
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    kind = try unpacker.choice()
    id = try unpacker.text()
    source = try unpacker.texts().first
    isVerified = try unpacker.all(UInt8.self).first.map { $0 != 0 }
  }
}
