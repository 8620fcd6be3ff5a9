import Retrieval
import Testing

struct RankFusionTests {
  private static func leg(_ name: String, weight: Double, _ chunks: KeyValuePairs<Int64, Double>) -> RankedLeg {
    RankedLeg(name: name, weight: weight, chunks: chunks.map { ScoredChunk(chunkID: $0.key, score: $0.value) })
  }

  @Test func `reciprocal ranks add up to what the formula says`() {
    let fused = ReciprocalRankFusion(k: 60).fuse([
      Self.leg("vector", weight: 1, [7: 0.9, 3: 0.8]), Self.leg("lexical", weight: 1, [3: 11, 5: 4]),
    ])
    // Weights are shares of their sum: one half each.
    #expect(fused.map(\.chunkID) == [3, 7, 5])
    #expect(abs(fused[0].score - (0.5 / 62 + 0.5 / 61)) < 1e-12)
    #expect(abs(fused[1].score - 0.5 / 61) < 1e-12)
    #expect(abs(fused[2].score - 0.5 / 62) < 1e-12)
  }

  @Test func `relative scores are shares of the leg's best`() {
    let fused = RelativeScoreFusion().fuse([
      Self.leg("vector", weight: 3, [1: 0.8, 2: 0.4, 4: -0.2]), Self.leg("lexical", weight: 1, [2: 10, 1: 5, 9: 2]),
    ])
    // 1: 0.75 · 1 + 0.25 · 0.5; 2: 0.75 · 0.5 + 0.25 · 1; 9: 0.25 · 0.2; 4 is against, and falls out.
    #expect(fused.map(\.chunkID) == [1, 2, 9])
    #expect(zip(fused.map(\.score), [0.875, 0.625, 0.05]).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(fused[0].shares == [0.75, 0.125])
  }

  @Test(arguments: [RelativeScoreFusion() as any RankFusion, ReciprocalRankFusion()])
  func `a leg without weight or chunks is as if it weren't there`(fusion: any RankFusion) {
    let lexical = Self.leg("lexical", weight: 1, [2: 10, 1: 5])
    let alone = fusion.fuse([lexical])
    let mute = fusion.fuse([Self.leg("vector", weight: 0, [8: 3]), lexical])
    #expect(mute.map(\.chunkID) == alone.map(\.chunkID))
    #expect(mute.map(\.score) == alone.map(\.score))
    #expect(fusion.fuse([Self.leg("vector", weight: 1, [:])]).isEmpty)
    #expect(fusion.fuse([]).isEmpty)
  }

  @Test func `of equal scores the lowest chunk id comes first`() {
    let fused = RelativeScoreFusion().fuse([
      Self.leg("vector", weight: 1, [9: 2, 4: 1]), Self.leg("lexical", weight: 1, [4: 1, 9: 0.5]),
    ])
    #expect(fused.map(\.score) == [0.75, 0.75])
    #expect(fused.map(\.chunkID) == [4, 9])
  }
}
