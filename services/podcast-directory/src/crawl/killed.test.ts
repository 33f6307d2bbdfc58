import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { flawOf, isHopeless } from '../catalog/rss.ts'
import { startCatalog } from '../catalog/server.ts'
import { importOpml } from '../feeds/opml.ts'
import { start } from '../testing/app.ts'

const feeds = sized(300, 1_000)
const hosts = 100

async function startWorker(databaseUrl: string, folder: string): Promise<ChildProcess> {
  const worker = fork(new URL('../testing/worker.ts', import.meta.url), [databaseUrl, folder])
  await once(worker, 'message')
  return worker
}

test(`${feeds} feeds are stored once although one of two workers is killed, with one request per host at a time`, {
  timeout: 240_000,
}, async () => {
  await using app = await start()
  const addresses = Array.from({ length: hosts }, (_, n) => `127.0.1.${n + 1}`)
  await using catalog = await startCatalog({ feeds, addresses, delayMs: 5 })
  const folder = await mkdtemp(join(tmpdir(), 'icosa-crawl-'))
  const { database, clock } = app.platform
  const workers: ChildProcess[] = []
  try {
    const imported = await importOpml(database, 'acme', catalog.opml, clock.now())
    expect(imported).toEqual({ added: feeds, found: 0, refused: 0 })
    expect(await importOpml(database, 'acme', catalog.opml, clock.now())).toMatchObject({ added: 0, found: feeds })
    workers.push(await startWorker(app.databaseUrl, folder), await startWorker(app.databaseUrl, folder))
    const startedAt = performance.now()

    const processed = async () => {
      const { count } = await database.one<{ count: number }>(sql`
        select count(*)::int as count from podcast_directory.podcasts where status <> 'in review'`)
      return count
    }
    await expect.poll(processed, { timeout: 120_000, interval: 50 }).toBeGreaterThan(feeds / 2)
    workers[0]?.kill('SIGKILL')
    await expect.poll(processed, { timeout: 120_000, interval: 200 }).toBe(feeds)
    const due = async () =>
      (
        await database.one<{ count: number }>(sql`
      select count(*)::int as count from podcast_directory.crawls where due_at <= ${clock.now()}`)
      ).count
    await expect.poll(due, { timeout: 120_000, interval: 200 }).toBe(0)

    const { requests, maxConcurrent } = catalog.traffic()
    console.log(
      `${feeds} feeds on ${hosts} hosts in ${Math.round((performance.now() - startedAt) / 1000)} s, ${requests} requests, maximum concurrency per host: ${maxConcurrent}`,
    )
    expect(maxConcurrent).toBe(1)
    const numbers = Array.from({ length: feeds }, (_, number) => number)
    const hopeless = numbers.filter((number) => isHopeless(flawOf(number)))
    expect(
      await database.many(sql`
        select status, count(*)::int as podcasts, count(distinct rss)::int as feeds from podcast_directory.podcasts
        group by status order by status`),
    ).toEqual([
      { status: 'listed', podcasts: feeds - hopeless.length, feeds: feeds - hopeless.length },
      { status: 'rejected', podcasts: hopeless.length, feeds: hopeless.length },
    ])
    const rows = await database.many<{
      rss: string
      reported: number
      stored: number
      names: number
      times: number
    }>(sql`
      select p.rss, p.total_episodes as reported, count(*)::int as stored, count(distinct e.guid)::int as names,
        count(distinct e.pub_date_ms)::int as times
      from podcast_directory.podcasts p
      join podcast_directory.episodes e on e.tenant = p.tenant and e.podcast_id = p.id
      group by p.tenant, p.id`)
    for (const { rss, reported, stored, names, times } of rows) {
      const number = Number(/(\d+)\.xml$/.exec(rss)?.[1])
      const isCut = ['truncated', 'brokenItem'].includes(flawOf(number))
      expect([stored, names, times], rss).toEqual([reported, reported, reported])
      if (!isCut) expect(reported).toBe(catalog.episodes(number))
    }
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
})
