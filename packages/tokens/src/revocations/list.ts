import type { Clock } from '@icosa/kernel'

export interface Revocation {
  readonly subject: string
  readonly revokedAt: Date
  readonly expiresAt: Date
}

/** By what a token can be revoked. */
export interface Revocable {
  readonly issuedAtMs: number
  /** Names that never come back, such as a token's own. */
  readonly once: readonly string[]
  /** Names that get new tokens later, such as a person's. */
  readonly lasting: readonly string[]
}

/** The revocations that count, in memory. Its clock is the real one, as in `signature.ts`. */
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

  /** When a name was revoked, or before all time. */
  function revokedAtMs(subject: string): number {
    const found = bySubject.get(subject)
    return found && found.expiresAtMs > clock.now().getTime() ? found.revokedAtMs : Number.NEGATIVE_INFINITY
  }

  return {
    add(revocations) {
      sweep(clock.now().getTime())
      for (const { subject, revokedAt, expiresAt } of revocations) {
        const known = bySubject.get(subject)
        bySubject.set(subject, {
          revokedAtMs: Math.max(revokedAt.getTime(), known?.revokedAtMs ?? 0),
          expiresAtMs: Math.max(expiresAt.getTime(), known?.expiresAtMs ?? 0),
        })
      }
    },
    // A token says only in which second it was issued. One of the same second as the revocation may be older than it,
    // so it is refused: rather a new token too few than an old one too many.
    refuses: ({ issuedAtMs, once, lasting }) =>
      once.some((name) => revokedAtMs(name) > 0) || lasting.some((name) => revokedAtMs(name) >= issuedAtMs),
    size: () => bySubject.size,
  }
}
