// swift-tools-version: 6.2

import PackageDescription

/// One list for every target: Swift 6 mode, explicit existentials, and imports that say what they re-export.
///
/// What is released asks for the metadata of types by a call, not by their names: each kind of dictionary or set that was looked up by
/// name took a walk over all conformances of the program when it was first met, an eighth of a question's time. Unoptimised code gets
/// slower by it.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(
    ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"], .when(configuration: .release)),
]

/// For what reads and judges texts, multiplies and plans: tests, and the programs that they start, spent most of their time there,
/// four to ten times as much as an optimised build. Assertions stay on, and tests still see what is internal. It takes the
/// compiler five times as long: not for what tests need less.
let optimized =
  settings + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// A C library from Debian; `pkgConfig` is nil where the package ships no `.pc` file.
func library(_ name: String, pkgConfig: String?, package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// A library target and nothing more: the list of dependencies is the architecture's arrows.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = [],
  packageAccess: Bool = true, settings: [SwiftSetting] = settings
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources, packageAccess: packageAccess,
    swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.target(name: name), "VetNetTestSupport"] + dependencies,
    exclude: exclude,
    swiftSettings: settings)
}

let package = Package(
  name: "VetNet",
  products: [.executable(name: "vetnet", targets: ["VetNetCLI"])],
  dependencies: [],
  targets: [
    library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    // Loaded when it is first needed, not linked.
    library("COpenBLAS", pkgConfig: nil, package: "libopenblas-dev"),
    library("CStemmer", pkgConfig: nil, package: "libstemmer-dev"),
    library("CSodium", pkgConfig: "libsodium", package: "libsodium-dev"),
    // Forwards to Debian's libical, which is loaded when a calendar is read or written, not linked.
    .target(name: "CIcal"),
    library("CEditLine", pkgConfig: "libedit", package: "libedit-dev"),
    // Loaded when a server starts, not linked.
    library("CMicroHTTPD", pkgConfig: nil, package: "libmicrohttpd-dev"),
    // Loaded when somebody signs in by a passkey, not linked.
    library("CFido", pkgConfig: nil, package: "libfido2-dev"),
    // Loaded in the process that decodes photos, not linked; its headers aren't needed.
    library("CVips", pkgConfig: nil, package: "libvips42"),
    // Loaded when a Word document is read, not linked.
    .systemLibrary(name: "CLetters", providers: [.apt(["libzip-dev", "libexpat1-dev"])]),
    // Loaded when a practice syncs over a network, not linked; its headers aren't needed.
    library("CCurl", pkgConfig: nil, package: "libcurl4"),
    .systemLibrary(name: "CKernels"),
    .target(name: "CSandbox"),
    // The files that pages load, as bytes; they lie beside the pages.
    .target(name: "CAssets"),

    module("Clinical", settings: optimized),
    module("TextAnalysis", ["Clinical", "CStemmer"], settings: optimized),
    module("LinearAlgebra", ["COpenBLAS", "CKernels"], settings: optimized),
    module("Vectorization", ["LinearAlgebra", "Clinical"], settings: optimized),
    module("Retrieval", ["Vectorization", "LinearAlgebra", "TextAnalysis", "Clinical"]),
    module("Extraction", ["TextAnalysis", "Clinical"], settings: optimized),
    module("Chart", ["Extraction", "TextAnalysis", "Clinical"]),
    module("Formulary", ["Extraction", "TextAnalysis", "Clinical"]),
    module("Assessment", ["Extraction", "TextAnalysis", "Clinical"], settings: optimized),
    module("Scheduling", ["Clinical"], settings: optimized),
    // One patient's record, asked; then all of them; then told before a visit and written after it. Neither of the last two sees the other.
    module("Answering", ["Formulary", "Chart", "Assessment", "Extraction", "TextAnalysis", "Clinical"]),
    module("Cohorts", ["Answering", "Chart", "Extraction", "TextAnalysis", "Clinical"]),
    module("Briefing", ["Formulary", "Chart", "Assessment", "Extraction", "TextAnalysis", "Clinical"]),
    module("Store", ["Clinical", "CKernels", "CSQLite", "CSodium"], resources: [.embedInCode("Migrations")]),
    module("Interchange", ["Clinical", "CIcal", "CLetters"]),
    // Values and rules only: what is changed on several devices, and what comes of it.
    module("Sync", ["Clinical"]),
    module(
      "VetNet",
      [
        "Briefing", "Cohorts", "Answering", "Formulary", "Chart", "Scheduling", "Assessment", "Extraction", "Retrieval",
        "Vectorization", "LinearAlgebra", "TextAnalysis", "Clinical", "Store", "Interchange", "Sync", "CSandbox",
        "CFido", "CVips", "CCurl",
      ],
      exclude: ["VetNet.docc"]),
    // As JSON and in words, for the program and for pages alike.
    module(
      "Presentation",
      ["VetNet", "Briefing", "Answering", "Chart", "Scheduling", "Assessment", "Retrieval", "Clinical"],
      packageAccess: false),
    module(
      "Web",
      [
        "Presentation", "VetNet", "Briefing", "Answering", "Formulary", "Scheduling", "Assessment", "Clinical", "Sync",
        "CMicroHTTPD", "CAssets",
      ],
      exclude: ["Assets"], packageAccess: false),
    module("Training", ["VetNet", "Answering", "Chart", "Assessment", "Extraction", "LinearAlgebra", "Clinical"]),
    module(
      "Evaluation",
      [
        "Training", "VetNet", "Answering", "Chart", "Scheduling", "Assessment", "Extraction", "Retrieval",
        "Vectorization", "TextAnalysis", "Clinical",
      ]),
    // Reaches practices by operations only, as the program does.
    module("Network", ["VetNet", "Vectorization", "Clinical"], exclude: ["Drivers"], packageAccess: false),
    .executableTarget(
      name: "VetNetCLI",
      dependencies: [
        "Web", "Presentation", "Network", "Evaluation", "Training", "VetNet", "Briefing", "Answering", "Formulary",
        "Chart", "Scheduling", "Assessment", "Extraction", "Retrieval", "Clinical", "Sync", "CEditLine",
      ],
      // What is for the package's own libraries and tests is not for the program: a practice is reached by operations only.
      packageAccess: false,
      swiftSettings: settings,
      // Nothing looks for symbols of the program but a debugger, which has a table of its own: a start is a twentieth shorter.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(configuration: .release))]),

    // Draws pictures: a tenth of some targets' tests otherwise.
    .target(
      name: "VetNetTestSupport", dependencies: ["Clinical"], path: "Tests/VetNetTestSupport",
      swiftSettings: optimized),
    // Records written by hand or read by the shipped rules, for the tests of whatever reads records.
    .target(
      name: "RecordTestSupport",
      dependencies: ["Chart", "Extraction", "TextAnalysis", "Clinical", "VetNetTestSupport"],
      path: "Tests/RecordTestSupport", swiftSettings: settings),
    // The shipped models, read once for all tests that open practices.
    .target(
      name: "PracticeTestSupport", dependencies: ["VetNet", "VetNetTestSupport"], path: "Tests/PracticeTestSupport",
      swiftSettings: settings),
    // What reads bytes from elsewhere, for inputs that are made up; see `make fuzz`.
    .target(
      name: "FuzzTargets",
      dependencies: ["VetNet", "Interchange", "Scheduling", "Answering", "Assessment", "Extraction", "Clinical"],
      path: "Tests/FuzzTargets", swiftSettings: settings),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "VetNetTestSupport"], exclude: ["Corpus", "Crashes"],
      swiftSettings: settings),
    tests("Clinical"),
    tests("TextAnalysis", ["Clinical"]),
    tests("LinearAlgebra", ["Clinical"]),
    tests("Vectorization", ["Clinical", "LinearAlgebra"]),
    tests("Retrieval", ["Clinical", "LinearAlgebra", "Vectorization"]),
    tests("Extraction", ["Clinical"]),
    tests("Chart", ["RecordTestSupport", "Clinical", "Extraction", "TextAnalysis"]),
    tests("Formulary", ["RecordTestSupport", "Clinical", "Extraction"]),
    tests(
      "Answering",
      ["RecordTestSupport", "Formulary", "Chart", "Assessment", "Extraction", "TextAnalysis", "Clinical"]),
    tests(
      "Cohorts", ["RecordTestSupport", "Answering", "Chart", "Extraction", "TextAnalysis", "Clinical"]),
    tests("Assessment", ["Clinical", "Extraction", "TextAnalysis", "Training"]),
    tests("Scheduling", ["Clinical"]),
    tests("Briefing", ["RecordTestSupport", "Formulary", "Chart", "Assessment", "Extraction", "Clinical"]),
    tests("Store", ["Clinical", "CSodium"], exclude: ["Fixtures"]),
    tests("Interchange", ["Clinical"]),
    tests("Sync", ["Clinical"]),
    tests(
      "VetNet",
      [
        "Clinical", "Store", "Interchange", "Sync", "Retrieval", "LinearAlgebra", "Extraction", "Answering", "Briefing",
        "Chart", "Assessment", "Scheduling", "TextAnalysis", "Vectorization", "PracticeTestSupport",
      ]),
    tests(
      "Training",
      [
        "RecordTestSupport", "Clinical", "LinearAlgebra", "Extraction", "Chart", "Answering", "Assessment", "VetNet",
      ]),
    tests("Evaluation", ["Clinical", "TextAnalysis", "Extraction", "Assessment", "VetNet", "PracticeTestSupport"]),
    tests("Presentation", ["Clinical", "VetNet", "Interchange"]),
    tests("Web", ["Clinical", "Store", "Sync", "VetNet", "PracticeTestSupport"]),
    tests("Network", ["Clinical", "LinearAlgebra", "Store", "VetNet", "Vectorization", "PracticeTestSupport"]),
    tests("VetNetCLI", ["Clinical", "Presentation"]),
  ]
)

// What `make libfuzzer` builds, and it alone: the variable is the path of the toolchain's libFuzzer without a main.
if let archive = Context.environment["VETNET_LIBFUZZER"] {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/LibFuzzer/CLibFuzzer"),
    .executableTarget(
      name: "LibFuzzer", dependencies: ["CLibFuzzer", "FuzzTargets"], path: "Tests/LibFuzzer/Program",
      swiftSettings: settings,
      linkerSettings: [.unsafeFlags([archive]), .linkedLibrary("stdc++"), .linkedLibrary("m")]),
  ]
}
