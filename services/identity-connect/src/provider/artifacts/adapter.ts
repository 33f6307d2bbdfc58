import { hash as digest } from 'node:crypto'
import type { Clock, Database } from '@icosa/kernel'
import { revoke } from '@icosa/tokens'
import { type Adapter, type AdapterPayload, errors, type InteractionResults } from 'oidc-provider'
import { deferConsumption, rememberCode, rememberedGrant, takeDeferred } from './code-exchange.ts'
import { toMachineTime, toSystemTime } from './library-time.ts'
import * as store from './store.ts'

/** Whoever reads the database must not be able to use what is in it: of these only the hash of the value is kept. */
const hashed = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken'])

const hash = (value: string) => digest('sha256', value, 'base64url')

/** Where the protocol library keeps its things. */
export function artifactAdapter(model: string, database: Database, clock: Clock): Adapter {
  const isHashed = hashed.has(model)
  const keyOf = (id: string) => (isHashed ? hash(id) : id)

  const opened = (found: store.Stored | undefined, id?: string): AdapterPayload | undefined =>
    found && {
      ...found.payload,
      ...toMachineTime(found.payload),
      ...(isHashed && id !== undefined && { jti: id }),
      ...(found.consumedAt && { consumed: seconds(found.consumedAt) }),
    }

  /** Two came with the same secret at once. The library looks before it consumes, so only here it shows. */
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
      if (id.includes('\0')) return undefined // PostgreSQL takes no NUL, and who sends one has no session
      if (model === 'AuthorizationCode') {
        const code = await store.findCode(database, keyOf(id), clock.now())
        if (code) rememberCode(code)
        return opened(code, id)
      }
      const brought = model === 'Grant' ? rememberedGrant(id) : undefined
      return brought ?? opened(await store.find(database, model, keyOf(id), clock.now()), id)
    },
    findByUid: async (uid) => opened(await store.findByUid(database, model, uid, clock.now())),
    findByUserCode: async () => undefined,
    async consume(id) {
      const key = keyOf(id)
      if (model === 'AuthorizationCode' && deferConsumption(key)) return
      if (await store.consume(database, model, key, clock.now())) return
      const found = await store.find(database, model, key, clock.now())
      await refuseReplay(found?.payload.grantId)
    },
    destroy: (id) => (model === 'Grant' ? revokeGrant(database, id) : store.remove(database, model, keyOf(id))),
    // The library ends a grant together with all it gave: that is one statement, on the grant.
    revokeByGrantId: (grantId) => store.removeOfGrant(database, model, grantId),
  }
}

/** Ends an authorization with all it gave, the tokens that nodes verify without asking us included. */
export async function revokeGrant(database: Database, grantId: string): Promise<void> {
  await database.transaction(async (db) => {
    await store.removeGrant(db, grantId)
    await revoke(db, grantId)
  })
}

/** Who has just signed in, in a sign-in that is under way: it must end with all else when their access ends. */
const signedInAs = ({ result }: AdapterPayload) => (result as InteractionResults | undefined)?.login?.accountId ?? null

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
