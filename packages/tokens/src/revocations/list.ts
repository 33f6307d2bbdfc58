import type { Clock } from '@icosa/kernel'

export interface Revocation {
  readonly subject: string
  readonly revokedAt: Date
  readonly expiresAt: Date
}

/** Revocable names of a token. */
export interface Revocable {
  readonly issuedAtMs: number
  /** Names that are never reused, such as a token's own. */
  readonly once: readonly string[]
  /** Names that get new tokens later, such as a person's. */
  readonly lasting: readonly string[]
}

/** Valid revocations, in memory. By real time, as in `signature.ts`. */
export interface RevocationList {
  add(revocations: readonly Revocation[]): void
  refuses(token: Revocable): boolean
  size(): number
}

const sweepMs = 60_000

export function revocationList(clock: Clock): RevocationList {
  const bySubject = new Map<string, { readonly revokedAtMs: number; readonly expiresAtMs: number }>()
  let sweptAtMs = 0

  function sweep(nowMs: number): void {
    if (nowMs - sweptAtMs < sweepMs) return
    sweptAtMs = nowMs
    for (const [subject, { expiresAtMs }] of bySubject) if (expiresAtMs <= nowMs) bySubject.delete(subject)
  }

  /** Time of a name's revocation, or negative infinity. */
  function revokedAtMs(subject: string): number {
    const entry = bySubject.get(subject)
    return entry && entry.expiresAtMs > clock.now().getTime() ? entry.revokedAtMs : Number.NEGATIVE_INFINITY
  }

  return {
    add(revocations) {
      sweep(clock.now().getTime())
      for (const { subject, revokedAt, expiresAt } of revocations) {
        const previous = bySubject.get(subject)
        bySubject.set(subject, {
          revokedAtMs: Math.max(revokedAt.getTime(), previous?.revokedAtMs ?? 0),
          expiresAtMs: Math.max(expiresAt.getTime(), previous?.expiresAtMs ?? 0),
        })
      }
    },
    // `iat` has a resolution of seconds. A token issued in the second of the revocation may be older, so it is refused:
    // better to refuse a new token than to accept an old one.
    refuses: ({ issuedAtMs, once, lasting }) =>
      once.some((name) => revokedAtMs(name) > 0) || lasting.some((name) => revokedAtMs(name) >= issuedAtMs),
    size: () => bySubject.size,
  }
}
