import Clinical
import Store

/// Records put into plain SQLite tables as they are: no ids of ours, no index, no search. The floor under an import's time, and
/// so its baseline in benchmarks.
public final class PlainTableBaseline {
  private let connection: Connection

  /// - Parameter path: where to make the file, with the practice file's settings for durability.
  /// - Throws: ``PracticeError`` when there is a file already, or it can't be made.
  public init(path: String) throws {
    connection = try Practice.reporting(path) {
      let connection = try Connection.create(path)
      try connection.execute("CREATE TABLE plain_client (id TEXT, name TEXT, phone TEXT, email TEXT, address TEXT)")
      try connection.execute(
        """
        CREATE TABLE plain_patient (
          id TEXT, name TEXT, species TEXT, breed TEXT, sex TEXT, date_of_birth TEXT, deceased_at TEXT, weight_kg REAL,
          owner_id TEXT, owner_name TEXT, microchip TEXT)
        """)
      try connection.execute(
        "CREATE TABLE plain_note (id TEXT, patient_id TEXT, recorded_at INTEGER, author TEXT, kind TEXT, text TEXT)")
      return connection
    }
  }

  /// Adds records in one transaction.
  public func insert(_ records: PracticeRecords) throws {
    try Practice.reporting(connection.path) {
      try connection.transaction { () throws(StoreError) in
        for client in records.clients {
          try connection.execute(
            "INSERT INTO plain_client VALUES (?, ?, ?, ?, ?)", client.id, client.name, client.phone, client.email,
            client.address)
        }
        for patient in records.patients {
          try connection.execute(
            "INSERT INTO plain_patient VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", patient.id, patient.name,
            patient.species.rawValue, patient.breed, patient.sex.rawValue, patient.dateOfBirth?.description,
            patient.deceasedAt?.description, patient.weightKilograms, patient.ownerID, patient.ownerName,
            patient.microchip)
        }
        for note in records.notes {
          try connection.execute(
            "INSERT INTO plain_note VALUES (?, ?, ?, ?, ?, ?)", note.id, note.patientID, note.recordedAt.seconds,
            note.author, note.kind.rawValue, note.text)
        }
      }
    }
  }

  public func noteCount() throws -> Int {
    try Practice.reporting(connection.path) {
      try connection.first("SELECT count(*) FROM plain_note") { $0.int(0) } ?? 0
    }
  }
}
