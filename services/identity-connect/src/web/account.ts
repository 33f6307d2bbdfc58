import { Failure, type Host } from '@icosa/kernel'
import { revoke } from '@icosa/tokens'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forget } from '../consents/consents.ts'
import type { AccountView } from '../pages/views.ts'
import { deletePasskey, register, registrationOptions } from '../passkeys/passkeys.ts'
import { changePassword, checkPassword } from '../passwords/passwords.ts'
import { deletePerson, updateProfile } from '../people/people.ts'
import { startVerification } from '../people/verification.ts'
import * as artifacts from '../provider/store.ts'
import { endAccess, endSessions } from '../sessions/sessions.ts'
import { type Signed, showAccount, signedIn } from './account-page.ts'
import { attempt, leadTo } from './answers.ts'
import { relyingParty } from './relying-party.ts'
import type { Parts } from './routes.ts'
import { visitOf } from './visit.ts'

const profileFields = ['name', 'given_name', 'family_name', 'phone_number', 'locale', 'zoneinfo'] as const
const addressFields = ['street_address', 'locality', 'region', 'postal_code', 'country'] as const

type Params = Readonly<Record<string, string>>
/** Does what a form asks for and answers the notice that says so. */
type Change = (signed: Signed, params: Params) => Promise<string>

const changes: Readonly<Record<string, Change>> = {
  async profile({ visit: { people, form }, person }) {
    const text = (field: string) => form.get(field) ?? undefined
    await updateProfile(people.database, people.clock, person.id, {
      ...Object.fromEntries(profileFields.map((field) => [field, text(field)])),
      address: Object.fromEntries(addressFields.map((field) => [field, text(field)])),
    })
    return 'Your profile is saved.'
  },

  async password(signed) {
    const { visit, person, session } = signed
    if (person.hasPassword) await provePassword(signed, 'current')
    await changePassword(visit.people, person, visit.form.get('password') ?? '')
    await endSessions(visit.provider, visit.people, person.id, { allBut: session.uid })
    return 'Your password is changed. Everywhere else you are signed out.'
  },

  async verify({ visit, person }) {
    await startVerification(visit.people, person)
    return `A mail is on its way to ${person.email}.`
  },

  async passkeys({ visit, person }) {
    const { form, people } = visit
    const name = form.get('name') || 'Passkey'
    await register(people, relyingParty(visit), person, { attestation: form.get('attestation') ?? '', name })
    return `The passkey ${name} is added.`
  },

  async 'passkeys/:id/delete'({ visit, person }, { id = '' }) {
    await deletePasskey(visit.people, person.id, id)
    return 'The passkey is deleted.'
  },

  async 'sessions/:id/end'({ visit, person }, { id: uid = '' }) {
    await endSessions(visit.provider, visit.people, person.id, { uid })
    return 'That session is ended.'
  },

  async 'grants/:id/revoke'({ visit, person }, { id: clientId = '' }) {
    await visit.people.transaction(async (db) => {
      await forget(db, person.id, clientId)
      for (const grant of await artifacts.removeGrantsOf(db, person.id, clientId)) await revoke(db, grant)
    })
    return 'It has no access any more.'
  },
}

export function accountRoutes(app: FastifyInstance, parts: Parts, host: Host): void {
  const root = '/identity-connect/account'
  const visit = (request: FastifyRequest, reply: FastifyReply) => visitOf(parts, host, request, reply)

  app.get<{ Querystring: { notice?: string; invitation?: string } }>(root, async (request, reply) => {
    const { invitation } = request.query
    const signed = await signedIn(await visit(request, reply), reply, invitation)
    return signed ? showAccount(signed, reply) : reply
  })

  app.get(`${root}/signed-in`, async (request, reply) => {
    const { base } = await visit(request, reply)
    return leadTo(reply, `${base}/account`)
  })

  app.get(`${root}/passkey-options`, async (request, reply) => {
    const signed = await signedIn(await visit(request, reply), reply)
    if (!signed) return reply
    const { people } = signed.visit
    const options = await registrationOptions(people, relyingParty(signed.visit), signed.person)
    return reply.header('cache-control', 'no-store').send(options)
  })

  for (const [path, change] of Object.entries(changes)) {
    app.post<{ Params: Params }>(`${root}/${path}`, async (request, reply) => {
      const signed = await signedIn(await visit(request, reply), reply)
      if (!signed) return reply
      return attempt(
        async () => {
          const notice = await change(signed, request.params)
          return showAccount(await signed.again(), reply, { notice })
        },
        async (problem) => showAccount(signed, reply, { problem, problemAt: formOf[path] }),
      )
    })
  }

  app.post(`${root}/sign-out`, async (request, reply) => {
    const { base } = await visit(request, reply)
    return leadTo(reply, `${base}/session/end`)
  })

  app.post(`${root}/delete`, async (request, reply) => {
    const signed = await signedIn(await visit(request, reply), reply)
    if (!signed) return reply
    const { visit: at, person } = signed
    return attempt(
      async () => {
        if (person.hasPassword) await provePassword(signed, 'password')
        await endAccess(at.provider, at.people, person.id)
        await deletePerson(at.people.database, person.id)
        return leadTo(reply, `${at.base}/session/end/success`)
      },
      async (problem) => showAccount(signed, reply, { problem, problemAt: 'delete' }),
    )
  })
}

/** Which form on the page a problem belongs to. */
const formOf: Readonly<Record<string, AccountView['problemAt']>> = {
  profile: 'profile',
  password: 'password',
  passkeys: 'passkeys',
}

/** A browser left open must not be enough to take an account over. */
async function provePassword({ visit, person }: Signed, field: string): Promise<void> {
  const { people, form, address } = visit
  const guess = { email: person.email, password: form.get(field) ?? '', address }
  const { outcome } = await checkPassword(people, guess)
  if (outcome === 'locked') throw new Failure('rateLimited', 'Too many tries: wait a while.')
  if (outcome !== 'ok') throw new Failure('invalid', 'That is not your password.')
}
