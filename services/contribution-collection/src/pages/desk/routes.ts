import { Failure, tagPrefixOf } from '@icosa/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contributions } from '../../contributions/handlers.ts'
import { type Action, actions, isState, type State } from '../../contributions/states.ts'
import type { Contributor } from '../../dialect/caller.ts'
import { linksOf } from '../../media/links.ts'
import { type Host, handlerOf, writing } from '../calls.ts'
import { send } from '../layout.ts'
import { queueOf, type Selection, waitingIn } from './queue.ts'
import { deskPath, sessionsOf } from './session.ts'
import { deskPage, signInPage } from './views.ts'

const moderate = handlerOf(contributions, 'moderateContribution')
const stateOf = (text: unknown): State => (typeof text === 'string' && isState(text) ? text : 'pending')
const idOf = (text: unknown) => (typeof text === 'string' && /^[1-9]\d{0,17}$/.test(text) ? text : undefined)
const isAction = (text: string): text is Action => Object.hasOwn(actions, text)

/** Refuses cross-site forms (CSRF). Browsers that send no `Sec-Fetch-Site`, as over plain HTTP, send the origin. */
function demandOwnForm({ headers, host }: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = headers
  const isOwn =
    site === undefined
      ? origin === undefined || URL.parse(origin)?.host === host
      : site === 'same-origin' || site === 'none'
  if (!isOwn) throw new Failure('forbidden', 'This form comes from another site.')
}

/** Moderation desk. */
export function deskRoutes(app: FastifyInstance, host: Host): void {
  const sessions = sessionsOf(host)
  const formOf = (request: FastifyRequest) => new URLSearchParams(String(request.body ?? ''))

  interface DeskState extends Selection {
    readonly done?: { readonly id: string; readonly action: Action } | undefined
    readonly problem?: string
  }
  async function show(
    reply: FastifyReply,
    viewer: Contributor,
    { state, after, contribution, ...more }: DeskState,
    status = 200,
  ) {
    const links = linksOf(await host.platform.cellVault.of(viewer.tenant))
    const queue = await queueOf(host, viewer, { state, after, contribution }, links)
    return send(reply, deskPage({ base: deskPath, state, user: viewer.user, ...queue, ...more }), status)
  }

  app.get<{ Querystring: Record<string, unknown> }>(deskPath, async (request, reply) => {
    const viewer = await sessions.moderatorOf(request)
    const contribution = idOf(request.query.contribution)
    if (!viewer) return send(reply, signInPage(tagPrefixOf(request.originalUrl) + deskPath, undefined, contribution))
    const { state, after, done, id } = request.query
    const isDone = typeof done === 'string' && isAction(done) && /^\d{1,18}$/.test(String(id))
    return show(reply, viewer, {
      state: stateOf(state),
      after: typeof after === 'string' ? after : undefined,
      contribution,
      done: isDone ? { id: String(id), action: done } : undefined,
    })
  })

  app.post(`${deskPath}/sign-in`, async (request, reply) => {
    demandOwnForm(request)
    const form = formOf(request)
    const contribution = idOf(form.get('contribution'))
    try {
      await sessions.signIn(request, reply, form)
      return reply.redirect(contribution === undefined ? deskPath : `${deskPath}?contribution=${contribution}`, 303)
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'internal') throw error
      const base = tagPrefixOf(request.originalUrl) + deskPath
      return send(reply, signInPage(base, error.message, contribution), error.kind === 'rateLimited' ? 429 : 400)
    }
  })

  app.post(`${deskPath}/sign-out`, async (request, reply) => {
    demandOwnForm(request)
    sessions.signOut(reply)
    return reply.redirect(deskPath, 303)
  })

  app.post<{ Params: { id: string } }>(`${deskPath}/contributions/:id`, async (request, reply) => {
    demandOwnForm(request)
    const viewer = await sessions.moderatorOf(request)
    const isScript = request.headers.accept === 'application/json'
    if (!viewer)
      return isScript
        ? reply.code(401).send('Sign in again.')
        : send(reply, signInPage(deskPath, 'Sign in again.'), 401)
    const { id } = request.params
    const form = formOf(request)
    const action = form.get('action') ?? ''
    const notes = form.get('notes')?.trim().slice(0, 5_000)
    const state = stateOf(form.get('state'))
    try {
      if (!/^[1-9]\d{0,17}$/.test(id) || !isAction(action)) throw new Failure('invalid', 'Choose an action.')
      const body = { action: { id: action }, ...(notes && { notes }) }
      await writing(host, viewer, (context) => moderate({ params: { id }, body }, context))
      if (!isScript) return reply.redirect(`${deskPath}?state=${state}&done=${action}&id=${id}`, 303)
      const { label } = actions[action].resultingState
      return reply.send({ id, label: label.toLowerCase(), waiting: await waitingIn(host, viewer, state) })
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'internal') throw error
      if (isScript) return reply.code(400).type('text/plain').send(error.message)
      return show(reply, viewer, { state, problem: error.message }, 400)
    }
  })
}
