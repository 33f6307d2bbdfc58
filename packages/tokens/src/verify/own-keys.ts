import type { Clock, ReadingDb } from '@icosa/kernel'
import { type CryptoKey, importJWK } from 'jose'
import { type PublicKey, readPublicKeys, versionOf } from '../keys/store.ts'
import { atMostEvery } from './at-most-every.ts'

export interface OwnKey {
  readonly alg: string
  readonly key: CryptoKey
}

/** The platform's published keys, as this node knows them. */
export interface OwnKeys {
  /** Reads the keys anew if there is none of this name, but not more than once a second. */
  find(kid: string): Promise<OwnKey | undefined>
  has(kid: string): boolean
  /** Reads the keys anew if they are not those of this version. */
  follow(version: string): Promise<void>
}

const missedKeyMs = 1_000

export function ownKeys(db: ReadingDb, clock: Clock): OwnKeys {
  let known = new Map<string, OwnKey>()
  let knownVersion = ''

  async function read(): Promise<void> {
    const rows = await readPublicKeys(db, clock.now())
    known = new Map(await Promise.all(rows.map(imported)))
    knownVersion = versionOf(rows)
  }
  const readForMissed = atMostEvery(missedKeyMs, read)

  return {
    async find(kid) {
      if (!known.has(kid)) await readForMissed()
      return known.get(kid)
    },
    has: (kid) => known.has(kid),
    async follow(version) {
      if (version !== knownVersion) await read()
    },
  }
}

async function imported({ kid, alg, publicJwk }: PublicKey): Promise<[kid: string, OwnKey]> {
  const key = await importJWK(publicJwk, alg)
  if (key instanceof Uint8Array) throw new Error(`The signing key '${kid}' is not a key pair.`)
  return [kid, { alg, key }]
}
