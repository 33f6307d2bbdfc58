import { randomBytes } from 'node:crypto'
import { type Database, Failure } from '@icosa/kernel'
import { nameOf, type TokenKey } from '@icosa/pkcs11/uri'
import * as store from './store.ts'

/** A key of ICOSA_MASTER_KEY: the key itself, or the token key that wraps it. */
export type GivenKey = Uint8Array | TokenKey

export const isInToken = (key: GivenKey): key is TokenKey => !(key instanceof Uint8Array)

/**
 * Returns the plain master keys. Each token is tried only once: a wrong PIN stays wrong, and tokens count failed
 * logins. The first node that names a token key creates the master key that it wraps.
 */
export async function openMasterKeys(
  database: Database,
  keys: readonly GivenKey[],
  environment: Readonly<Record<string, string>>,
): Promise<Uint8Array[]> {
  const opened: Uint8Array[] = []
  for (const key of keys) opened.push(isInToken(key) ? await kept(database, key, environment) : key)
  return opened
}

async function kept(
  database: Database,
  key: TokenKey,
  environment: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  const { askKeeper } = await import('@icosa/pkcs11/keeper')
  const name = nameOf(key)
  const ask = (call: 'wrap' | 'unwrap', data: Uint8Array) =>
    askKeeper(key, call, data, { environment }).catch((cause: Error) => {
      throw new Failure('unavailable', `ICOSA_MASTER_KEY names a key of a token. ${cause.message}`, { cause })
    })
  const existing =
    (await store.wrappedMasterKey(database, name)) ??
    (await store.keepMasterKey(database, name, await ask('wrap', randomBytes(32))))
  return ask('unwrap', existing)
}
