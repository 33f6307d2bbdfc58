import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Outgoing } from '../../dialect.ts'
import { type Content, Media } from '../../implement.ts'
import { limits } from '../limits.ts'
import { answerFile, type FileRequest, type FileSource, sandboxOf } from './file.ts'

export const isStreamed = ({ body }: Outgoing) =>
  body instanceof Media && typeof body.content === 'object' && !(body.content instanceof Uint8Array)

/** A streamed reply, ready to be sent. */
export interface OpenedStream {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly content: Readable | undefined
}

/** `reserve` may refuse; the content is then discarded. */
export async function openStreamed(
  request: FileRequest,
  { status, headers, body }: Outgoing,
  reserve: () => void,
): Promise<OpenedStream> {
  const { content, mediaType } = body as Media
  try {
    reserve()
  } catch (error) {
    discard(content)
    throw error
  }
  if (!(content instanceof Readable)) return openFile(request, content as FileSource, headers)
  const all = { ...sandboxOf(mediaType), ...headers, 'content-type': mediaType }
  if (request.method !== 'HEAD') return { status, headers: all, content }
  content.destroy() // a live stream would never end
  return { status, headers: all, content: undefined }
}

export async function openFile(
  request: FileRequest,
  source: FileSource,
  more?: Outgoing['headers'],
): Promise<OpenedStream> {
  const { status, headers, range } = await Promise.try(answerFile, request, source).catch(async (refusal) => {
    await source.close?.()
    throw refusal
  })
  if (range === undefined) await source.close?.()
  return { status, headers: { ...headers, ...more }, content: range && (await source.open(range)) }
}

function discard(content: Content): void {
  if (content instanceof Readable) content.destroy()
  else (content as FileSource).close?.()
}

/**
 * Applies backpressure: the reader sets the pace, and one that disconnects or stalls ends it. If the content breaks
 * off, so does the connection, lest a part be taken for the whole.
 */
export async function sendStreamed(response: ServerResponse, opened: OpenedStream): Promise<void> {
  const { status, headers, content } = opened
  if (response.destroyed) return void content?.destroy()
  try {
    response.writeHead(status, headers)
  } catch (error) {
    content?.destroy()
    response.destroy() // hijacked, so nothing else would close it
    throw error
  }
  if (!content) return void response.end()
  response.setTimeout(limits.stalledMs)
  await pipeline(content, response)
}
