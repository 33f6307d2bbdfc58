import { expect, test } from 'vitest'
import { startDiscovery } from '../../testing/discovery.ts'
import type { Source } from '../index/document.ts'
import { indexSources } from '../index/indexing.ts'
import { facet } from '../index/shelf.ts'
import { questionOf } from '../question/question.ts'
import { allFields, type SearchRequest } from '../question/request.ts'
import { find } from './find.ts'

const tenant = 'acme'
const now = new Date('2026-11-15T12:00:00Z')
const count = 3_000
const hourMs = 3_600_000

/** Every ten minutes, up to two days in the future. */
const publishedMs = (nth: number) => now.getTime() + 48 * hourMs - nth * (hourMs / 6)

const sourceOf = (nth: number): Source => ({
  tenant,
  kind: 'episode',
  id: `${nth}`.padStart(32, '0'),
  podcastId: 'a'.repeat(32),
  title: 'The hourly news',
  author: 'News Desk',
  description: '',
  transcript: '',
  facets: facet.dates(publishedMs(nth)),
  score: 30,
  publishedMs: publishedMs(nth),
  lengthSec: 600,
  episodeCount: 0,
  updateHours: 0,
})

const news: Omit<SearchRequest, 'offset'> = {
  kind: 'episode',
  question: questionOf('news'),
  fields: allFields,
  facets: [],
  without: [],
  ranges: {},
  order: 'date',
  limit: 10,
  onePerPodcast: false,
}

test('frequent episodes are found day by day, latest first, including future dates', async () => {
  await using app = await startDiscovery()
  const { database } = app.platform
  const sources = Array.from({ length: count }, (_, nth) => sourceOf(nth))
  await database.transaction((db) => indexSources(db, tenant, sources))
  for (const offset of [0, 10, 45, 300, 1_500, 2_990]) {
    const { hits } = await find(database, tenant, { ...news, offset }, now)
    expect(hits.map(({ id }) => Number(id))).toEqual(Array.from({ length: 10 }, (_, nth) => offset + nth))
  }
})
