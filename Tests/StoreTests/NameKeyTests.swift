import Clinical
import Testing

@testable import Store

@Suite struct NameKeyTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let names: [String]
    var testDescription: String { names.joined(separator: " = ") }
    init(_ names: String...) { self.names = names }
  }

  @Test(arguments: [
    Row("Müller", "mueller", "Muller", "MÜLLER", "Mu\u{308}ller", "MUELLER"), Row("Strauß", "Strauss", "STRAUSS"),
    Row("O'Brien", "OBrien", "O’Brien", "O`Brien", "O Brien", "obrien"), Row("Sørensen", "Soerensen", "Sorensen"),
    Row("Åberg", "Aaberg", "Aberg"), Row("Kjær", "Kjaer"), Row("Łukasz Wójcik", "Lukasz Wojcik"),
    Row("Núñez", "Nunez"), Row("Anne-Marie Hale", "Anne Marie Hale", "Annemarie  Hale"),
    Row("Mc Donald", "McDonald", "Mcdonald"), Row("St. John", "St John"), Row("Häusler", "Haeusler", "Hausler"),
    Row("Zoë", "Zoe"), Row("Malmö", "Malmoe"), Row("Bø", "Boe"), Row("Noël", "Noel"), Row("d’Arcy", "D'Arcy"),
  ])
  func `names that are typed in several ways are found under each of them`(row: Row) throws {
    for name in row.names {
      let connection = try Connection.inMemory()
      let source = try connection.sources.id(named: "test")
      _ = try connection.clients.upsert(Client(id: "C", name: name), source: source)
      _ = try connection.patients.upsert(
        Patient(id: "P", name: name, species: .dog, ownerName: "Ann \(name)"), source: source)
      for typed in row.names {
        #expect(try connection.clients.clients(named: typed).count == 1, "\(typed) for \(name)")
        #expect(try connection.patients.patients(named: typed).count == 1, "\(typed) for \(name)")
        #expect(try connection.patients.matching("\(typed) Ann \(typed)").count == 1, "\(typed) for \(name)")
      }
      #expect(try connection.clients.list().map(\.value.name) == [name])
    }
  }

  @Test(arguments: [
    Row("Joe", "Jo"), Row("Sue", "Su"), Row("Blue", "Blu"), Row("Mae", "Ma"), Row("Bauer", "Baur"),
    Row("Quentin", "Quntin"), Row("Müller", "Miller"), Row("Bella", "Bell"), Row("Neuer", "Neur"), Row("Boe", "Bo"),
  ])
  func `names that only look alike are two`(row: Row) throws {
    for (name, other) in [(row.names[0], row.names[1]), (row.names[1], row.names[0])] {
      let connection = try Connection.inMemory()
      let source = try connection.sources.id(named: "test")
      _ = try connection.clients.upsert(Client(id: "C", name: name), source: source)
      #expect(try connection.clients.clients(named: other).isEmpty)
      #expect(try connection.clients.clients(named: name).count == 1)
    }
  }

  @Test func `of two spellings on file a plain one finds both, one with marks its own`() throws {
    let connection = try Connection.inMemory()
    let source = try connection.sources.id(named: "test")
    for (id, name) in [("1", "Müller"), ("2", "Muller")] {
      _ = try connection.clients.upsert(Client(id: id, name: name), source: source)
    }
    #expect(try connection.clients.clients(named: "mueller").count == 2)
    #expect(try connection.clients.clients(named: "muller").count == 2)
    #expect(try connection.clients.clients(named: "MÜLLER").map(\.value.id) == ["1"])
  }

  @Test(arguments: ["mül", "mue", "mu", "muel"])
  func `the beginning of a name is enough`(typed: String) throws {
    let connection = try Connection.inMemory()
    let source = try connection.sources.id(named: "test")
    _ = try connection.patients.upsert(Patient(id: "P", name: "Müller", species: .cat), source: source)
    #expect(try connection.patients.patients(namePrefix: typed).count == 1)
  }

  @Test func `a file from before the rule gets its keys anew, and the same import changes nothing`() throws {
    let folder = try TemporaryFolder()
    let client = Client(id: "C", name: "Jörg Strauß")
    let patient = Patient(id: "P", name: "Bärli", species: .dog, ownerID: "C", ownerName: "Jörg Strauß")
    let before = Migrator(Migrator.practice.migrations.filter { $0.name < "m0014" })
    do {
      let connection = try Connection.create(folder.file, migrator: before)
      let source = try connection.sources.id(named: "test")
      _ = try connection.clients.upsert(client, source: source)
      _ = try connection.patients.upsert(patient, source: source)
      // As the keys were written then.
      try connection.execute("UPDATE client SET name_key = 'jörg strauß'")
      try connection.execute("UPDATE patient SET name_key = 'bärli', owner_name_key = 'jörg strauß'")
    }
    let connection = try Connection.open(folder.file)
    let source = try connection.sources.id(named: "test")
    #expect(try connection.clients.clients(named: "Joerg Strauss").count == 1)
    #expect(try connection.patients.matching("baerli").count == 1)
    #expect(try connection.patients.patients(ownerNamed: "strauss").count == 1)
    #expect(try connection.clients.upsert(client, source: source).outcome == .unchanged)
    #expect(try connection.patients.upsert(patient, source: source).outcome == .unchanged)
  }

  @Test func `the content hash of a name is what it was before keys were folded`() {
    for name in ["Zoë  Ångström", "O'Brien"] {
      var plain = CanonicalBytes()
      plain.append(name.lowercased().split(separator: " ").joined(separator: " "))
      var key = CanonicalBytes()
      name.searchKey.append(to: &key)
      #expect(ContentHash(of: key) == ContentHash(of: plain))
    }
  }
}
