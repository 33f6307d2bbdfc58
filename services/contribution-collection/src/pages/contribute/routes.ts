import { Failure, type ReadingDb } from '@icosa/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AssignmentRow, find } from '../../assignments/store.ts'
import { isOpen } from '../../assignments/view.ts'
import { contributions } from '../../contributions/handlers.ts'
import type { Contributor } from '../../dialect/caller.ts'
import { insertMedia, receiveMedia } from '../../media/handlers.ts'
import { copyPath } from '../../media/links.ts'
import * as media from '../../media/store.ts'
import { serviceName } from '../../names.ts'
import { ensureUser } from '../../users/store.ts'
import { type Host, handlerOf, preparationOf, writing } from '../calls.ts'
import { message, send } from '../layout.ts'
import { mapSvg, viewOf } from '../map/map.ts'
import { maxFileBytes, maxFiles, readForm } from './form.ts'
import { type Filled, filledBy, placeOf, pointed, submissionOf } from './submission.ts'
import { contributePage, receiptPage } from './views.ts'
import { formSeal } from './visitor.ts'

interface Params {
  readonly tenant: string
  readonly id: string
}
type PageRequest = FastifyRequest<{ Params: Params }>

const create = handlerOf(contributions, 'createContribution')

/** The public page of an assignment. */
export function contributeRoutes(app: FastifyInstance, host: Host): void {
  const { database, clock, cellVault } = host.platform
  const sealOf = async (tenant: string) => formSeal(await cellVault.find(tenant))
  // Bodies are not parsed, so that large files are streamed.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_, __, done) => done(null))
  const at = `/${serviceName}/pages/:tenant/:id`

  async function assignmentOf({ params: { tenant, id } }: PageRequest): Promise<AssignmentRow> {
    const assignment = /^[1-9]\d{0,17}$/.test(id) ? await find(database.of(tenant), tenant, id) : undefined
    if (!assignment) throw new Failure('notFound', 'There is no such assignment.')
    return assignment
  }
  const visitorOf = async ({ params: { tenant, id }, ip }: PageRequest, token: string) =>
    (await sealOf(tenant)).open(token, tenant, id, clock.now(), ip)
  const isAccepting = ({ startsAt, ...assignment }: AssignmentRow) =>
    isOpen(assignment, clock.now()) && (startsAt === null || startsAt <= clock.now())

  interface FormState {
    readonly filled: Filled
    readonly token: string
    readonly ids?: readonly string[]
    readonly owner?: string
    readonly problem?: string
    readonly status?: number
  }
  async function show(request: PageRequest, reply: FastifyReply, assignment: AssignmentRow, form: FormState) {
    const { tenant, id } = request.params
    const { ids = [], owner, token, filled, problem, status } = form
    const files = owner === undefined ? [] : await ownFiles(database.of(tenant), tenant, owner, ids)
    const path = `/${serviceName}/pages/${encodeURIComponent(tenant)}/${id}`
    const cover =
      assignment.cover === null ? undefined : `/${serviceName}${copyPath(tenant, assignment.cover, 'large')}`
    return send(reply, contributePage({ assignment, path, token, filled, files, cover, problem }), status)
  }

  /** Receives a visitor's file as the API does. */
  async function receive(visitor: Contributor, content: AsyncIterable<Uint8Array>): Promise<media.MediaFile> {
    const { tenant, user } = visitor
    if ((await media.countOf(database.of(tenant), tenant, user)) >= maxFiles)
      throw new Failure('invalid', `Send at most ${maxFiles} files.`)
    const received = await receiveMedia(content, preparationOf(host, visitor))
    return writing(host, visitor, async ({ db, jobs }) => {
      const now = clock.now()
      await ensureUser(db, tenant, user, now)
      return insertMedia({ db, jobs, tenant, at: now }, user, received)
    })
  }

  app.get<{ Params: Params }>(at, async (request, reply) => {
    const assignment = await assignmentOf(request)
    if (!isAccepting(assignment)) return send(reply, message(assignment.name, 'Submissions are currently closed.'), 410)
    const { tenant, id } = request.params
    const token = (await sealOf(tenant)).make(tenant, id, clock.now())
    return show(request, reply, assignment, { filled: filledBy(new Map()), token })
  })

  app.get<{ Params: Params; Querystring: Record<string, unknown> }>(`${at}/map.svg`, async (request, reply) => {
    const [latitude = '', longitude = ''] = String(request.query.mark ?? '').split(',')
    const svg = mapSvg(viewOf(request.query), markOf(latitude, longitude))
    return reply
      .type('image/svg+xml')
      .headers({
        'cache-control': 'public, max-age=86400',
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
      })
      .send(svg)
  })

  app.post<{ Params: Params }>(`${at}/files`, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await assignmentOf(request)
      const visitor = await visitorOf(request, String(request.headers['x-form'] ?? ''))
      const { id, type } = await receive(visitor, limited(request.raw))
      return reply.send({ id, type })
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'internal') throw error
      return reply
        .code(error.kind === 'forbidden' ? 403 : error.kind === 'notFound' ? 404 : 400)
        .send({ message: error.message })
    }
  })

  app.post<{ Params: Params }>(at, async (request, reply) => {
    const assignment = await assignmentOf(request)
    if (!isAccepting(assignment)) return send(reply, message(assignment.name, 'Submissions are currently closed.'), 410)
    const received: string[] = []
    let problem: string | undefined
    const fields = await readForm(request.raw, async (file, before) => {
      try {
        received.push((await receive(await visitorOf(request, before.get('form') ?? ''), file)).id)
      } catch (error) {
        if (!(error instanceof Failure) || error.kind !== 'invalid') throw error
        problem ??= error.message
        for await (const _ of file); // to reach the fields after it
      }
    })
    const token = fields.get('form') ?? ''
    const visitor = await visitorOf(request, token)
    const ids = [...(fields.get('media') ?? '').split(' ').filter((id) => /^[1-9]\d{0,17}$/.test(id)), ...received]
    const form = { token, ids, owner: visitor.user }
    const zoomed = pointed(fields)
    if (zoomed)
      return show(request, reply, assignment, {
        ...form,
        filled: zoomed,
        ...(problem !== undefined && { problem }),
      })
    const filled = filledBy(fields)
    try {
      if (problem !== undefined) throw new Failure('invalid', problem)
      const body = submissionOf(assignment.id, filled, ids)
      const { body: created } = await writing(host, visitor, (context) => create({ body }, context))
      return send(reply, receiptPage(assignment, (created as { id: string }).id))
    } catch (error) {
      if (!(error instanceof Failure) || (error.kind !== 'invalid' && error.kind !== 'forbidden')) throw error
      const text = error.message.replace(/^body\/\w+ /, '')
      return show(request, reply, assignment, { ...form, filled, problem: text, status: 400 })
    }
  })
}

async function ownFiles(db: ReadingDb, tenant: string, owner: string, ids: readonly string[]) {
  const files = await Promise.all(ids.slice(0, maxFiles).map((id) => media.find(db, tenant, id)))
  return files.filter((file) => file !== undefined && file.owner === owner) as media.MediaFile[]
}

function markOf(latitude: string, longitude: string) {
  try {
    return placeOf({ latitude, longitude })
  } catch {
    return undefined // the map is shown without it
  }
}

async function* limited(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of content) {
    size += piece.length
    if (size > maxFileBytes) throw new Failure('tooLarge', `A file may have at most ${maxFileBytes / 2 ** 30} GiB.`)
    yield piece
  }
}
