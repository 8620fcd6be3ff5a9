import Clinical
import Foundation
@testable import Store
import Sync
import Testing
import VetNetTestSupport

@testable import VetNet

/// An encrypted hub and its clones: nothing that passes or stays lies plain, and a clone with a key of its own says nothing of the hub's.
struct SyncEncryptionTests {
  private static let canaries = ["qx81zvhub", "qx82zvclone", "qx83zvowner"]

  private func key(_ words: String) throws -> NewFileKey {
    try Array(words.utf8).withUnsafeBytes {
      try NewFileKey(passphrase: $0, label: "", cost: .least, now: ClonedPractice.now)
    }
  }

  /// A hub that was encrypted before anything of the canaries came into it.
  private func encryptedHub() throws -> ClonedPractice {
    try ClonedPractice(clones: 0, encryptedBy: key("words of the hub"))
  }

  private func holdsAny(_ cloned: ClonedPractice, in folder: String) throws -> String? {
    try Self.canaries.first { try ClonedPractice.holds($0, in: cloned.place.file(folder)) }
  }

  @Test(arguments: [false, true])
  func `clones of an encrypted hub are encrypted, sync, and nothing lies plain in any file or on the stick`(
    ownKey: Bool
  ) throws {
    let cloned = try encryptedHub()
    let clone = try cloned.makeClone("laptop", encryptedBy: ownKey ? key("words of the laptop") : nil)
    #expect(cloned.hub.file.isEncryptedFile && clone.file.isEncryptedFile)
    let heads = try [cloned.hub, clone].map { try #require(try SealedHead.read($0.path)) }
    #expect((heads[0].keyID == heads[1].keyID) == !ownKey)
    if ownKey {
      // What opens the one doesn't open the other.
      for (head, words, opens) in [(heads[1], "words of the hub", false), (heads[1], "words of the laptop", true)] {
        let secret = try Array(words.utf8).withUnsafeBytes { try Practice.File.secret($0) }
        #expect(try (head.unlock(secret) != nil) == opens, "\(words)")
      }
    }
    _ = try cloned.note("Canary \(Self.canaries[0])", at: cloned.hub)
    _ = try cloned.note("Canary \(Self.canaries[1])", at: clone)
    var rex = NewPatient(name: "Rex", species: .dog)
    rex.owner = Self.canaries[2]
    try clone.perform(AddPatient(patient: rex), by: .local, at: ClonedPractice.now)
    for practice in [clone, cloned.hub, clone, cloned.hub] {
      try cloned.exchange(practice)
      for folder in ["hub", "laptop", "stick"] { #expect(try holdsAny(cloned, in: folder) == nil, "\(folder)") }
    }
    #expect(try SyncWorld.dump(clone) == SyncWorld.dump(cloned.hub))
    for word in Self.canaries { #expect(try SyncWorld.dump(cloned.hub).contains { $0.contains(word) }) }
    #expect(try clone.integrity.verify().ok && cloned.hub.integrity.verify().ok)
    // The key that seals what lies on the stick lies nowhere plain either.
    let shared = try #require(try clone.connection.operationLog.own()?.key)
    for folder in ["hub", "laptop", "stick"] {
      #expect(try !ClonedPractice.holds(Data(shared), in: cloned.place.file(folder)), "\(folder)")
    }
  }

  @Test func `a clone of a plain hub can be encrypted, and is then the only one of the two`() throws {
    let cloned = try ClonedPractice(clones: 0)
    let clone = try cloned.makeClone("laptop", encryptedBy: key("words of the laptop"))
    #expect(clone.file.isEncryptedFile && !cloned.hub.file.isEncryptedFile)
    _ = try cloned.note("Canary \(Self.canaries[1])", at: clone)
    #expect(try holdsAny(cloned, in: "laptop") == nil)
    for practice in [clone, cloned.hub, clone] { try cloned.exchange(practice) }
    #expect(try holdsAny(cloned, in: "stick") == nil && holdsAny(cloned, in: "hub") != nil)
    #expect(try SyncWorld.dump(clone) == SyncWorld.dump(cloned.hub))
    // The key was for that one clone.
    let other = try cloned.makeClone("tablet")
    #expect(!other.file.isEncryptedFile)
  }
}
