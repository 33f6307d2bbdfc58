import { setTimeout as wait } from 'node:timers/promises'
import type { Clock, ReadingDb } from '@icosa/kernel'
import { type CryptoKey, importJWK } from 'jose'
import { type PublicKey, readPublicKeys, versionOf } from '../keys/store.ts'

export interface OwnKey {
  readonly alg: string
  readonly key: CryptoKey
}

/** The platform's published keys, cached on this node. */
export interface OwnKeys {
  /** Reads the keys again if this one is unknown, at most four times a second: until then it waits. */
  find(kid: string): Promise<OwnKey | undefined>
  has(kid: string): boolean
  /** Reads the keys again if their version differs. */
  follow(version: string): Promise<void>
}

const rereadMs = 250

export function ownKeys(db: ReadingDb, clock: Clock): OwnKeys {
  let cache = new Map<string, OwnKey>()
  let version = ''
  let started = 0
  let newest = 0

  async function read(): Promise<void> {
    const order = ++started
    const rows = await readPublicKeys(db, clock.now())
    const keys = new Map(await Promise.all(rows.map(imported)))
    if (order < newest) return // a later read was faster, and is more recent
    newest = order
    cache = keys
    version = versionOf(rows)
  }
  const rereadSoon = nextRun(rereadMs, read)

  return {
    async find(kid) {
      if (!cache.has(kid)) await rereadSoon()
      return cache.get(kid)
    },
    has: (kid) => cache.has(kid),
    async follow(newVersion) {
      if (newVersion !== version) await read()
    },
  }
}

async function imported({ kid, alg, publicJwk }: PublicKey): Promise<[kid: string, OwnKey]> {
  const key = await importJWK(publicJwk, alg)
  if (key instanceof Uint8Array) throw new Error(`The signing key '${kid}' is not a key pair.`)
  return [kid, { alg, key }]
}

/**
 * Runs `work` for callers, always starting after the call, so that it sees everything from before. Runs start at least
 * `everyMs` apart; all callers before the next start share it.
 */
function nextRun(everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let startAt = Number.NEGATIVE_INFINITY
  let next: Promise<void> | undefined

  async function run(): Promise<void> {
    await wait(Math.max(0, startAt - performance.now()))
    startAt = performance.now() + everyMs
    next = undefined
    await work()
  }

  return () => {
    next ??= run()
    return next
  }
}
