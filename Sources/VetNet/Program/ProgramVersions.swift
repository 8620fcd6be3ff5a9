import Clinical
import Extraction
import Glibc
import Store
import TextAnalysis

/// What a program that runs is made of: for reports of errors, and to compare two machines.
public struct ProgramVersions: Encodable, Sendable {
  public let vetnet: String
  /// Of practice files that it writes: the number of migrations.
  public let schema: Int
  /// By name; empty where no model folder is found.
  public let models: [String: String]
  /// Of the C libraries that are loaded, by name, those that say theirs.
  public let libraries: [String: String]

  /// - Parameter directory: the model folder; nil where there is none.
  public init(models directory: ModelDirectory?) {
    vetnet = VetNetVersion.current
    schema = Migrator.practice.migrations.count
    models = directory.map(Self.versions) ?? [:]
    var libraries = ["SQLite": LibraryVersions.sqlite, "libsodium": LibraryVersions.sodium]
    libraries["OpenBLAS"] = Self.openBLAS
    self.libraries = libraries
  }

  private static func versions(_ models: ModelDirectory) -> [String: String] {
    var versions: [String: String] = [:]
    versions["analyzer"] = try? models.analyzer().version
    versions["facts"] = try? models.extractionVersion()
    versions["formulary"] = try? models.table("formulary/drugs.tsv").metadata["version"]
    versions["triage"] = try? models.table("triage/level-calibration.tsv").metadata["version"]
    versions["duration priors"] = try? models.table("duration/priors.tsv").metadata["version"]
    versions["answer weights"] = try? models.table("briefing/answer-weights.tsv").metadata["version"]
    return versions
  }

  /// `OpenBLAS 0.3.21 …`: its second word. It is loaded for this, as otherwise only for products.
  private static var openBLAS: String? {
    guard let library = dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_LOCAL) else { return nil }
    defer { dlclose(library) }
    guard let symbol = dlsym(library, "openblas_get_config") else { return nil }
    typealias Configuration = @convention(c) () -> UnsafePointer<CChar>?
    guard let text = unsafeBitCast(symbol, to: Configuration.self)() else { return nil }
    return String(cString: text).split(separator: " ").dropFirst().first.map(String.init)
  }
}
