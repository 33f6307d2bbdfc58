import { Failure, type RouteHost } from '@icosa/kernel'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { readLink } from '../../links/links.ts'
import { signUpPage } from '../../pages/sign-in/sign-up.ts'
import { acceptInvitation } from '../../people/invitations.ts'
import { createPerson } from '../../people/people.ts'
import { startVerification } from '../../people/verification.ts'
import type { ServiceRuntime } from '../../runtime.ts'
import { endAccess } from '../../sessions/sessions.ts'
import { attempt, show } from '../replies.ts'
import type { Parts } from '../routes.ts'
import { rememberThisDevice } from '../visit/devices.ts'
import { visitOf } from '../visit/visit.ts'
import { type Interaction, interactionOf, stepPath } from './interaction.ts'

interface Step {
  readonly Params: { readonly uid: string }
}

export function signUpRoutes(app: FastifyInstance, parts: Parts, host: RouteHost<ServiceRuntime>): void {
  app.get<Step>(stepPath('/sign-up'), async (request, reply) => {
    const interaction = await interactionOf(await visitOf(parts, host, request, reply), request.params.uid)
    return signUp(interaction, reply)
  })

  app.post<Step>(stepPath('/sign-up'), async (request, reply) => {
    const visit = await visitOf(parts, host, request, reply)
    const interaction = await interactionOf(visit, request.params.uid)
    return attempt(
      async () => {
        const person = await newPerson(interaction)
        await rememberThisDevice(visit, reply, person.id)
        return interaction.finish(reply, { login: { accountId: person.id, amr: ['pwd'] } })
      },
      (problem) => signUp(interaction, reply, problem),
    )
  })
}

const invitationOf = ({ details }: Interaction) => {
  const { invitation } = details.params
  return typeof invitation === 'string' ? invitation : undefined
}

async function newPerson(interaction: Interaction) {
  const { people, form, parts, provider } = interaction.visit
  const name = form.get('name') || undefined
  const password = form.get('password') ?? ''
  const token = invitationOf(interaction)
  if (token !== undefined) {
    const accepted = await acceptInvitation(people, token, { name, password: password || undefined })
    if (accepted.replaced) await endAccess(provider, people, accepted.replaced)
    return accepted.person
  }
  if (parts.settings.signUp !== 'open')
    throw new Failure('forbidden', 'Sign-up is by invitation only. Ask the operator of this service for one.')
  const email = form.get('email') ?? ''
  const person = await createPerson(people.database, people.clock, { email, name, password, emailVerified: false })
  await startVerification(people, person)
  return person
}

async function signUp(interaction: Interaction, reply: FastifyReply, problem?: string): Promise<FastifyReply> {
  const { people, form } = interaction.visit
  const token = invitationOf(interaction)
  const link = token === undefined ? undefined : await readLink(people, 'invitation', token)
  if (token !== undefined && !link)
    throw new Failure('invalid', 'This invitation has already been used or has expired: ask for a new one.')
  const view = {
    ...interaction.step({ problem }),
    name: form.get('name') ?? undefined,
    email: link?.email ?? form.get('email') ?? undefined,
    emailFixed: link !== undefined,
    hasAccount: link?.hasAccount,
  }
  return show(reply, signUpPage(view), interaction.rights, problem === undefined ? 200 : 400)
}
