import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@icosa/kernel'
import { latencyOf, type Neighbours } from '@icosa/testing'
import { startCatalogue } from '../catalogue/server.ts'
import { importOpml } from '../feeds/opml.ts'
import { callersOf, start } from './app.ts'
import { item, rss, send, startSite } from './site.ts'

export interface CrawlNeighbours extends Neighbours {
  /** Feeds of the flood that were still to be read at the end. */
  readonly unread: number
}

const hosts = 100

/**
 * How long a tenant waits until a feed that it submits is listed, alone and while another one imports so many, from hosts that
 * take their time.
 */
export async function crawlNeighbours(flood: number, probes: number, delayMs: number): Promise<CrawlNeighbours> {
  await using app = await start({}, { worker: { concurrency: 32, background: true } })
  const { database, clock } = app.platform
  const addresses = Array.from({ length: hosts }, (_, n) => `127.0.2.${n + 1}`)
  await using catalogue = await startCatalogue({ feeds: flood, addresses, delayMs })
  const feed = send(rss(item({ guid: 'one' })))
  const paths = Array.from({ length: 5 + 2 * probes }, (_, n) => `/${n}.xml`)
  await using site = await startSite(Object.fromEntries(paths.map((path) => [path, feed])))
  const { feeds } = await callersOf(app, 'acme')

  const statusOf = (id: string) =>
    database.one<{ status: string }>(sql`select status from podcast_directory.podcasts where id = ${id}`)
  const probe = async () => {
    const { body } = await feeds.submitPodcast({ body: { rss: `${site.url}${paths.pop()}` } })
    while ((await statusOf(body.podcast.id)).status !== 'listed') await sleep(2)
  }
  const unread = async () => {
    const { count } = await database.one<{ count: number }>(sql`
      select count(*)::int as count from podcast_directory.podcasts where tenant = 'evil' and status = 'in review'`)
    return count
  }

  await latencyOf(5, probe)
  const quiet = await latencyOf(probes, probe)
  await importOpml(database, 'evil', catalogue.opml, clock.now())
  while (catalogue.traffic().requests < 20) await sleep(20) // it is under way
  const flooded = await latencyOf(probes, probe)
  return { quiet, flooded, unread: await unread() }
}
