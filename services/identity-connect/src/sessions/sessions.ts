import { revoke } from '@icosa/tokens'
import type { Provider } from 'oidc-provider'
import type { PeopleContext } from '../people/context.ts'
import * as store from '../provider/artifacts/store.ts'

export interface SessionInfo {
  readonly uid: string
  readonly since: Date
  readonly label: string
  readonly clientIds: readonly string[]
}

/** The user's sessions, latest first. */
export async function sessionsOf({ database, clock }: PeopleContext, person: string): Promise<SessionInfo[]> {
  const rows = await store.sessionsOf(database, person, clock.now())
  return rows.map(({ uid, label, payload }) => ({
    uid,
    since: new Date(Number(payload.loginTs ?? 0) * 1000),
    label: label ?? 'Unknown browser',
    clientIds: Object.keys(Object(payload.authorizations)),
  }))
}

/** Ends one session of a user, or all but one, and notifies clients with a back-channel logout URI. */
export async function endSessions(
  provider: Provider,
  { database }: PeopleContext,
  person: string,
  which: store.WhichSessions = { allBut: null },
): Promise<void> {
  const ended = await database.transaction(async (db) => {
    const sessions = await store.removeSessions(db, person, which)
    for (const { uid } of sessions) await revoke(db, uid)
    return sessions
  })
  for (const { payload } of ended) {
    const authorizations = Object(payload.authorizations) as Record<string, { sid?: string }>
    for (const [clientId, { sid = '' }] of Object.entries(authorizations)) {
      const client = await provider.Client.find(clientId)
      if (client?.backchannelLogoutUri) await client.backchannelLogout(person, sid)
    }
  }
}

/** Ends all sessions and grants of an account. */
export async function endAccess(provider: Provider, people: PeopleContext, person: string): Promise<void> {
  await endSessions(provider, people, person)
  await people.transaction(async (db) => {
    await store.removeAccount(db, person)
    await revoke(db, person)
  })
}
