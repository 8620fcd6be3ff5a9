import Clinical
import Testing

@Suite struct SplitMix64Tests {
  @Test(arguments: [1, 2, 3, 64, 1000, Int.max])
  func `a place is the number that the standard library draws`(count: Int) {
    var (own, other) = (SplitMix64(seed: 5), SplitMix64(seed: 5))
    for _ in 0..<200 { #expect(own.index(below: count) == Int.random(in: 0..<count, using: &other)) }
  }

  /// The outputs of the algorithm's reference implementation in C for the seed 1234567, as its readers quote them.
  ///
  /// - Source: S. Vigna, splitmix64.c, public domain; values as in the Rosetta Code task "Pseudo-random numbers/Splitmix64".
  @Test func `the first numbers for seed 1234567 are the published ones`() {
    var generator = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  /// The same arithmetic on arrays of 32-bit halves, which shares no operator with the fast one.
  @Test(arguments: [0, 1, 42, UInt64.max, 0x8000_0000_0000_0000]) func `the numbers agree with long-hand arithmetic`(
    seed: UInt64
  ) {
    var generator = SplitMix64(seed: seed)
    var state = LongHand(seed)
    for _ in 0..<50 {
      state = state.adding(LongHand(0x9E37_79B9_7F4A_7C15))
      var mixed = state.xor(state.shifted(30)).times(LongHand(0xBF58_476D_1CE4_E5B9))
      mixed = mixed.xor(mixed.shifted(27)).times(LongHand(0x94D0_49BB_1331_11EB))
      #expect(generator.next() == mixed.xor(mixed.shifted(31)).value)
    }
  }

  @Test func `unit numbers lie in [0, 1) and spread over it`() {
    var generator = SplitMix64(seed: 9)
    let numbers = (0..<10_000).map { _ in generator.nextUnit() }
    #expect(numbers.allSatisfy { $0 >= 0 && $0 < 1 })
    let mean = numbers.reduce(0, +) / 10_000
    // The mean of 10,000 uniform numbers has a standard deviation of 0.0029.
    #expect(abs(mean - 0.5) < 0.015)
  }
}

/// 64-bit numbers as 64 bits, least first.
private struct LongHand {
  var bits: [Bool]

  init(_ value: UInt64) { bits = (0..<64).map { value >> UInt64($0) & 1 == 1 } }

  init(bits: [Bool]) { self.bits = bits }

  var value: UInt64 { bits.enumerated().reduce(0) { $1.element ? $0 | 1 << UInt64($1.offset) : $0 } }

  func xor(_ other: Self) -> Self { Self(bits: zip(bits, other.bits).map { $0 != $1 }) }

  func shifted(_ places: Int) -> Self {
    Self(bits: Array(bits.dropFirst(places)) + Array(repeating: false, count: places))
  }

  func adding(_ other: Self) -> Self {
    var carry = false
    var sum: [Bool] = []
    for (first, second) in zip(bits, other.bits) {
      let ones = [first, second, carry].count { $0 }
      sum.append(ones % 2 == 1)
      carry = ones >= 2
    }
    return Self(bits: sum)
  }

  func times(_ other: Self) -> Self {
    var product = Self(0)
    for (place, isOne) in other.bits.enumerated() where isOne {
      let raised = Array(repeating: false, count: place) + bits.prefix(64 - place)
      product = product.adding(Self(bits: raised))
    }
    return product
  }
}
