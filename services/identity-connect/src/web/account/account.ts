import { Failure, type RouteHost } from '@icosa/kernel'
import { revoke } from '@icosa/tokens'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { removeConsent } from '../../consents/consents.ts'
import { serviceName } from '../../names.ts'
import type { AccountView } from '../../pages/views.ts'
import { changePassword, checkPassword } from '../../passwords/passwords.ts'
import { deletePerson, updateProfile } from '../../people/people.ts'
import { startVerification } from '../../people/verification.ts'
import * as artifacts from '../../provider/artifacts/store.ts'
import type { ServiceRuntime } from '../../runtime.ts'
import { endAccess, endSessions } from '../../sessions/sessions.ts'
import { attempt, redirectTo } from '../replies.ts'
import type { Parts } from '../routes.ts'
import { rememberThisDevice } from '../visit/devices.ts'
import { passkeys, relyingParty } from '../visit/passkeys.ts'
import { visitOf } from '../visit/visit.ts'
import { requireSignIn, type SignedIn, showAccount } from './account-page.ts'

const profileFields = ['name', 'given_name', 'family_name', 'phone_number', 'locale', 'zoneinfo'] as const
const addressFields = ['street_address', 'locality', 'region', 'postal_code', 'country'] as const

type Params = Readonly<Record<string, string>>
interface Change {
  readonly make: (signedIn: SignedIn, params: Params) => Promise<unknown>
  /** The notice on the page afterwards. */
  readonly done: string
}

/** By the path of the form. */
const changes: Readonly<Record<string, Change>> = {
  profile: {
    make: ({ visit: { people, form }, person }) => {
      const text = (field: string) => form.get(field) ?? undefined
      return updateProfile(people.database, people.clock, person.id, {
        ...Object.fromEntries(profileFields.map((field) => [field, text(field)])),
        address: Object.fromEntries(addressFields.map((field) => [field, text(field)])),
      })
    },
    done: 'Your profile is saved.',
  },
  password: {
    async make(signedIn) {
      const { visit, person, session } = signedIn
      const verify = () => verifyPassword(signedIn, 'current')
      await changePassword(visit.people, person, visit.form.get('password') ?? '', verify)
      await endSessions(visit.provider, visit.people, person.id, { allBut: session.uid })
    },
    done: 'Your password has been changed. You are signed out everywhere else.',
  },
  verify: {
    make: ({ visit, person }) => startVerification(visit.people, person),
    done: 'An e-mail with a link is on its way.',
  },
  passkeys: {
    async make({ visit, person }) {
      const { form, people } = visit
      const { register } = await passkeys()
      const credential = { attestation: form.get('attestation') ?? '', name: form.get('name') || 'Passkey' }
      return register(people, relyingParty(visit), person, credential)
    },
    done: 'The passkey is added.',
  },
  'passkeys/:id/delete': {
    make: async ({ visit, person }, { id = '' }) => (await passkeys()).deletePasskey(visit.people, person.id, id),
    done: 'The passkey is deleted.',
  },
  'sessions/:id/end': {
    make: ({ visit, person }, { id: uid = '' }) => endSessions(visit.provider, visit.people, person.id, { uid }),
    done: 'The session has ended.',
  },
  'grants/:id/revoke': {
    make: ({ visit, person }, { id: clientId = '' }) =>
      visit.people.transaction(async (db) => {
        await removeConsent(db, person.id, clientId)
        for (const grant of await artifacts.removeGrantsOf(db, person.id, clientId)) await revoke(db, grant)
      }),
    done: 'Access has been revoked.',
  },
}

export function accountRoutes(app: FastifyInstance, parts: Parts, host: RouteHost<ServiceRuntime>): void {
  const root = `/${serviceName}/account`
  const visit = (request: FastifyRequest, reply: FastifyReply) => visitOf(parts, host, request, reply)

  app.get<{ Querystring: { done?: string; invitation?: string } }>(root, async (request, reply) => {
    const { done = '', invitation } = request.query
    const signedIn = await requireSignIn(await visit(request, reply), reply, invitation)
    return signedIn ? showAccount(signedIn, reply, { notice: changes[done]?.done }) : reply
  })

  app.get(`${root}/signed-in`, async (request, reply) => {
    const { base } = await visit(request, reply)
    return redirectTo(reply, `${base}/account`)
  })

  app.get(`${root}/passkey-options`, async (request, reply) => {
    const signedIn = await requireSignIn(await visit(request, reply), reply)
    if (!signedIn) return reply
    const { people } = signedIn.visit
    const { registrationOptions } = await passkeys()
    const options = await registrationOptions(people, relyingParty(signedIn.visit), signedIn.person)
    return reply.header('cache-control', 'no-store').send(options)
  })

  for (const [path, { make }] of Object.entries(changes)) {
    app.post<{ Params: Params }>(`${root}/${path}`, async (request, reply) => {
      const signedIn = await requireSignIn(await visit(request, reply), reply)
      if (!signedIn) return reply
      return attempt(
        async () => {
          await make(signedIn, request.params)
          await rememberThisDevice(signedIn.visit, reply, signedIn.person.id) // a new password makes it unknown
          return redirectTo(reply, `${signedIn.visit.base}/account?done=${encodeURIComponent(path)}`)
        },
        async (problem) => showAccount(signedIn, reply, { problem, problemAt: formOf[path] }),
      )
    })
  }

  app.post(`${root}/sign-out`, async (request, reply) => {
    const { base } = await visit(request, reply)
    return redirectTo(reply, `${base}/session/end`)
  })

  app.post(`${root}/delete`, async (request, reply) => {
    const signedIn = await requireSignIn(await visit(request, reply), reply)
    if (!signedIn) return reply
    const { visit: current, person } = signedIn
    return attempt(
      async () => {
        if (person.hasPassword) await verifyPassword(signedIn, 'password')
        await endAccess(current.provider, current.people, person.id)
        await deletePerson(current.people.database, person.id)
        return redirectTo(reply, `${current.base}/session/end/success`)
      },
      async (problem) => showAccount(signedIn, reply, { problem, problemAt: 'delete' }),
    )
  })
}

/** The form to which a problem belongs. */
const formOf: Readonly<Record<string, AccountView['problemAt']>> = {
  profile: 'profile',
  password: 'password',
  passkeys: 'passkeys',
}

/** An unattended browser must not suffice to take over an account. */
async function verifyPassword({ visit, person }: SignedIn, field: string): Promise<void> {
  const { people, form, address, devices } = visit
  const guess = { email: person.email, password: form.get(field) ?? '', address, devices }
  const { outcome } = await checkPassword(people, guess)
  if (outcome === 'locked') throw new Failure('rateLimited', 'Too many attempts: try again later.')
  if (outcome !== 'ok') throw new Failure('invalid', 'That is not your password.')
}
