import Foundation
import Testing
import VetNetTestSupport

@testable import Web

/// What pages load lies in a folder, and goes into the program by a list in C.
@Suite struct AssetsTests {
  /// What icons are drawn from.
  private static let sources: Set<String> = ["icon-maskable.svg"]

  @Test func `every file of the folder is served, byte for byte`() throws {
    let folder = projectDirectory + "/Sources/Web/Assets"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(names).subtracting(Self.sources) == Set(Assets.all.keys))
    for (name, asset) in Assets.all {
      let file = try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
      #expect(name == "style.css" ? asset.bytes.starts(with: file) : asset.bytes == file, "\(name)")
      #expect(!asset.type.isEmpty)
    }
  }
}
