import type { KeyObject } from 'node:crypto'
import { createPublicKey } from 'node:crypto'
import { type Caller, type Clock, expiringCache, Failure, type ReadingDb } from '@icosa/kernel'
import { InstallationCaller, SessionCaller } from '../dialect/caller.ts'
import type { AddressLimiter, Limiter } from '../dialect/rates.ts'
import { type FoundSession, findSession, isPermitted } from './store.ts'
import { hashOf, openInstallation, tenantOf } from './tokens.ts'

/** Who carries which token. */
export interface Callers {
  byToken(token: string, ip: string): Caller | undefined | Promise<Caller | undefined>
  /** A session that ends here ends at once on this node; on others within a second. */
  forget(token: string): void
}

interface Known extends FoundSession {
  readonly tenant: string
  readonly key: KeyObject
}

export function openCallers(options: {
  readonly db: ReadingDb
  readonly clock: Clock
  readonly installationKey: Buffer
  readonly limit: Limiter
  readonly limitAddress: AddressLimiter
}): Callers {
  const { db, clock, installationKey, limit, limitAddress } = options
  const sessions = expiringCache<Known | undefined>({
    name: 'banking sessions',
    forMs: 1_000,
    limit: 10_000,
    async find(token) {
      const tenant = tenantOf(token, 'session')
      const session = tenant === undefined ? undefined : await findSession(db, tenant, hashOf(token))
      return session && { ...session, tenant: tenant as string, key: createPublicKey(session.publicKey) }
    },
  })

  function sessionCaller(known: Known | undefined, ip: string): Caller | undefined {
    if (!known) return undefined
    if (known.expiresAt <= clock.now())
      throw new Failure('unauthenticated', 'The session has expired: open another with POST /session-server.')
    if (!isPermitted(known.permittedIps, ip))
      throw new Failure('forbidden', `The device may not call from ${ip}: register one that may, by permitted_ips.`)
    return new SessionCaller({ ...known, publicKey: known.key, limit })
  }

  return {
    byToken(token, ip) {
      if (token.startsWith('installation.')) {
        limitAddress(ip)
        const installation = openInstallation(installationKey, token)
        return (
          installation && new InstallationCaller(installation, createPublicKey(installation.publicKey), { ip, limit })
        )
      }
      const known = token.length > 300 ? undefined : sessions.get(token)
      return known instanceof Promise ? known.then((one) => sessionCaller(one, ip)) : sessionCaller(known, ip)
    },
    forget: sessions.forget,
  }
}
