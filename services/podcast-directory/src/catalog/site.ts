import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isUnchanged } from '@icosa/kernel'
import sharp from 'sharp'
import { feedBytes, flawOf } from './rss.ts'
import { episodeOf, type Show } from './synthetic.ts'

/** Data of the catalog's pages: feeds, artwork, silent audio and transcripts. */
export interface Pages {
  feed(number: number): { readonly show: Show; readonly episodes: number } | undefined
}

type Page = (response: ServerResponse, request: IncomingMessage, site: string, parts: readonly string[]) => unknown

export function pagesOf({ feed }: Pages): readonly (readonly [RegExp, Page])[] {
  const sendFeed: Page = (response, request, site, [number = '']) => {
    const content = feed(Number(number))
    const flaw = flawOf(Number(number))
    const isMoved = request.url?.startsWith('/moved/')
    if (!content || flaw === 'missing') return response.writeHead(404).end('There is no such feed.')
    if (flaw === 'page')
      return response.setHeader('content-type', 'text/html').end('<html><p>This is a page.</p></html>')
    if (flaw === 'moved' && !isMoved) return response.writeHead(301, { location: `${site}/moved/${number}.xml` }).end()
    const { show, episodes } = content
    const etag = `"${createHash('sha256').update(`${show.podcast.id} ${episodes}`).digest('base64url').slice(0, 20)}"`
    response.setHeader('etag', etag)
    response.setHeader('last-modified', new Date(episodeOf(show, episodes - 1).pubDateMs).toUTCString())
    if (isUnchanged(request.headers, etag)) return response.writeHead(304).end()
    const charset = flaw === 'mislabelled' ? 'utf-8' : flaw === 'latin1' ? 'iso-8859-1' : 'utf-8'
    return response
      .setHeader('content-type', `application/rss+xml; charset=${charset}`)
      .end(feedBytes(show, episodes, site, flaw))
  }
  return [
    [/^\/(?:feeds|moved)\/(\d+)\.xml$/, sendFeed],
    [
      /^\/artwork\/(\d+)\.png$/,
      async (response, _, __, [number]) =>
        response.setHeader('content-type', 'image/png').end(await picture(Number(number))),
    ],
    [/^\/shows\/\d+\/audio\/\d+\.wav$/, (response) => response.setHeader('content-type', 'audio/wav').end(silence)],
    [
      /^\/shows\/(\d+)\/transcripts\/(\d+)\.vtt$/,
      (response, _, __, [number, nth]) => sendTranscript(response, feed(Number(number))?.show, Number(nth)),
    ],
  ]
}

function sendTranscript(response: ServerResponse, show: Show | undefined, nth: number): unknown {
  if (!show) return response.writeHead(404).end()
  const words = episodeOf(show, nth).description.replace(/<[^>]*>/g, ' ')
  return response
    .setHeader('content-type', 'text/vtt')
    .end(`WEBVTT\n\n00:00:07.000 --> 00:00:20.000\nWelcome to a synthetic episode. ${words}\n`)
}

const colours = ['#7a3e48', '#3d405b', '#81b29a', '#f2cc8f', '#5b8e7d', '#bc4b51', '#31572c', '#4f5d75']
const pictures = new Map<number, Promise<Buffer>>()

/** A square of one colour. */
function picture(number: number): Promise<Buffer> {
  const index = number % colours.length
  const background = colours[index] as string
  const image =
    pictures.get(index) ??
    sharp({ create: { width: 600, height: 600, channels: 3, background } })
      .png()
      .toBuffer()
  pictures.set(index, image)
  return image
}

/** One second, 8,000 samples of eight bits. */
const silence = Buffer.concat([
  Buffer.from('RIFF'),
  uint32(36 + 8_000),
  Buffer.from('WAVEfmt '),
  uint32(16),
  Buffer.from([1, 0, 1, 0]),
  uint32(8_000),
  uint32(8_000),
  Buffer.from([1, 0, 8, 0]),
  Buffer.from('data'),
  uint32(8_000),
  Buffer.alloc(8_000, 128),
])

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
