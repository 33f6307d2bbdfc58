import { client } from '@icosa/client'
import { type ReadingDb, sql } from '@icosa/kernel'
import type { Seed } from '@icosa/testing'
import { startCatalog } from '../catalog/server.ts'
import { feeds } from '../feeds/contract.ts'
import { importPlaylists } from '../lists/playlists/import.ts'
import { podcasts } from '../podcasts/contract.ts'

/** A podcast crawled from a feed, and a playlist with it. */
export const seed: Seed = async (owner, app) => {
  await using catalog = await startCatalog({ feeds: 1 })
  const { body } = await client(feeds, owner).submitPodcast({ body: { rss: catalog.feeds[0] as string } })
  await app.jobs.drain()
  const { id } = body.podcast
  const { body: podcast } = await client(podcasts, owner).getPodcastById({ params: { id } })
  const { database, clock } = app.platform
  const file = [{ name: 'Later', items: [{ podcast_id: id }, { audio: 'https://own.example/a.mp3', title: 'My own' }] }]
  await importPlaylists(database, await ownerOf(database, id), file, clock.now())
  return {
    id,
    domain_name: new URL(podcast.website).hostname,
    file: new URL(podcast.thumbnail).pathname.split('/').at(-1) ?? '',
  }
}

/** Tenant of a podcast. */
async function ownerOf(db: ReadingDb, podcast: string): Promise<string> {
  const { tenant } = await db.one<{ tenant: string }>(sql`
    select tenant from podcast_directory.podcasts where id = ${podcast}`)
  return tenant
}
