import type { Readable } from 'node:stream'
import { Failure, type Kind } from '@icosa/kernel'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { DirectoryBlobs, OpenBlob } from './directory.ts'
import { blobPath } from './signed-url.ts'

const statusOf: Partial<Record<Kind, number>> = { invalid: 400, forbidden: 403, notFound: 404 }

/** Serves the signed URLs of a directory's blobs. Register it where no other authentication stands before it. */
export function blobRoute(blobs: DirectoryBlobs): FastifyPluginAsync {
  return async (app) => {
    // The body stays a stream: no parser reads it, and none of the server's limits for parsed bodies counts.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    app.setErrorHandler((error, _request, reply) => {
      const status = error instanceof Failure ? statusOf[error.kind] : undefined
      if (!(error instanceof Failure) || status === undefined) throw error
      return reply.code(status).type('text/plain; charset=utf-8').send(error.message)
    })

    app.route({
      method: ['GET', 'HEAD'],
      url: `${blobPath}*`,
      handler: async (request, reply) => {
        const { key } = blobs.openSignedUrl({ method: request.method, url: request.raw.url ?? '' })
        return answer(await blobs.open(key), request, reply)
      },
    })

    app.put<{ Body: Readable | undefined }>(`${blobPath}*`, async (request, reply) => {
      const { key, contentType } = blobs.openSignedUrl({ method: 'PUT', url: request.raw.url ?? '' })
      if (request.headers['content-type'] !== contentType) {
        throw new Failure('forbidden', `This signed URL takes content of the type '${contentType}' only.`)
      }
      const { etag } = await blobs.put(key, request.body ?? new Uint8Array(), { contentType })
      return reply.header('etag', `"${etag}"`).send()
    })
  }
}

async function answer(blob: OpenBlob, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { size, etag, contentType, modifiedAt } = blob.info
  const range = request.method === 'GET' ? requestedRange(request.headers, blob.info) : undefined
  reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': 'private',
    // Whoever stored it chose the type: a page or an image with scripts must not run as one of ours.
    'content-security-policy': "sandbox; default-src 'none'",
    'content-type': contentType,
    etag: `"${etag}"`,
    'last-modified': modifiedAt.toUTCString(),
    'x-content-type-options': 'nosniff',
  })
  if (range === 'unsatisfiable') {
    await blob.close()
    return reply.code(416).header('content-range', `bytes */${size}`).send()
  }
  if (request.method === 'HEAD') {
    await blob.close()
    return reply.header('content-length', size).send()
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  return reply.header('content-length', end - start + 1).send(blob.read(start, end))
}

/** One range of bytes. Anything else a `Range` may hold is passed over, as HTTP allows: the answer is then the whole. */
function requestedRange(
  headers: FastifyRequest['headers'],
  { size, etag }: { size: number; etag: string },
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const ifRange = headers['if-range']
  if (ifRange !== undefined && ifRange !== `"${etag}"`) return undefined
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  if (first === '')
    return Number(last) > 0 && size > 0 ? { start: Math.max(0, size - Number(last)), end: size - 1 } : 'unsatisfiable'
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start < size ? { start, end } : 'unsatisfiable'
}
