import type { RouteHost } from '@icosa/kernel'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { addConsent, consentFor } from '../../consents/consents.ts'
import { consentPage } from '../../pages/sign-in/consent.ts'
import { findById } from '../../people/people.ts'
import { type Allowed, allow } from '../../provider/grants.ts'
import type { ServiceRuntime } from '../../runtime.ts'
import { show } from '../replies.ts'
import type { Parts } from '../routes.ts'
import { visitOf } from '../visit/visit.ts'
import { type Interaction, interactionOf, stepPath } from './interaction.ts'
import { toScopeViews } from './scopes.ts'
import { SignInOver } from './sign-in-over.ts'

export function consentRoutes(app: FastifyInstance, parts: Parts, host: RouteHost<ServiceRuntime>): void {
  app.post<{ Params: { uid: string } }>(stepPath('/consent'), async (request, reply) => {
    const visit = await visitOf(parts, host, request, reply)
    const interaction = await interactionOf(visit, request.params.uid)
    const { client } = interaction
    const { people, provider } = visit
    const accountId = personOf(interaction)
    const allowed = requestOf(interaction)
    const grant = new provider.Grant({ clientId: client.clientId, accountId })
    allow(grant, allowed)
    await addConsent(people.database, people.clock, accountId, { clientId: client.clientId, ...allowed })
    return interaction.finish(reply, { consent: { grantId: await grant.save() } })
  })
}

const personOf = ({ details }: Interaction) => {
  const accountId = details.session?.accountId
  if (accountId === undefined) throw new SignInOver('not signed in')
  return accountId
}

/** The whole request, not only new scopes: users consent to what they see. */
function requestOf({ details }: Interaction): Allowed {
  const scopes = String(details.params.scope ?? '').split(' ')
  const missing = details.prompt.details.missingOIDCClaims
  return { scopes: [...new Set(scopes)], claims: Array.isArray(missing) ? missing.map(String) : [] }
}

export async function consentStep(interaction: Interaction, reply: FastifyReply): Promise<FastifyReply> {
  const { visit, client, step, rights } = interaction
  const { database } = visit.people
  const person = await findById(database, personOf(interaction))
  if (!person) throw new SignInOver('the account does not exist')
  const requested = requestOf(interaction)
  const { newScopes } = await consentFor(database, person.id, { clientId: client.clientId, ...requested })
  const view = {
    ...step(),
    person: { name: person.profile.name, email: person.email },
    scopes: toScopeViews(requested.scopes, newScopes, person),
  }
  return show(reply, consentPage(view), rights)
}
