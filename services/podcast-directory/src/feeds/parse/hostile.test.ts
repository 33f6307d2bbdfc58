import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { sql } from '@icosa/kernel'
import type { TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callersOf, start } from '../../testing/app.ts'
import { item, type Page, rss, type Site, send, startSite } from '../../testing/site.ts'

let app: TestApp
let callers: Awaited<ReturnType<typeof callersOf>>

beforeAll(async () => {
  app = await start()
  callers = await callersOf(app)
})
afterAll(() => app[Symbol.asyncDispose]())

/** Submits and crawls a feed, and returns its row. */
async function outcomeOf(url: string, node = app, { feeds } = callers) {
  const { body } = await feeds.submitPodcast({ body: { rss: url } })
  await node.jobs.drain()
  const { id } = body.podcast
  const row = await node.platform.database.one<{
    status: string
    reason: string
    title: string
    description: string
  }>(sql`
    select status, reason, title, description from podcast_directory.podcasts where id = ${id}`)
  return { id, ...row }
}

async function outcomeOfPage(page: Page) {
  await using site = await startSite({ '/feed': page })
  return await outcomeOf(`${site.url}/feed`)
}

const mib = 1024 * 1024

function longFeed(episodes: number): Buffer {
  const items = Array.from({ length: episodes }, (_, n) =>
    item({
      title: `Number ${n}`,
      guid: `number-${n}`,
      audio: `https://audio.example/${n}.mp3`,
      pubDate: new Date(Date.UTC(2026, 0, 1) - n * 3_600_000).toUTCString(),
      // One letter outside Latin-1 makes the whole string use two bytes per character.
      more: `<description><![CDATA[<p>— ${'words of the episode '.repeat(26)}</p>]]></description>`,
    }),
  )
  return Buffer.from(rss(items.join('')))
}

/** CPU time of the event loop, which other processes cannot delay. */
function loopCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Measures memory growth, and the longest turn of the event loop, during some work. */
async function burdenOf<T>(work: () => Promise<T>) {
  const before = process.memoryUsage.rss()
  let peak = before
  let maxTurnMs = 0
  let turnBeganMs = loopCpuMs()
  const look = () => {
    const nowMs = loopCpuMs()
    maxTurnMs = Math.max(maxTurnMs, nowMs - turnBeganMs)
    turnBeganMs = nowMs
    peak = Math.max(peak, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 5)
  const startedAt = performance.now()
  const result = await work()
  const tookMs = performance.now() - startedAt
  look()
  clearInterval(timer)
  return { result, tookMs, grewMib: (peak - before) / mib, maxTurnMs }
}

test('a feed with 20,000 episodes is stored without blocking the event loop', async () => {
  await using site = await startSite({ '/feed': send(longFeed(20_000)) })
  const { result, tookMs, maxTurnMs } = await burdenOf(() => outcomeOf(`${site.url}/feed`))
  console.log(`20,000 episodes: ${Math.round(tookMs)} ms, longest turn of the event loop ${maxTurnMs.toFixed(0)} ms`)
  expect(result.status).toBe('listed')
  const { body } = await callers.podcasts.getPodcastById({ params: { id: result.id } })
  expect(body.total_episodes).toBe(20_000)
  expect(maxTurnMs).toBeLessThan(tookMs / 5)
})

test('a worker needs less than 256 MiB for it', async () => {
  const page = longFeed(20_000)
  await using site = await startSite({ '/feed': send(page) })
  const folder = await mkdtemp(join(tmpdir(), 'icosa-memory-'))
  const worker = fork(new URL('../../testing/worker.ts', import.meta.url), [app.databaseUrl, folder])
  try {
    await once(worker, 'message')
    const peakMib = async () => {
      worker.send('memory')
      return Number((await once(worker, 'message'))[0])
    }
    // Wait until the dictionary and threads are loaded.
    const growth = async () => {
      const previous = await peakMib()
      await sleep(500)
      return (await peakMib()) - previous
    }
    await expect.poll(growth, { timeout: 60_000, interval: 0 }).toBe(0)
    const before = await peakMib()
    const { body } = await callers.feeds.submitPodcast({ body: { rss: `${site.url}/feed` } })
    const status = sql`select status from podcast_directory.podcasts where id = ${body.podcast.id}`
    await expect.poll(() => app.platform.database.one(status), { timeout: 90_000 }).toEqual({ status: 'listed' })
    const grewMib = (await peakMib()) - before
    console.log(`20,000 episodes, ${(page.length / mib).toFixed(1)} MiB: ${Math.round(grewMib)} MiB of growth`)
    expect(grewMib).toBeLessThan(256)
  } finally {
    worker.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
})

test('an endless feed is refused as soon as it is too large', async () => {
  const chunk = Buffer.from(item({ guid: 'again' }).repeat(500))
  const endless: Page = (response) => {
    response.write(rss('').replace('</channel></rss>', ''))
    const fill = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', fill)
    fill()
  }
  const { result, grewMib } = await burdenOf(() => outcomeOfPage(endless))
  expect(result).toMatchObject({ status: 'rejected', reason: expect.stringContaining('exceeds the limit') })
  expect(grewMib).toBeLessThan(256)
})

test('a slow feed is aborted, retried and then refused', async () => {
  await using site = await startSite({
    '/feed': (response) => {
      const drip = setInterval(() => response.write('<'), 50)
      response.on('close', () => clearInterval(drip))
    },
  })
  await using impatient = await start({ timeoutMs: 1_000 })
  const outcome = async () => outcomeOf(`${site.url}/feed`, impatient, await callersOf(impatient))
  expect((await outcome()).status).toBe('in review')
  for (const _ of [2, 3]) {
    await impatient.clock.advance(24 * 3_600_000)
    await impatient.jobs.drain()
  }
  expect(await outcome()).toMatchObject({
    status: 'rejected',
    reason: expect.stringContaining('did not answer completely'),
  })
  expect(site.requests).toHaveLength(3)
})

test('entities are not expanded', async () => {
  const names = [...'abcdefghij']
  const entities = names.slice(1).map((name, index) => `<!ENTITY ${name} "${`&${names[index]};`.repeat(10)}">`)
  const prolog = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "boom">${entities.join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]>`
  const channel = '<title>Quiet &j;</title><description>&f;</description>'
  const { result, grewMib } = await burdenOf(() => outcomeOfPage(send(rss(item({ guid: '1' }), channel, prolog))))
  expect(result).toMatchObject({ status: 'listed', title: 'Quiet &j;', description: '&f;' })
  expect(grewMib).toBeLessThan(64)
})

test('a decompression bomb is refused', async () => {
  const page = gzipSync(Buffer.alloc(64 * mib, ' '))
  const outcome = await outcomeOfPage(send(page, { 'content-encoding': 'gzip' }))
  expect(outcome).toMatchObject({ status: 'rejected', reason: expect.stringContaining('exceeds the limit') })
})

test('a redirect to a private address is refused before a request is sent', async () => {
  for (const location of [
    'http://10.0.0.1/feed',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00::1]/feed',
  ]) {
    const outcome = await outcomeOfPage((response) => response.writeHead(302, { location }).end())
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.stringContaining('not on the public internet') })
  }
  const outcome = await outcomeOfPage((response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end())
  expect(outcome.status).toBe('rejected')
})

test('a redirect loop ends', async () => {
  await using site: Site = await startSite({
    '/a': (response) => response.writeHead(302, { location: '/b' }).end(),
    '/b': (response) => response.writeHead(302, { location: '/a' }).end(),
  })
  expect(await outcomeOf(`${site.url}/a`)).toMatchObject({
    status: 'rejected',
    reason: expect.stringContaining('redirects more than'),
  })
})

const title = 'Café — naïve «Ärger»'
const encoded: readonly (readonly [string, Buffer, string])[] = [
  ['UTF-8 with a mark', Buffer.from(`\ufeff${rss(item({ guid: '1', title }))}`), 'text/xml; charset=iso-8859-1'],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${rss(item({ guid: '1', title }))}`, 'utf16le'), 'text/xml'],
  [
    'UTF-8 declared as Latin-1',
    Buffer.from(rss(item({ guid: '1', title }), undefined, '<?xml version="1.0" encoding="utf-8"?>')),
    'text/xml; charset=iso-8859-1',
  ],
  [
    'an unknown encoding',
    Buffer.from(rss(item({ guid: '1', title }), undefined, '<?xml version="1.0" encoding="x-unheard-of"?>')),
    'text/xml',
  ],
]

test.each(encoded)('%s is decoded correctly', async (_, bytes, contentType) => {
  const { id, status } = await outcomeOfPage(send(bytes, { 'content-type': contentType }))
  expect(status).toBe('listed')
  const { body } = await callers.podcasts.getPodcastById({ params: { id } })
  expect(body.episodes[0]?.title).toBe(title)
})

test('Windows-1252 declared as UTF-8 is decoded correctly', async () => {
  const declaration = '<?xml version="1.0" encoding="utf-8"?>'
  const bytes = Buffer.from(rss(item({ guid: '1', title: 'Café naïve' }), undefined, declaration), 'latin1')
  const { id } = await outcomeOfPage(send(bytes, { 'content-type': 'text/xml; charset=utf-8' }))
  const { body } = await callers.podcasts.getPodcastById({ params: { id } })
  expect(body.episodes[0]?.title).toBe('Café naïve')
})

const broken: readonly (readonly [string, string, string])[] = [
  ['a page', '<html><body><p>Not a feed</p></body></html>', 'rejected'],
  ['nothing', '', 'rejected'],
  ['a feed without audio', rss('<item><title>A post</title></item>'), 'rejected'],
  ['a feed truncated in an episode', rss(item({ guid: '1' }) + item({ guid: '2' })).slice(0, -60), 'listed'],
  ['an episode with an unterminated tag', rss(item({ guid: '1' }) + item({ guid: '2', more: '<a <b <c' })), 'listed'],
  ['an unterminated CDATA section', rss(`${item({ guid: '1' })}<item><![CDATA[ ${item({ guid: '2' })}`), 'listed'],
  ['control characters and lone surrogates', rss(item({ guid: '1', title: 'a\u0000b\u0001&#0;&#xD800;c' })), 'listed'],
  ['elements nested a hundred thousand deep', rss(`${item({ guid: '1' })}${'<a>'.repeat(100_000)}`), 'rejected'],
  ['repeated unterminated root tags', '<rss '.repeat(200_000), 'rejected'],
  ['twenty thousand items without audio', rss('<item/>'.repeat(20_000)), 'rejected'],
]

test.each(broken)('%s is handled safely', async (_, text, status) => {
  expect((await outcomeOfPage(send(text))).status).toBe(status)
})

test('a feed that needs too much memory is refused, and the next one is read', async () => {
  const labyrinth = rss(`${item({ guid: '1' })}<item>${'<title a="'.repeat(600_000)}</item>`)
  const { result, grewMib, maxTurnMs } = await burdenOf(() => outcomeOfPage(send(labyrinth)))
  console.log(
    `a labyrinth: ${Math.round(grewMib)} MiB of growth, longest turn of the event loop ${maxTurnMs.toFixed(0)} ms`,
  )
  expect(result).toMatchObject({ status: 'rejected', reason: expect.stringContaining('too much time or memory') })
  expect(grewMib).toBeLessThan(256)
  expect((await outcomeOfPage(send(rss(item({ guid: '1' }))))).status).toBe('listed')
})
