import type { KeyObject } from 'node:crypto'
import { createPublicKey } from 'node:crypto'
import { type Caller, type Clock, Failure, type ReadingDb, recentlyUsed } from '@icosa/kernel'
import { InstallationCaller, SessionCaller } from '../dialect/caller.ts'
import type { AddressLimiter, Limiter } from '../dialect/rates.ts'
import { findSession, isPermitted } from './store.ts'
import { hashOf, openInstallation, tenantOf } from './tokens.ts'

/** Finds callers by token. Sessions are read for every request, so a deleted one ends immediately on all nodes. */
export interface Callers {
  byToken(token: string, ip: string): Caller | undefined | Promise<Caller | undefined>
}

export function openCallers(options: {
  readonly db: ReadingDb
  readonly clock: Clock
  readonly installationKey: Buffer
  readonly limit: Limiter
  readonly limitAddress: AddressLimiter
}): Callers {
  const { db, clock, installationKey, limit, limitAddress } = options
  const keys = recentlyUsed<KeyObject>('banking public keys', 10_000)

  function keyOf(pem: string): KeyObject {
    const key = keys.get(pem) ?? createPublicKey(pem)
    keys.set(pem, key)
    return key
  }

  async function bySession(token: string, ip: string): Promise<Caller | undefined> {
    const tenant = token.length > 300 ? undefined : tenantOf(token, 'session')
    const session = tenant === undefined ? undefined : await findSession(db, tenant, hashOf(token))
    if (tenant === undefined || !session) return undefined
    if (session.expiresAt <= clock.now())
      throw new Failure('unauthenticated', 'The session has expired: open another with POST /session-server.')
    if (!isPermitted(session.permittedIps, ip))
      throw new Failure(
        'forbidden',
        `The device may not call from ${ip}: register a device whose permitted_ips include it.`,
      )
    return new SessionCaller({ ...session, tenant, publicKey: keyOf(session.publicKey), limit })
  }

  return {
    byToken(token, ip) {
      if (!token.startsWith('installation.')) return bySession(token, ip)
      limitAddress(ip)
      const installation = openInstallation(installationKey, token)
      return installation && new InstallationCaller(installation, keyOf(installation.publicKey), { ip, limit })
    },
  }
}
