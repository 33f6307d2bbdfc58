import type { Clock, ReadingDb } from '@icosa/kernel'
import { type CryptoKey, importJWK } from 'jose'
import { type PublicKey, readPublicKeys, versionOf } from '../keys/store.ts'
import { nextRun } from './next-run.ts'

export interface OwnKey {
  readonly alg: string
  readonly key: CryptoKey
}

/** The platform's published keys, as this node knows them. */
export interface OwnKeys {
  /** Reads the keys anew if there is none of this name, but not more than four times a second: until then it waits. */
  find(kid: string): Promise<OwnKey | undefined>
  has(kid: string): boolean
  /** Reads the keys anew if they are not those of this version. */
  follow(version: string): Promise<void>
}

const missedKeyMs = 250

export function ownKeys(db: ReadingDb, clock: Clock): OwnKeys {
  let known = new Map<string, OwnKey>()
  let knownVersion = ''
  let started = 0
  let newest = 0

  async function read(): Promise<void> {
    const order = ++started
    const rows = await readPublicKeys(db, clock.now())
    const keys = new Map(await Promise.all(rows.map(imported)))
    if (order < newest) return // a later one was faster, and knows more
    newest = order
    known = keys
    knownVersion = versionOf(rows)
  }
  const readForMissed = nextRun(missedKeyMs, read)

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
