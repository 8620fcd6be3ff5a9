import Clinical

/// Analysed documents about a few topics: each draws most of its terms from its topic and some from what all share, so
/// that terms of a topic belong together without always standing together.
public enum SampleTexts {
  public static let topics: [[String]] = [
    ["seizur", "fit", "epilepsi", "phenobarbit", "postict", "collaps", "neurolog"],
    ["vomit", "diarrhoea", "gastroenter", "bland", "maropit", "abdomen", "faec"],
    ["lame", "cruciat", "stifl", "hind", "meloxicam", "drawer", "radiograph"],
    ["itch", "skin", "atop", "flea", "pruritus", "ear", "dermat"],
  ]
  public static let shared = ["dog", "cat", "exam", "weight", "owner", "recheck", "week", "bar"]

  /// Document `n` is about topic `n % 4`.
  public static func documents(_ count: Int, seed: UInt64 = 1) -> [[String]] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { number in
      let topic = topics[number % topics.count]
      return (0..<Int.random(in: 8...20, using: &generator)).map { _ in
        let pool = generator.nextUnit() < 0.6 ? topic : shared
        return pool[Int.random(in: 0..<pool.count, using: &generator)]
      }
    }
  }
}
