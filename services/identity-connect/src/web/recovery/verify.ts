import type { RouteHost } from '@icosa/kernel'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { expectLink, readLink } from '../../links/links.ts'
import { serviceName } from '../../names.ts'
import { messagePage } from '../../pages/message.ts'
import { verifyPage } from '../../pages/recovery/verify.ts'
import { claimAddress, verifyAddress } from '../../people/verification.ts'
import type { ServiceRuntime } from '../../runtime.ts'
import { endAccess } from '../../sessions/sessions.ts'
import { attempt, show } from '../replies.ts'
import type { Parts } from '../routes.ts'
import { rememberThisDevice } from '../visit/devices.ts'
import { sessionOf } from '../visit/session.ts'
import { type Visit, visitOf } from '../visit/visit.ts'

/** The page behind a verification link. */
export function verifyRoutes(app: FastifyInstance, parts: Parts, host: RouteHost<ServiceRuntime>): void {
  const path = `/${serviceName}/verify`

  app.get<{ Querystring: { token?: string } }>(path, async (request, reply) =>
    showLink(await visitOf(parts, host, request, reply), reply, request.query.token ?? ''),
  )

  app.post(path, async (request, reply) => {
    const visit = await visitOf(parts, host, request, reply)
    const token = visit.form.get('token') ?? ''
    return attempt(
      async () => {
        const text = await confirm(visit, reply, token)
        const link = { href: `${visit.base}/account`, label: 'Go to your account' }
        return show(reply, messagePage({ ...visit.frame(), title: 'Address confirmed', text, link }))
      },
      (problem) => showLink(visit, reply, token, problem),
    )
  })
}

async function showLink(visit: Visit, reply: FastifyReply, token: string, problem?: string): Promise<FastifyReply> {
  const { frame, people, base } = visit
  const link = await readLink(people, 'verify', token)
  if (link) {
    const isOwner = (await sessionOf(visit)).accountId === link.person
    const view = { ...frame({ problem }), token, email: link.email, isOwner }
    return show(reply, verifyPage(view), {}, problem === undefined ? 200 : 400)
  }
  const account = { href: `${base}/account`, label: 'Go to your account' }
  const text = 'This link has already been used or has expired.'
  return show(reply, messagePage({ ...frame(), title: 'This link does not work', text, link: account }), {}, 400)
}

/** The user signed in to the account keeps it; anyone else with the mail gets a new one in its place. */
async function confirm(visit: Visit, reply: FastifyReply, token: string): Promise<string> {
  const { people, provider, form } = visit
  const { email, person } = await expectLink(people, 'verify', token)
  const { accountId } = await sessionOf(visit)
  if (accountId !== undefined && accountId === person) {
    await verifyAddress(people, token, accountId)
    return `${email} has been confirmed.`
  }
  const { person: owner, replaced } = await claimAddress(people, token, form.get('password') ?? '')
  if (replaced !== undefined) await endAccess(provider, people, replaced)
  await rememberThisDevice(visit, reply, owner.id)
  return `${email} has been confirmed: sign in with your new password.`
}
