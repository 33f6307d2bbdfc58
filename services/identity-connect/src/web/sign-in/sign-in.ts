import type { RouteHost } from '@icosa/kernel'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { signInPage } from '../../pages/sign-in/sign-in.ts'
import { checkPassword } from '../../passwords/passwords.ts'
import type { ServiceRuntime } from '../../runtime.ts'
import { attempt, redirectTo, show } from '../replies.ts'
import type { Parts } from '../routes.ts'
import { rememberThisDevice } from '../visit/devices.ts'
import { passkeys, relyingParty } from '../visit/passkeys.ts'
import { visitOf } from '../visit/visit.ts'
import { consentStep } from './consent.ts'
import { type Interaction, interactionOf, stepPath } from './interaction.ts'
import { isFramed, modalStep } from './modal.ts'

interface Step {
  readonly Params: { readonly uid: string }
}

export function signInRoutes(app: FastifyInstance, parts: Parts, host: RouteHost<ServiceRuntime>): void {
  app.get<Step>(stepPath(''), async (request, reply) => {
    const visit = await visitOf(parts, host, request, reply)
    const framed = isFramed(request) ? await modalStep(visit, request.params.uid, reply) : undefined
    if (framed) return framed
    const interaction = await interactionOf(visit, request.params.uid)
    if (interaction.details.prompt.name === 'consent') return consentStep(interaction, reply)
    if (interaction.details.params.invitation) return redirectTo(reply, `${interaction.step().action}/sign-up`)
    return signIn(interaction, reply)
  })

  app.post<Step>(stepPath('/sign-in'), async (request, reply) => {
    const visit = await visitOf(parts, host, request, reply)
    const interaction = await interactionOf(visit, request.params.uid)
    const email = visit.form.get('email') ?? ''
    const password = visit.form.get('password') ?? ''
    const { people, address, devices } = visit
    const result = await checkPassword(people, { email, password, address, devices })
    switch (result.outcome) {
      case 'ok':
        await rememberThisDevice(visit, reply, result.person.id)
        return interaction.finish(reply, { login: { accountId: result.person.id, amr: ['pwd'] } })
      case 'locked':
        return tooMany(interaction, reply, email, result.until)
      case 'disabled':
        return signIn(interaction, reply, email, 'This account is disabled. Contact the operator of this service.')
      case 'wrong':
        return signIn(interaction, reply, email, 'Wrong e-mail address or password.')
    }
  })

  app.get<Step>(stepPath('/passkey-options'), async (request, reply) => {
    const visit = await visitOf(parts, host, request, reply)
    await interactionOf(visit, request.params.uid)
    const options = await (await passkeys()).authenticationOptions(visit.people, relyingParty(visit))
    return reply.header('cache-control', 'no-store').send(options)
  })

  app.post<Step>(stepPath('/passkey'), async (request, reply) => {
    const visit = await visitOf(parts, host, request, reply)
    const interaction = await interactionOf(visit, request.params.uid)
    return attempt(
      async () => {
        const { authenticate } = await passkeys()
        const person = await authenticate(visit.people, relyingParty(visit), {
          assertion: visit.form.get('assertion') ?? '',
        })
        await rememberThisDevice(visit, reply, person.id)
        return interaction.finish(reply, { login: { accountId: person.id, amr: ['hwk', 'user'] } })
      },
      (problem) => signIn(interaction, reply, undefined, problem),
    )
  })

  app.post<Step>(stepPath('/cancel'), async (request, reply) => {
    const interaction = await interactionOf(await visitOf(parts, host, request, reply), request.params.uid)
    const description = 'the user cancelled'
    return interaction.finish(reply, { error: 'access_denied', error_description: description })
  })
}

/** An attack may have locked the account, so the message names alternatives that are not locked. */
function tooMany(interaction: Interaction, reply: FastifyReply, email: string, until: Date): Promise<FastifyReply> {
  const seconds = Math.max(1, Math.ceil((until.getTime() - interaction.visit.people.clock.now().getTime()) / 1000))
  reply.header('retry-after', String(seconds))
  const problem = `Too many attempts. Try again in ${durationOf(seconds)}, use a passkey, or choose a new password by mail.`
  return signIn(interaction, reply, email, problem, 429)
}

function durationOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`
  if (minutes < 120) return minutes === 1 ? 'a minute' : `${minutes} minutes`
  return `${Math.ceil(minutes / 60)} hours`
}

async function signIn(
  { visit, details, step, rights }: Interaction,
  reply: FastifyReply,
  email?: string,
  problem?: string,
  status = problem === undefined ? 200 : 400,
): Promise<FastifyReply> {
  const hint = details.params.login_hint
  const view = {
    ...step({ problem }),
    email: email ?? (typeof hint === 'string' ? hint : undefined),
    signUpOffered: visit.parts.settings.signUp === 'open',
  }
  return show(reply, signInPage(view), rights, status)
}
