import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ReadingDb, sql } from '@icosa/kernel'
import { latencyOf, type Neighbours } from '@icosa/testing'
import { importOpml } from '../feeds/opml.ts'
import { callersOf, start } from './app.ts'
import { item, rss, send, startSite } from './site.ts'

export interface CrawlNeighbours extends Neighbours {
  /** Requests of the flood while the first feed of the other tenant waited. */
  readonly overtaking: number
  readonly deadlocks: number
}

const hosts = 250

/** Measures how long a submitted feed takes to be listed, alone and while another tenant imports `flood` feeds from slow hosts. */
export async function crawlNeighbours(flood: number, probes: number, delayMs: number): Promise<CrawlNeighbours> {
  await using app = await start()
  const { database, clock } = app.platform
  const feed = send(rss(item({ guid: 'one' })))
  const paths = Array.from({ length: 10 + 2 * probes }, (_, n) => `/${n}.xml`)
  await using site = await startSite(Object.fromEntries(paths.map((path) => [path, feed])))
  const { feeds } = await callersOf(app, 'acme')
  const probe = async () => {
    const { body } = await feeds.submitPodcast({ body: { rss: `${site.url}${paths.pop()}` } })
    while ((await statusOf(database, body.podcast.id)) !== 'listed') await sleep(2)
  }

  const folder = await mkdtemp(join(tmpdir(), 'icosa-neighbours-'))
  const [catalog, opml] = await startProcess('./catalog-process.ts', [flood, hosts, delayMs])
  const [worker] = await startProcess('./worker.ts', [app.databaseUrl, folder, 32])
  try {
    await latencyOf(5, probe)
    const quiet = await latencyOf(probes, probe)
    await importOpml(database, 'evil', String(opml), clock.now())
    while ((await requestsTo(catalog)) < 20) await sleep(20) // the import has started
    const before = await requestsTo(catalog)
    await probe()
    const overtaking = (await requestsTo(catalog)) - before
    const flooded = await latencyOf(probes, probe)
    return { quiet, flooded, overtaking, deadlocks: await deadlocks(database) }
  } finally {
    for (const child of [worker, catalog]) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

/** A child process with its first message. */
async function startProcess(file: string, args: readonly (string | number)[]): Promise<[ChildProcess, unknown]> {
  const child = fork(new URL(file, import.meta.url), args.map(String))
  const [message] = await once(child, 'message')
  return [child, message]
}

async function requestsTo(catalog: ChildProcess): Promise<number> {
  const reply = once(catalog, 'message')
  catalog.send('requests')
  return (await reply)[0]
}

async function statusOf(db: ReadingDb, id: string): Promise<string> {
  const { status } = await db.one<{ status: string }>(
    sql`select status from podcast_directory.podcasts where id = ${id}`,
  )
  return status
}

async function deadlocks(db: ReadingDb): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select deadlocks::int as count from pg_stat_database where datname = current_database()`,
  )
  return count
}
