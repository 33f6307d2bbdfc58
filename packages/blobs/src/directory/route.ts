import type { Readable } from 'node:stream'
import { asFailure, Failure, type Kind, openFile, type Range, sendStreamed } from '@icosa/kernel'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { DirectoryBlobs, OpenBlob } from './directory.ts'
import { blobPath } from './signed-url.ts'

const statusOf: Partial<Record<Kind, number>> = {
  invalid: 400,
  forbidden: 403,
  notFound: 404,
  preconditionFailed: 412,
  unavailable: 503,
}

/** Serves the signed URLs of a folder's blobs. Register it without any other authentication. */
export function blobRoute(blobs: DirectoryBlobs): FastifyPluginAsync {
  return async (app) => {
    // Keeps the body a stream: no parser reads it, and the limits of parsed bodies do not apply.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    app.setErrorHandler((error, _request, reply) => {
      const { kind, message, retryAfterSeconds } = asFailure(error)
      const status = statusOf[kind]
      if (status === undefined) throw error
      if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
      return reply.code(status).type('text/plain; charset=utf-8').send(message)
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
        throw new Failure('forbidden', `This signed URL accepts only content of the type '${contentType}'.`)
      }
      const { etag } = await blobs.put(key, request.body ?? new Uint8Array(), { contentType })
      return reply.header('etag', `"${etag}"`).send()
    })
  }
}

async function answer(blob: OpenBlob, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { size, etag, contentType: mediaType, modifiedAt } = blob.info
  const source = {
    size,
    etag,
    modifiedAt,
    mediaType,
    open: ({ start, end }: Range) => blob.read(start, end),
    close: blob.close,
  }
  const file = await openFile(request.raw, source, { 'cache-control': 'private' })
  reply.hijack()
  await sendStreamed(reply.raw, file).catch(() => {}) // the client has disconnected
}
