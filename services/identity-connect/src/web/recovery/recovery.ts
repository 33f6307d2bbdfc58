import type { RouteHost } from '@icosa/kernel'
import type { FastifyInstance } from 'fastify'
import { readLink } from '../../links/links.ts'
import { serviceName } from '../../names.ts'
import { messagePage } from '../../pages/message.ts'
import { forgotPage } from '../../pages/recovery/forgot.ts'
import { resetPage } from '../../pages/recovery/reset.ts'
import { resetPassword, startReset } from '../../passwords/reset.ts'
import type { ServiceRuntime } from '../../runtime.ts'
import { endAccess } from '../../sessions/sessions.ts'
import { attempt, redirectTo, show } from '../replies.ts'
import type { Parts } from '../routes.ts'
import { rememberThisDevice } from '../visit/devices.ts'
import { type Visit, visitOf } from '../visit/visit.ts'

/** Pages for password resets and invitations. */
export function recoveryRoutes(app: FastifyInstance, parts: Parts, host: RouteHost<ServiceRuntime>): void {
  const root = `/${serviceName}`

  app.get(`${root}/forgot`, async (request, reply) => {
    const { frame } = await visitOf(parts, host, request, reply)
    return show(reply, forgotPage(frame()))
  })

  app.post(`${root}/forgot`, async (request, reply) => {
    const { frame, people, form } = await visitOf(parts, host, request, reply)
    const email = form.get('email') ?? ''
    return attempt(
      async () => {
        await startReset(people, email)
        const text = `If ${email} has an account here, an e-mail with a link is on its way. The link works for 30 minutes.`
        return show(reply, messagePage({ ...frame(), title: 'Check your e-mail', text }))
      },
      async (problem) => show(reply, forgotPage({ ...frame({ problem }), email }), {}, 400),
    )
  })

  app.get<{ Querystring: { token?: string } }>(`${root}/reset`, async (request, reply) => {
    const visit = await visitOf(parts, host, request, reply)
    const { token = '' } = request.query
    if (!(await readLink(visit.people, 'reset', token))) return linkEnded(visit, 'forgot', 'Send me a new one')
    return show(reply, resetPage({ ...visit.frame(), token }))

    function linkEnded({ frame, base }: Visit, page: string, label: string) {
      const view = {
        ...frame(),
        title: 'This link does not work',
        text: 'This link has already been used or has expired.',
        link: { href: `${base}/${page}`, label },
      }
      return show(reply, messagePage(view), {}, 400)
    }
  })

  app.post(`${root}/reset`, async (request, reply) => {
    const visit = await visitOf(parts, host, request, reply)
    const { frame, people, form, base, provider } = visit
    const token = form.get('token') ?? ''
    return attempt(
      async () => {
        const { person, replaced } = await resetPassword(people, token, form.get('password') ?? '')
        // Ends sessions opened with the old password.
        await endAccess(provider, people, replaced ?? person.id)
        await rememberThisDevice(visit, reply, person.id)
        const link = { href: `${base}/account`, label: 'Sign in' }
        const text = 'Your password has been changed, and you are signed out everywhere.'
        return show(reply, messagePage({ ...frame(), title: 'Done', text, link }))
      },
      async (problem) => show(reply, resetPage({ ...frame({ problem }), token }), {}, 400),
    )
  })

  // An invitation is accepted during sign-in to the account page.
  app.get<{ Querystring: { token?: string } }>(`${root}/invitation`, async (request, reply) => {
    const { base } = await visitOf(parts, host, request, reply)
    return redirectTo(reply, `${base}/account?invitation=${encodeURIComponent(request.query.token ?? '')}`)
  })
}
