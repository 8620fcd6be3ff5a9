extension Instance.Job: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, urg, spec, cx, p50, sigma, patient, release, win, pools, base, p, q, e, l, l2, pref, after, pin, cand
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      id: container.decode(String.self, forKey: .id),
      urgency: container.decode(String.self, forKey: .urg),
      specialty: container.decodeIfPresent(String.self, forKey: .spec) ?? "",
      complexity: container.decodeIfPresent(Int.self, forKey: .cx) ?? 0,
      p50: container.decodeIfPresent(Double.self, forKey: .p50) ?? 0,
      sigma: container.decodeIfPresent(Double.self, forKey: .sigma) ?? 0,
      patient: container.decodeIfPresent(String.self, forKey: .patient) ?? "",
      release: container.decodeIfPresent(Int.self, forKey: .release) ?? 0,
      windows: container.decode([Bounds].self, forKey: .win).map { ClosedRange($0) },
      pools: container.decode([Int].self, forKey: .pools),
      base: container.decode(Int.self, forKey: .base),
      p: container.decode(Int.self, forKey: .p),
      q: container.decode(Int.self, forKey: .q),
      e: container.decode(Int.self, forKey: .e),
      l: container.decode(Int.self, forKey: .l),
      l2: container.decode(Int.self, forKey: .l2),
      preferredVet: container.decodeIfPresent(Int.self, forKey: .pref) ?? -1,
      after: container.decodeIfPresent(Instance.Predecessor.self, forKey: .after),
      pin: container.decodeIfPresent(Placement.self, forKey: .pin),
      candidates: container.decode([Instance.Candidate].self, forKey: .cand))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(urgency, forKey: .urg)
    try container.encode(specialty, forKey: .spec)
    try container.encode(complexity, forKey: .cx)
    try container.encode(p50, forKey: .p50)
    try container.encode(sigma, forKey: .sigma)
    try container.encode(patient, forKey: .patient)
    try container.encode(release, forKey: .release)
    try container.encode(windows.map { Bounds($0) }, forKey: .win)
    try container.encode(pools, forKey: .pools)
    try container.encode(base, forKey: .base)
    try container.encode(p, forKey: .p)
    try container.encode(q, forKey: .q)
    try container.encode(e, forKey: .e)
    try container.encode(l, forKey: .l)
    try container.encode(l2, forKey: .l2)
    try container.encode(preferredVet, forKey: .pref)
    try container.encode(after, forKey: .after)
    try container.encode(pin, forKey: .pin)
    try container.encode(candidates, forKey: .cand)
  }
}

extension Instance.Candidate: Codable {
  /// As `[vet, match, slots, bonus]`.
  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    vet = try list.decode(Int.self)
    match = try list.decode(Double.self)
    slots = try list.decode(Int.self)
    bonus = try list.decode(Int.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(vet)
    try list.encode(match)
    try list.encode(slots)
    try list.encode(bonus)
  }
}

extension Instance.Predecessor: Codable {
  /// As `[job, lag]`.
  public init(from decoder: any Decoder) throws {
    var pair = try decoder.unkeyedContainer()
    job = try pair.decode(Int.self)
    lag = try pair.decode(Int.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var pair = encoder.unkeyedContainer()
    try pair.encode(job)
    try pair.encode(lag)
  }
}
