import { bearerCaller } from '@icosa/dialects/bearer'
import { statusOf } from '@icosa/dialects/status'
import { asFailure, blobFile, Failure, type FileSource, openFile, type Platform, sendStreamed } from '@icosa/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Contributor } from '../dialect/caller.ts'
import { serviceName } from '../names.ts'
import { original } from './formats.ts'
import { copyPath, linksOf } from './links.ts'
import * as store from './store.ts'

interface FileParams {
  readonly tenant: string
  readonly id: string
  readonly label: string
}

const notReadable = (): never => {
  throw new Failure('notFound', 'There is no such file, or you may not read it.')
}

/** Sends a file or a range of it. */
export async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  source: FileSource,
  cache: string,
): Promise<void> {
  const response = await openFile(request.raw, source, {
    'cache-control': cache,
    'cross-origin-resource-policy': 'cross-origin',
  })
  reply.hijack()
  await sendStreamed(reply.raw, response).catch(() => {}) // the client disconnected
}

/**
 * Files and renditions. Those of public contributions are public; others, and originals with their camera metadata, need the
 * token of the uploader or a moderator, or a signed URL.
 */
export function mediaRoutes(app: FastifyInstance, platform: Platform): void {
  const { database, clock, credentials, cellVault } = platform

  const isPrivileged = async (request: FastifyRequest, { tenant, id, label }: FileParams): Promise<boolean> => {
    const now = clock.now()
    const links = linksOf(await cellVault.find(tenant))
    if (links.verify(copyPath(tenant, id, label), request.query as Record<string, unknown>, now)) return true
    const base = await bearerCaller(request, credentials)
    if (base?.tenant !== tenant) return false
    const caller = new Contributor(base, request.ip)
    return caller.isTenant || store.isReadableBy(database.of(tenant), tenant, id, caller.user)
  }

  app.route<{ Params: FileParams }>({
    method: ['GET', 'HEAD'],
    url: `/${serviceName}/media/:tenant/:id/:label`,
    handler: async (request, reply) => {
      const { tenant, id, label } = request.params
      if (!/^[1-9]\d{0,17}$/.test(id)) notReadable()
      const db = database.of(tenant)
      const file = (await store.find(db, tenant, id)) ?? notReadable()
      const isPublic = label !== original && (await store.isPublic(db, tenant, id, clock.now()))
      if (!isPublic && !(await isPrivileged(request, request.params))) notReadable()
      const blob =
        label === original
          ? file.blob
          : (file.variants.find((variant) => variant.label === label)?.blob ?? notReadable())
      const source = await blobFile(platform.blobsOf(serviceName, tenant), blob)
      // Browsers revalidate each time, since a moderator may hide it.
      await answer(request, reply, source, isPublic ? 'public, no-cache' : 'private, no-store')
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
