import type { FastifyReply } from 'fastify'
import { listConsents } from '../../consents/consents.ts'
import { accountClientId } from '../../names.ts'
import { accountPage } from '../../pages/account/account.ts'
import type { AccountView, ClientView, Frame, GrantedView, SessionView } from '../../pages/views.ts'
import * as passkeyStore from '../../passkeys/store.ts'
import { findById, type Person } from '../../people/people.ts'
import { sessionsOf } from '../../sessions/sessions.ts'
import { toClientView } from '../client-view.ts'
import { redirectTo, show } from '../replies.ts'
import { scopeText } from '../sign-in/scopes.ts'
import { sessionOf } from '../visit/session.ts'
import type { Visit } from '../visit/visit.ts'

export interface SignedIn {
  readonly visit: Visit
  readonly person: Person
  readonly session: { readonly uid: string }
}

/** Redirects to sign-in, and returns undefined, if the visitor is not signed in. */
export async function requireSignIn(
  visit: Visit,
  reply: FastifyReply,
  invitation?: string,
): Promise<SignedIn | undefined> {
  const { people } = visit
  const session = await sessionOf(visit)
  const person = session.accountId ? await findById(people.database, session.accountId) : undefined
  if (!person || person.disabledAt || invitation !== undefined) {
    redirectTo(reply, signInAddress(visit, invitation))
    return undefined
  }
  return { visit, person, session }
}

function signInAddress({ base, issuer }: Visit, invitation?: string): string {
  const query = new URLSearchParams({
    client_id: accountClientId,
    response_type: 'none',
    scope: 'openid',
    redirect_uri: `${issuer}/account/signed-in`,
    ...(invitation !== undefined && { invitation, prompt: 'login' }),
  })
  return `${base}/authorize?${query}`
}

/** The result of the last form. */
type Outcome = Pick<Frame, 'notice' | 'problem'> & Pick<AccountView, 'problemAt'>

export async function showAccount(signedIn: SignedIn, reply: FastifyReply, outcome: Outcome = {}) {
  const { visit, person } = signedIn
  const { database } = visit.people
  const { address = {}, ...texts } = person.profile
  const passkeys = await passkeyStore.list(database, person.id)
  const view = {
    ...visit.frame(outcome),
    problemAt: outcome.problemAt,
    person: {
      email: person.email,
      emailVerified: person.emailVerified,
      hasPassword: person.hasPassword,
      profile: { ...texts, ...address },
    },
    passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      addedAt: createdAt,
      usedAt: usedAt ?? undefined,
    })),
    sessions: await sessionViews(signedIn),
    grants: await grantViews(signedIn),
  }
  return show(reply, accountPage(view), {}, outcome.problem === undefined ? 200 : 400)
}

async function sessionViews({ visit, person, session }: SignedIn): Promise<SessionView[]> {
  const sessions = await sessionsOf(visit.people, person.id)
  return Promise.all(
    sessions.map(async ({ uid, since, label, clientIds }) => ({
      id: uid,
      isThis: uid === session.uid,
      since,
      browser: label,
      clients: await namesOf(visit, clientIds),
    })),
  )
}

async function grantViews({ visit, person }: SignedIn): Promise<GrantedView[]> {
  const consents = await listConsents(visit.people.database, person.id)
  return Promise.all(
    consents.map(async ({ clientId, scopes, createdAt }) => ({
      clientId,
      client: await viewOf(visit, clientId),
      scopes: scopes.filter((scope) => scope !== 'openid' && scope !== 'offline_access').map(scopeText),
      since: createdAt,
    })),
  )
}

async function namesOf(visit: Visit, clientIds: readonly string[]): Promise<string[]> {
  const others = clientIds.filter((id) => id !== accountClientId)
  return (await Promise.all(others.map((id) => viewOf(visit, id)))).map(({ name }) => name)
}

async function viewOf({ provider }: Visit, clientId: string): Promise<ClientView> {
  const client = await provider.Client.find(clientId)
  return client ? toClientView(client) : { name: clientId }
}
