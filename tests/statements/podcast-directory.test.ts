import { expect } from 'vitest'
import { startCatalog } from '../../services/podcast-directory/src/catalog/server.ts'
import { importOpml } from '../../services/podcast-directory/src/feeds/opml.ts'
import { importCuratedLists } from '../../services/podcast-directory/src/lists/curated/import.ts'
import { importPlaylists } from '../../services/podcast-directory/src/lists/playlists/import.ts'
import { type Node, statementsOf } from './statements.ts'

const at = '/podcast-directory/api/v2'
const key = { 'x-vendor-api-key': 'icosa-dev-key' }

// biome-ignore lint/suspicious/noExplicitAny: as in `Answer`
type Json = any

const podcastFields: Readonly<Record<string, string>> = {
  episodes: 'array',
  is_claimed: 'boolean',
  explicit_content: 'boolean',
  has_guest_interviews: 'boolean',
  has_sponsors: 'boolean',
  type: 'string',
  website: 'string',
  rss: 'string',
  latest_episode_id: 'string',
  title: 'string',
  language: 'string',
  description: 'string',
  email: 'string',
  image: 'string',
  thumbnail: 'string',
  vendor_url: 'string',
  id: 'string',
  country: 'string',
  publisher: 'string',
  listen_score_global_rank: 'string',
  total_episodes: 'number',
  audio_length_sec: 'number',
  update_frequency_hours: 'number',
  earliest_pub_date_ms: 'number',
  latest_pub_date_ms: 'number',
  storeone_id: 'number',
  next_episode_pub_date: 'number',
  listen_score: 'number',
  looking_for: 'object',
  extra: 'object',
  genre_ids: 'array',
}
const episodeFields: Readonly<Record<string, string>> = {
  maybe_audio_invalid: 'boolean',
  pub_date_ms: 'number',
  audio: 'string',
  vendor_edit_url: 'string',
  image: 'string',
  thumbnail: 'string',
  description: 'string',
  title: 'string',
  vendor_url: 'string',
  id: 'string',
  link: 'string',
  explicit_content: 'boolean',
  audio_length_sec: 'number',
  podcast: 'object',
}
const pageFields = ['has_previous', 'previous_page_number', 'page_number', 'next_page_number', 'has_next', 'total']
const orders = ['recent_added_first', 'oldest_added_first', 'recent_published_first', 'oldest_published_first']

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)
const has = (value: Json, names: readonly string[]) => names.every((name) => name in (value ?? {}))
const descends = (values: readonly number[]) =>
  values.every((value, index) => index === 0 || value <= Number(values[index - 1]))

statementsOf('S5', ['podcast-directory'], async (node) => {
  await using catalog = await startCatalog({ feeds: 60, seed: 5 })
  const directory = await filled(node, catalog.opml)
  await podcastsAndEpisodes(node, directory)
  await searches(node, directory)
  await lists(node, directory)
  await writes(node, directory)
})

interface Directory {
  readonly ids: readonly string[]
  /** The first podcast. */
  readonly first: Json
  get(path: string, headers?: Record<string, string>): ReturnType<Node['call']>
  post(path: string, form: Record<string, string>): ReturnType<Node['call']>
}

/** Creates sixty podcasts, two playlists and a curated list. */
async function filled({ call, instance }: Node, opml: string): Promise<Directory> {
  const get: Directory['get'] = (path, headers = key) => call(at + path, { headers })
  const post: Directory['post'] = (path, form) => call(at + path, { method: 'POST', headers: key, form })
  const { database, clock } = instance.development.node.platform
  const now = clock.now()
  await importOpml(database, 'dev', opml, now)
  const search = () => get('/search?q=synthetic&type=podcast')
  await expect.poll(async () => (await search()).json.total).toBe(60)
  const results = await search()
  const ids: string[] = results.json.results.map(({ id }: Json) => id)
  const first = (await get(`/podcasts/${ids[0]}`)).json
  const second = (await get(`/podcasts/${ids[1]}`)).json
  const episodes = [...first.episodes, ...second.episodes].map(({ id }: Json) => id)
  const later = {
    name: 'Later',
    items: [
      ...episodes.map((id, index) => ({ episode_id: id, added_at_ms: 1_700_000_000_000 + index * 1_000 })),
      ...Array.from({ length: 31 - episodes.length }, (_, index) => ({
        audio: `https://audio.example/${index}.mp3`,
        title: `Other ${index}`,
        added_at_ms: 1_600_000_000_000 + index * 1_000,
      })),
      ...ids.slice(0, 4).map((id) => ({ podcast_id: id })),
    ],
  }
  const road = { title: 'For the road', source_url: 'https://blog.example/road', podcasts: ids.slice(0, 5) }
  await database.transaction(async (db) => {
    await importPlaylists(db, 'dev', [later, { name: 'Alpha', items: [] }], now)
    await importCuratedLists(db, 'dev', [road], now)
  })
  await instance.app.settle()
  return { ids, first, get, post }
}

async function podcastsAndEpisodes({ holds, call }: Node, { ids, first, get }: Directory): Promise<void> {
  const readable = [
    '/search?q=a',
    '/typeahead?q=a',
    '/genres',
    '/regions',
    '/languages',
    '/just_listen',
    '/best_podcasts',
    '/curated_podcasts',
    '/playlists',
    `/podcasts/${ids[0]}`,
    '/trending_searches',
    '/related_searches?q=a',
    '/spellcheck?q=a',
  ]
  for (const path of readable) holds(`${path} without a key is 401`, (await call(at + path)).status === 401)

  for (const [name, kind] of Object.entries(podcastFields))
    holds(`a podcast has ${name} as ${kind} or null`, [kind, 'null'].includes(kindOf(first[name])), first[name])
  const wishes = ['cohosts', 'cross_promotion', 'sponsors', 'guests']
  holds(
    'looking_for has its four members',
    wishes.every((name) => kindOf(first.looking_for[name]) === 'boolean'),
  )
  holds('extra has its addresses', has(first.extra, ['url1', 'url2', 'url3']), first.extra)
  const dates = first.episodes.map(({ pub_date_ms }: Json) => pub_date_ms)
  holds('a podcast has at most ten episodes, the newest first', dates.length <= 10 && descends(dates), dates)
  const seen = new Set(first.episodes.map(({ id }: Json) => id))
  for (let next = first.next_episode_pub_date, page = 0; next && page < 100; page++) {
    const { json } = await get(`/podcasts/${ids[0]}?next_episode_pub_date=${next}`)
    for (const { id } of json.episodes) seen.add(id)
    next = json.next_episode_pub_date
  }
  holds('next_episode_pub_date leads through all episodes', seen.size === first.total_episodes, seen.size)
  const oldest = (await get(`/podcasts/${ids[0]}?sort=oldest_first`)).json.episodes
  holds('sort=oldest_first', descends(oldest.map(({ pub_date_ms }: Json) => -pub_date_ms)))
  holds('an unknown sort is refused', (await get(`/podcasts/${ids[0]}?sort=zzz`)).status === 400)
  holds('an unknown podcast is 404', (await get('/podcasts/zzz')).status === 404)

  const episode = first.episodes[0].id
  const { json } = await get(`/episodes/${episode}`)
  for (const [name, kind] of Object.entries(episodeFields))
    holds(`an episode has ${name} as ${kind} or null`, [kind, 'null'].includes(kindOf(json[name])), json[name])
  holds('its podcast is a summary', !('episodes' in json.podcast) && !('next_episode_pub_date' in json.podcast))
  holds('no transcript unless it is asked for', json.transcript == null)
  holds('show_transcript shows it', 'transcript' in (await get(`/episodes/${episode}?show_transcript=1`)).json)
  holds('an unknown episode is 404', (await get('/episodes/zzz')).status === 404)
  const { json: original } = await get(`/podcasts/${ids[0]}`, { 'x-listenapi-key': 'icosa-dev-key' })
  holds('fields are spelled as the header is', has(original, ['listennotes_url', 'itunes_id']), Object.keys(original))
}

async function searches({ holds, instance }: Node, { ids, first, get }: Directory): Promise<void> {
  for (const path of ['/search', '/typeahead', '/search_episode_titles', '/related_searches', '/spellcheck'])
    holds(`${path} without q is 400`, (await get(path)).status === 400)
  const { json: page } = await get('/search?q=synthetic')
  const isEnvelope = has(page, ['next_offset', 'took', 'total', 'count', 'results']) && page.count === 10
  holds('a search answers in its envelope', isEnvelope && page.count === page.results.length, { ...page, results: 0 })
  const next = await get(`/search?q=synthetic&offset=${page.next_offset}`)
  holds('next_offset is the next page', next.json.count === 10 && next.json.results[0].id !== page.results[0].id)
  const wrong = [
    'sort_by_date=2',
    'type=zzz',
    'offset=-1',
    'offset=x',
    'len_min=x',
    'safe_mode=2',
    'unique_podcasts=5',
    'interviews_only=x',
    'sponsored_only=2',
    'page_size=0',
    'page_size=x',
    'only_in=zzz',
    'published_after=x',
  ]
  for (const query of wrong) holds(`${query} is 400`, (await get(`/search?q=synthetic&${query}`)).status === 400)

  const all = async (query: string): Promise<Json[]> => {
    const podcasts: Json[] = []
    for (let offset = 0; ; ) {
      const { json } = await get(`/search?q=synthetic&type=podcast&${query}&offset=${offset}`)
      podcasts.push(...json.results)
      if (json.count === 0 || json.next_offset <= offset || podcasts.length >= json.total) return podcasts
      offset = json.next_offset
    }
  }
  const whole: Json[] = []
  for (const { id } of await all('')) whole.push((await get(`/podcasts/${id}`)).json)
  holds('a search that all match finds all', whole.length === 60, whole.length)
  const language = whole[0].language
  const genre = whole.flatMap(({ genre_ids }) => genre_ids).find((id) => id !== 67)
  const regions = Object.entries((await get('/regions')).json.regions)
  const region = regions.find(([, name]) => name === whole[0].country)?.[0]
  const recent = instance.development.node.platform.clock.now().getTime() - 365 * 86_400_000
  const filters: readonly (readonly [string, (podcast: Json) => boolean])[] = [
    [`language=${encodeURIComponent(language)}`, (podcast) => podcast.language === language],
    [`genre_ids=${genre}`, ({ genre_ids }) => genre_ids.includes(genre)],
    ['episode_count_min=20', ({ total_episodes }) => total_episodes >= 20],
    ['episode_count_max=20', ({ total_episodes }) => total_episodes <= 20],
    ['update_freq_max=168', ({ update_frequency_hours }) => update_frequency_hours <= 168],
    ['update_freq_min=100', ({ update_frequency_hours }) => update_frequency_hours >= 100],
    ['safe_mode=1', ({ explicit_content }) => !explicit_content],
    ['interviews_only=1', ({ has_guest_interviews }) => has_guest_interviews],
    ['sponsored_only=1', ({ has_sponsors }) => has_sponsors],
    [`region=${region}`, ({ country }) => country === whole[0].country],
    [`published_after=${recent}`, ({ latest_pub_date_ms }) => latest_pub_date_ms > recent],
  ]
  for (const [query, isMeant] of filters) {
    const ids = (await all(query)).map(({ id }) => id).sort()
    const expected = whole.filter(isMeant).map(({ id }) => id)
    holds(`${query.split('=')[0]} finds those and no others`, ids.join() === expected.sort().join(), [
      ids.length,
      expected.length,
    ])
  }

  const episodes = async (query: string): Promise<Json[]> => (await get(`/search?q=synthetic&${query}`)).json.results
  holds(
    'ocid: of this podcast',
    (await episodes(`ocid=${ids[0]}`)).every(({ podcast }) => podcast.id === ids[0]),
  )
  holds(
    'ncid: of no such podcast',
    (await episodes(`ncid=${ids[0]}`)).every(({ podcast }) => podcast.id !== ids[0]),
  )
  const unique = await episodes('unique_podcasts=1')
  holds('unique_podcasts: one of each', new Set(unique.map(({ podcast }) => podcast.id)).size === unique.length)
  holds('sort_by_date', descends((await episodes('sort_by_date=1')).map(({ pub_date_ms }) => pub_date_ms)))
  const lengths = (await episodes('len_min=30&len_max=60')).map(({ audio_length_sec }) => audio_length_sec)
  holds(
    'len_min and len_max are minutes',
    lengths.every((length) => length >= 1_800 && length <= 3_660),
    lengths,
  )

  const { json: typed } = await get('/typeahead?q=syn&show_podcasts=1&show_genres=1')
  holds(
    'typeahead has terms, podcasts and genres',
    [typed.terms, typed.podcasts, typed.genres].every(Array.isArray),
    typed,
  )
  const { json: tech } = await get('/typeahead?q=tech&show_genres=1')
  holds(
    'typeahead finds a genre',
    tech.genres.some(({ name }: Json) => /Tech/.test(name)),
    tech,
  )
  const word = first.episodes[0].title.split(' ').slice(0, 2).join(' ')
  const titles = await get(`/search_episode_titles?q=${encodeURIComponent(word)}`)
  holds(
    'episodes are found by their titles',
    titles.json.results.length > 0 && 'next_offset' in titles.json,
    titles.text,
  )
  const own = await get(`/search_episode_titles?q=${encodeURIComponent(word)}&podcast_id=${ids[0]}`)
  const isOwn = own.json.results.every(({ podcast }: Json) => podcast.id === ids[0])
  holds('and only those of a podcast', isOwn && own.json.results.length > 0, own.text)
  const byFeed = await get(`/search_episode_titles?q=a&podcast_id=${encodeURIComponent(first.rss)}&podcast_id_type=rss`)
  holds('podcast_id_type=rss', byFeed.status === 200, byFeed.text)
  holds(
    'an unknown podcast_id_type is 400',
    (await get('/search_episode_titles?q=a&podcast_id_type=zzz')).status === 400,
  )
  holds('trending searches are terms', Array.isArray((await get('/trending_searches')).json.terms))
  holds('related searches are terms', Array.isArray((await get('/related_searches?q=synthetic')).json.terms))
  const { json: spelled } = await get('/spellcheck?q=synthetc%20podcst')
  const isSpelled = spelled.tokens?.every((token: Json) => has(token, ['offset', 'token', 'suggestion']))
  holds('spellcheck has tokens and the corrected text', isSpelled && spelled.corrected_text_html, spelled)
  const road = (await get('/search?q=road&type=curated')).json.results
  holds(
    'type=curated finds a list',
    road.some(({ title_original }: Json) => /road/.test(title_original)),
    road,
  )
}

async function lists({ holds }: Node, { ids, first, get }: Directory): Promise<void> {
  const { json: best } = await get('/best_podcasts')
  holds('best_podcasts has its fields', has(best, [...pageFields, 'name', 'vendor_url', 'parent_id', 'id', 'podcasts']))
  holds('an unknown genre is 404', (await get('/best_podcasts?genre_id=99999999')).status === 404)
  for (const sort of [...orders, 'listen_score'])
    holds(`best_podcasts takes sort=${sort}`, (await get(`/best_podcasts?sort=${sort}`)).status === 200)
  holds('best_podcasts refuses an unknown sort', (await get('/best_podcasts?sort=zzz')).status === 400)
  const genres = (await get('/genres')).json.genres
  const top = (await get('/genres?top_level_only=1')).json.genres
  holds(
    'top_level_only',
    top.length < genres.length && top.every(({ parent_id }: Json) => [67, null].includes(parent_id)),
  )
  holds('languages', (await get('/languages')).json.languages.includes('English'))
  holds('regions', (await get('/regions')).json.regions.us === 'United States')
  const { json: chance } = await get('/just_listen')
  const summary = [
    'image',
    'thumbnail',
    'title',
    'vendor_url',
    'id',
    'publisher',
    'listen_score',
    'listen_score_global_rank',
  ]
  holds('just_listen is an episode with its podcast', chance.id && chance.audio && has(chance.podcast, summary), chance)

  const { json: curated } = await get('/curated_podcasts')
  holds('curated lists come in pages', has(curated, [...pageFields, 'curated_lists']), Object.keys(curated))
  const road = curated.curated_lists.find(({ title }: Json) => title === 'For the road')
  holds("an operator's list is among them", road, curated)
  const { json: list } = await get(`/curated_podcasts/${road?.id}`)
  const listFields = ['id', 'description', 'source_url', 'source_domain', 'title', 'vendor_url', 'pub_date_ms', 'total']
  holds('a curated list has its fields', has(list, [...listFields, 'podcasts']), Object.keys(list))
  holds(
    'and its podcasts',
    list.podcasts?.length === 5 && list.total === 5 && list.source_domain === 'blog.example',
    list,
  )
  holds('an unknown list is 404', (await get('/curated_podcasts/zzz')).status === 404)

  const { json: playlists } = await get('/playlists')
  holds('playlists come in pages', has(playlists, [...pageFields, 'playlists']), Object.keys(playlists))
  holds('both are there', playlists.total === 2 && playlists.playlists.length === 2, playlists)
  const later = playlists.playlists.find(({ name }: Json) => name === 'Later')
  const ofPlaylist = [
    'id',
    'name',
    'description',
    'image',
    'thumbnail',
    'vendor_url',
    'visibility',
    'last_timestamp_ms',
  ]
  const sums = ['total_audio_length_sec', 'episode_count', 'podcast_count']
  holds('a playlist has its fields', has(later, [...ofPlaylist, ...sums]), later)
  const firstBy = async (sort: string) => (await get(`/playlists?sort=${sort}`)).json.playlists?.[0]?.name
  holds('name_a_to_z', (await firstBy('name_a_to_z')) === 'Alpha')
  holds('name_z_to_a', (await firstBy('name_z_to_a')) === 'Later')
  holds('an unknown order of playlists is refused', (await get('/playlists?sort=zzz')).status === 400)
  holds('an unknown playlist is 404', (await get('/playlists/zzz')).status === 404)
  const { json: items } = await get(`/playlists/${later.id}`)
  holds(
    'a playlist lists episodes',
    items.type === 'episode_list' && items.items.every(({ type }: Json) => type !== 'podcast'),
  )
  const seen: string[] = items.items.map(({ id }: Json) => id)
  for (let last = items.last_timestamp_ms, page = 0; last && page < 20; page++) {
    const { json } = await get(`/playlists/${later.id}?last_timestamp_ms=${last}`)
    if (json.items.length === 0) break
    seen.push(...json.items.map(({ id }: Json) => id))
    last = json.last_timestamp_ms
  }
  holds('last_timestamp_ms leads through all, once', seen.length === 31 && new Set(seen).size === 31, seen.length)
  const { json: shows } = await get(`/playlists/${later.id}?type=podcast_list`)
  const areShows = shows.items.length === 4 && shows.items.every(({ type }: Json) => type === 'podcast')
  holds('or podcasts', shows.type === 'podcast_list' && areShows, shows.items.length)
  for (const sort of orders) {
    const { json } = await get(`/playlists/${later.id}?sort=${sort}`)
    const timeOf = ({ data, added_at_ms }: Json) => (sort.includes('published') ? data?.pub_date_ms : added_at_ms)
    const times = json.items.map(timeOf).filter((time: unknown) => time != null)
    const sign = sort.startsWith('recent') ? 1 : -1
    holds(`items in the order ${sort}`, descends(times.map((time: number) => sign * time)), times)
  }

  for (const [what, id] of [
    ['podcasts', ids[0]],
    ['episodes', first.episodes[0].id],
  ]) {
    const { json } = await get(`/${what}/${id}/recommendations`)
    holds(`recommendations of ${what}`, json.recommendations?.length > 0, json)
    holds(`none of unknown ${what}`, (await get(`/${what}/zzz/recommendations`)).status === 404)
  }
  holds('an audience is by regions', Array.isArray((await get(`/podcasts/${ids[0]}/audience`)).json.by_regions))
  holds('unknown audiences are 404', (await get('/podcasts/zzz/audience')).status === 404)
  holds('an unknown domain is 404', (await get('/podcasts/domains/nothing.example')).status === 404)
  const { json: domain } = await get(`/podcasts/domains/${new URL(first.website).hostname}`)
  const domainFields = [
    'page_number',
    'has_next',
    'next_page_number',
    'has_previous',
    'previous_page_number',
    'podcasts',
  ]
  holds('podcasts of a domain come in pages', has(domain, domainFields), Object.keys(domain))
}

async function writes({ holds, call }: Node, { ids, first, get, post }: Directory): Promise<void> {
  const several = await post('/podcasts', { ids: [...ids.slice(0, 3), 'zzz'].join(), show_latest_episodes: '1' })
  const { podcasts, latest_episodes: latest } = several.json
  holds(
    'several podcasts at once, with their latest episodes',
    podcasts?.length === 3 && latest?.length > 0,
    several.text,
  )
  const byFeed = await post('/podcasts', { rsses: first.rss })
  holds('podcasts by their feeds', byFeed.json.podcasts?.[0]?.id === ids[0], byFeed.text)
  const episode = first.episodes[0].id
  holds('several episodes at once', (await post('/episodes', { ids: episode })).json.episodes?.[0]?.id === episode)
  const submitted = await post('/podcasts/submit', { rss: first.rss })
  const { status, podcast } = submitted.json
  holds('a feed that is known is found', status === 'found' && podcast?.id === ids[0], submitted.text)
  holds('submit without a feed is 400', (await post('/podcasts/submit', {})).status === 400)
  holds('submit of what is no address is 400', (await post('/podcasts/submit', { rss: 'notaurl' })).status === 400)
  const { json: refreshed } = await post(`/podcasts/${ids[0]}/rss`, {})
  holds('a feed can be read anew', refreshed.status && Number.isInteger(refreshed.last_refreshed_at_ms), refreshed)
  holds('an unknown feed is 404', (await post('/podcasts/zzz/rss', {})).status === 404)
  const remove = (id: string | undefined) => call(`${at}/podcasts/${id}?reason=`, { method: 'DELETE', headers: key })
  const removed = await remove(ids[9])
  holds('a podcast can be deleted', removed.status === 200 && removed.json.status === 'deleted', removed.text)
  holds('then it is 404', (await get(`/podcasts/${ids[9]}`)).status === 404)
  holds('deleting an unknown one is 404', (await remove('zzz')).status === 404)
}
