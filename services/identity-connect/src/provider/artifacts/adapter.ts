import { hash as digest } from 'node:crypto'
import type { Clock, Database } from '@icosa/kernel'
import { revoke } from '@icosa/tokens'
import { type Adapter, type AdapterPayload, errors, type InteractionResults } from 'oidc-provider'
import { deferConsumption, grantInExchange, startExchange, takeDeferred } from './code-exchange.ts'
import { toMachineTime, toSystemTime } from './library-time.ts'
import * as store from './store.ts'

/** Only hashes of these are stored, so that a database leak reveals no usable token. */
const hashed = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken'])

const hash = (value: string) => digest('sha256', value, 'base64url')

/** The storage adapter of the protocol library. */
export function artifactAdapter(model: string, database: Database, clock: Clock): Adapter {
  const isHashed = hashed.has(model)
  const keyOf = (id: string) => (isHashed ? hash(id) : id)

  const toPayload = (row: store.Stored | undefined, id?: string): AdapterPayload | undefined =>
    row && {
      ...row.payload,
      ...toMachineTime(row.payload),
      ...(isHashed && id !== undefined && { jti: id }),
      ...(row.consumedAt && { consumed: seconds(row.consumedAt) }),
    }

  /** For concurrent uses of one secret: the library checks before it consumes, so a race is detected only here. */
  async function refuseReplay(grantId: unknown): Promise<never> {
    if (typeof grantId === 'string') await revokeGrant(database, grantId)
    throw new errors.InvalidGrant('already consumed')
  }

  return {
    async upsert(id, payload, expiresIn = 0) {
      const { jti, ...rest } = payload
      const now = clock.now()
      const artifact = {
        payload: { ...(isHashed ? rest : payload), ...toSystemTime(payload) },
        grantId: payload.grantId ?? null,
        uid: payload.uid ?? null,
        accountId: payload.accountId ?? signedInAs(payload),
        clientId: payload.clientId ?? null,
        expiresAt: new Date(now.getTime() + expiresIn * 1000),
      }
      const code = model === 'AccessToken' ? takeDeferred() : undefined
      if (code === undefined) return store.put(database, model, keyOf(id), artifact)
      if (!(await store.exchange(database, code.key, keyOf(id), artifact, now))) await refuseReplay(artifact.grantId)
    },
    async find(id) {
      if (id.includes('\0')) return undefined // PostgreSQL rejects NUL, and no valid id contains one
      if (model === 'AuthorizationCode') {
        const code = await store.findCode(database, keyOf(id), clock.now())
        if (code) startExchange(code)
        return toPayload(code, id)
      }
      const prefetched = model === 'Grant' ? grantInExchange(id) : undefined
      return prefetched ?? toPayload(await store.find(database, model, keyOf(id), clock.now()), id)
    },
    findByUid: async (uid) => toPayload(await store.findByUid(database, model, uid, clock.now())),
    findByUserCode: async () => undefined,
    async consume(id) {
      const key = keyOf(id)
      if (model === 'AuthorizationCode' && deferConsumption(key)) return
      if (await store.consume(database, model, key, clock.now())) return
      const row = await store.find(database, model, key, clock.now())
      await refuseReplay(row?.payload.grantId)
    },
    destroy: (id) => (model === 'Grant' ? revokeGrant(database, id) : store.remove(database, model, keyOf(id))),
    // `destroy` of a grant already revokes all of its artifacts, in one statement.
    revokeByGrantId: (grantId) => store.removeOfGrant(database, model, grantId),
  }
}

/** Revokes a grant with all its tokens, including platform tokens, which nodes verify locally. */
export async function revokeGrant(database: Database, grantId: string): Promise<void> {
  await database.transaction(async (db) => {
    await store.removeGrant(db, grantId)
    await revoke(db, grantId)
  })
}

/** The user of an unfinished sign-in, which must end with the user's other access. */
const signedInAs = ({ result }: AdapterPayload) => (result as InteractionResults | undefined)?.login?.accountId ?? null

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
