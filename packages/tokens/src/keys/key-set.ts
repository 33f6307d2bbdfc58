import type { CellVault, Clock, ReadingDb } from '@icosa/kernel'
import type { JWK } from 'jose'
import * as store from './store.ts'

/** All published keys with their private parts: for each algorithm the first one signs. */
export interface SigningKeySet {
  /** Opaque: changes with the keys or their order. */
  readonly version: string
  readonly keys: readonly JWK[]
}

export async function signingKeySet(db: ReadingDb, cellVault: CellVault, now: Date): Promise<SigningKeySet> {
  const rows = await store.readPrivateKeys(db, now)
  const keys = rows.map(({ kid, sealed }): JWK => JSON.parse(cellVault.open(sealed, kid)))
  return { version: store.versionOf(rows), keys }
}

/** The version alone: no private key leaves the database. */
export async function signingKeyVersion(db: ReadingDb, now: Date): Promise<string> {
  return store.readVersion(db, now)
}

export interface SigningKeyInfo extends store.KeyInfo {
  /** `next` is published and does not sign yet, `retiring` is published and signs no more. */
  readonly state: 'signing' | 'next' | 'retiring' | 'withdrawn'
}

/** For operators: without private parts. */
export async function listSigningKeys(db: ReadingDb, clock: Clock): Promise<SigningKeyInfo[]> {
  const now = clock.now()
  const signing = new Set<string>()
  return (await store.listKeys(db, now)).map((key) => {
    if (key.publishedUntil !== null && key.publishedUntil <= now) return { ...key, state: 'withdrawn' }
    if (!signing.has(key.alg)) {
      signing.add(key.alg)
      return { ...key, state: 'signing' }
    }
    return { ...key, state: key.publishedUntil === null ? 'next' : 'retiring' }
  })
}
