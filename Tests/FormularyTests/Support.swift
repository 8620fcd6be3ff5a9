import Formulary
import RecordTestSupport
import VetNetTestSupport

extension Fixtures {
  static let formularyTables = Result { try Formulary.Tables { try modelTable($0) } }
  static let formulary = Result { try Formulary(tables: formularyTables.get()) }
}
