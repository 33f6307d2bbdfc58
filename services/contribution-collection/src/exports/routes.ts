import { Readable } from 'node:stream'
import { type Blobs, Failure, type FileSource, type Platform, type Range } from '@icosa/kernel'
import type { FastifyInstance } from 'fastify'
import { linksOf } from '../media/links.ts'
import { answer } from '../media/routes.ts'
import { serviceName } from '../names.ts'
import { exportPath } from './handlers.ts'
import * as store from './store.ts'

/** Concatenates parts, with random access. */
export function joined(blobs: Blobs, parts: readonly store.Part[]): Pick<FileSource, 'size' | 'open'> {
  const all = parts.map(({ blob, size }) => ({ blob, size: Number(size) }))
  async function* pieces({ start, end }: Range) {
    let offset = 0
    for (const { blob, size } of all) {
      const [from, to] = [Math.max(start - offset, 0), Math.min(end - offset, size - 1)]
      if (size > 0 && from <= to) yield* (await blobs.get(blob, { start: from, end: to })).body
      offset += size
    }
  }
  return {
    size: all.reduce((sum, { size }) => sum + size, 0),
    open: (range) => Readable.from(pieces(range), { objectMode: false }),
  }
}

/** Downloads by signed URLs, which are valid for an hour. */
export function exportRoutes(app: FastifyInstance, { database, clock, cellVault, blobsOf }: Platform): void {
  app.route<{ Params: { tenant: string; id: string } }>({
    method: ['GET', 'HEAD'],
    url: `/${serviceName}/exports/:tenant/:id/export.zip`,
    handler: async (request, reply) => {
      const { tenant, id } = request.params
      const links = linksOf(await cellVault.find(tenant))
      if (!links.verify(exportPath(tenant, id), request.query as Record<string, unknown>, clock.now()))
        throw new Failure('forbidden', 'The URL is invalid or has expired: request the export again.')
      const db = database.of(tenant)
      const row = await store.find(db, tenant, id)
      if (row?.status !== 'done') throw new Failure('notFound', 'The export no longer exists.')
      const source: FileSource = {
        ...joined(blobsOf(serviceName, tenant), await store.parts(db, tenant, id)),
        mediaType: 'application/zip',
        fileName: `contributions-${id}.zip`,
        etag: `${id}-${row.finishedAt?.getTime()}`,
      }
      await answer(request, reply, source, 'private, no-store')
      return reply
    },
  })
}
