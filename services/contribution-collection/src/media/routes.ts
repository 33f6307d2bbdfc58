import { bearerCaller } from '@icosa/dialects/bearer'
import { statusOf } from '@icosa/dialects/status'
import { asFailure, blobFile, Failure, type FileSource, openFile, type Platform, sendStreamed } from '@icosa/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Contributor } from '../dialect/caller.ts'
import { serviceName } from '../names.ts'
import { original } from './formats.ts'
import { copyPath, linksOf } from './links.ts'
import * as store from './store.ts'

interface Asked {
  readonly tenant: string
  readonly id: string
  readonly label: string
}

const nothing = (): never => {
  throw new Failure('notFound', 'There is no such file, or it is not for you.')
}

/** A file as browsers get it, whole or in part. */
export async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  source: FileSource,
  cache: string,
): Promise<void> {
  const opened = await openFile(request.raw, source, {
    'cache-control': cache,
    'cross-origin-resource-policy': 'cross-origin',
  })
  reply.hijack()
  await sendStreamed(reply.raw, opened).catch(() => {}) // whoever asked has gone
}

/**
 * The copies of files. Those of what is public are for everybody; the others, and originals with all that a camera wrote
 * into them, for who sent them and who moderates: with their token, or with an address that was signed for a page.
 */
export function mediaRoutes(app: FastifyInstance, platform: Platform): void {
  const { database, clock, credentials, vault } = platform
  const links = linksOf(vault)

  const isPrivileged = async (request: FastifyRequest, { tenant, id, label }: Asked): Promise<boolean> => {
    const now = clock.now()
    if (links.opens(copyPath(tenant, id, label), request.query as Record<string, unknown>, now)) return true
    const found = await bearerCaller(request, credentials)
    if (found?.tenant !== tenant) return false
    const caller = new Contributor(found, request.ip)
    return caller.isTenant || store.isTheirs(database.of(tenant), tenant, id, caller.user)
  }

  app.route<{ Params: Asked }>({
    method: ['GET', 'HEAD'],
    url: `/${serviceName}/media/:tenant/:id/:label`,
    handler: async (request, reply) => {
      const { tenant, id, label } = request.params
      if (!/^[1-9]\d{0,17}$/.test(id)) nothing()
      const db = database.of(tenant)
      const file = (await store.find(db, tenant, id)) ?? nothing()
      const isShown = label !== original && (await store.isPublic(db, tenant, id, clock.now()))
      if (!isShown && !(await isPrivileged(request, request.params))) nothing()
      const blob =
        label === original ? file.blob : (file.variants.find((one) => one.label === label)?.blob ?? nothing())
      const source = await blobFile(platform.blobsOf(serviceName, tenant), blob)
      // Whoever may see it now may not see it after the next decision of a moderator: browsers ask each time, and hear that it
      // has not changed.
      await answer(request, reply, source, isShown ? 'public, no-cache' : 'private, no-store')
      return reply
    },
  })

  app.setErrorHandler((error, _, reply) => {
    const { kind, message, retryAfterSeconds } = asFailure(error)
    if (kind === 'internal') throw error
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
    return reply.code(statusOf[kind]).type('text/plain; charset=utf-8').send(message)
  })
}
