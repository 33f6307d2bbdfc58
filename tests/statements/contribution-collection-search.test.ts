import { isDeepStrictEqual as same } from 'node:util'
import { picture } from '../../services/contribution-collection/src/media/testing/files.ts'
import { at, idsIn, isRefused, type Json, type People, people, published } from './contribution-collection/people.ts'
import { type Node, statementsOf } from './statements.ts'

statementsOf('S2 search', ['contribution-collection'], async (node) => {
  const all = await people(node)
  const few = await submitted(node, all)
  await filters(node, all, few)
  await refinements(node, all, few)
  await feeds(node, all)
  await publicKey(node, all, few)
  await many(node, all)
})

interface Few {
  /** Filter for all contributions of these tests. */
  readonly own: string
  readonly assignment: Json
  readonly other: Json
  readonly sent: Readonly<Record<Name, Json>>
}
type Name = 'london' | 'paris' | 'oslo' | 'somewhere' | 'plain'
const names: readonly Name[] = ['london', 'paris', 'oslo', 'somewhere', 'plain']

/** Submits five contributions in sequence, of which each filter finds some. */
async function submitted(node: Node, { ada, bob, eve }: People): Promise<Few> {
  const { json: assignment } = await ada.post('/assignments', { name: 'Weather' })
  const { json: other } = await ada.post('/assignments', { name: 'Other' })
  const body = await picture(60, 40).png().toBuffer()
  const headers = { authorization: `Bearer ${bob.token}`, 'content-type': 'image/png' }
  const { json: file } = await node.call(`${at}/media`, { method: 'POST', headers, body })
  const to = { assignment: { id: assignment.id } }
  const place = (name: string, country: string, latitude: number, longitude: number) => ({
    place: { name, country, latLong: { latitude, longitude } },
  })
  const london = { headline: 'Snöw falls in London', body: 'It is cold', ...place('London', 'GB', 51.5007, -0.1246) }
  const usages = { mediaUsages: [{ media: { id: file.id } }] }
  const sent: Partial<Record<Name, Json>> = {}
  sent.london = await published(bob, ada, { ...to, ...london, ...usages })
  sent.paris = await published(bob, ada, {
    ...to,
    headline: 'Rain over Paris',
    ...place('Paris', 'FR', 48.8584, 2.2945),
  })
  const oslo = { headline: 'Oslo storm', place: { geohash: 'u4xsv', name: 'Oslo', country: 'NO' } }
  sent.oslo = await published(eve, ada, { ...to, ...oslo })
  sent.somewhere = await published(eve, ada, { ...to, headline: 'No point', place: { country: 'US' } })
  sent.plain = await published(eve, ada, { assignment: { id: other.id }, headline: 'Plain text only' })
  await bob.post('/contributions', { ...to, headline: 'Pending in London' })
  return { own: `ownedBy=${ada.id}`, assignment, other, sent: sent as Few['sent'] }
}

async function filters({ call, holds }: Node, { ada, bob, eve }: People, few: Few): Promise<void> {
  const { own, assignment, other, sent } = few
  const { london, paris, oslo } = sent
  const day = london.created.slice(0, 10)
  const time = encodeURIComponent(paris.created)
  const zoned = encodeURIComponent(new Date(Date.parse(paris.created) + 7_200_000).toISOString().replace('Z', '+02:00'))
  const expected: Record<string, readonly Name[]> = {
    '': names,
    'format=json': names,
    [`assignment=${assignment.id}`]: ['london', 'paris', 'oslo', 'somewhere'],
    [`assignment=${other.id}`]: ['plain'],
    'country=GB': ['london'],
    'country=gb': ['london'],
    'country=US': ['somewhere'],
    'country=DE': [],
    [`createdAfter=${time}`]: ['oslo', 'somewhere', 'plain'],
    [`createdBefore=${time}`]: ['london'],
    [`createdAfter=${zoned}`]: ['oslo', 'somewhere', 'plain'],
    'createdAfter=2095-01-01': [],
    'createdAfter=2020-01-01': names,
    [`createdDay=${day}`]: names,
    'createdDay=2020-01-01': [],
    [`createdMonth=${day.slice(0, 7)}`]: names,
    'createdMonth=2020-01': [],
    'geohash=gcpu': ['london'],
    'geohash=GCPU': ['london'],
    'geohash=gcpu,u09': ['london', 'paris'],
    'geohash=u4': ['oslo'],
    'geohash=u4xsv': ['oslo'],
    'geohash=u4xsvq': [],
    'hasLocation=true': ['london', 'paris', 'oslo'],
    'hasLocation=false': ['somewhere', 'plain'],
    'latLong=51.5,-0.12&radius=5': ['london'],
    'latLong=51.5,-0.12&radius=400': ['london', 'paris'],
    'latLong=51.5,-0.12&radius=0.01': [],
    'latLong=51.5,-0.12': ['london'],
    'mediaType=image': ['london'],
    'mediaType=video': [],
    'q=snow': ['london'],
    'q=SN%C3%96W': ['london'],
    'q=london%20falls': ['london'],
    'q=cold': [],
    'q=lond': [],
    [`urlWords=${london.urlWords}`]: ['london'],
    [`user=${bob.id}`]: ['london', 'paris'],
    [`ids=${london.id},${oslo.id}`]: ['london', 'oslo'],
    'country=GB&mediaType=video': [],
    'country=FR&q=rain&hasLocation=true': ['paris'],
  }
  for (const [query, ids] of Object.entries(expected)) {
    const { json, text } = await eve.get(`/contributions?${own}&${query}`)
    const newestFirst = ids.map((name) => sent[name].id).toReversed()
    holds(`GET /contributions?${query} finds ${ids.join(', ') || 'none'}`, same(idsIn(json), newestFirst), text)
  }
  holds('ownedBy of others finds none', same((await eve.get(`/contributions?ownedBy=${bob.id}`)).json, []))
  for (const query of [
    ...['country=XYZ', 'createdBefore=yesterday', 'createdAfter=2026-11-17T00:00:00', 'createdDay=2026-13-01'],
    ...['createdMonth=2026', 'geohash=!', 'hasLocation=perhaps', 'latLong=1', 'latLong=100,0', 'mediaType=pdf'],
    ...['format=xml', 'radius=5', 'pageSize=0', 'pageSize=201', 'page=0', 'state=zzz', 'radius=-1&latLong=51,0'],
    ...['radius=x&latLong=51,0', 'after=nonsense'],
  ]) {
    const refused = await eve.get(`/contributions?${query}`)
    holds(`GET /contributions?${query} is 400 by its field`, isRefused(refused, 400, query.split('=')[0]), refused.text)
  }
  holds('GET /contributions without a token is 401', isRefused(await call(`${at}/contributions`), 401))
  const pending = (await ada.get(`/contributions?${own}&state=pending`)).json
  holds('state=pending shows moderators what awaits them', pending?.[0]?.headline === 'Pending in London', pending)
  const hidden = (await eve.get(`/contributions?${own}&state=pending`)).json
  holds('and others nothing', same(hidden, []), hidden)

  const second = await eve.get(`/contributions?${own}&page=2&pageSize=2`)
  holds('page=2 has the next contributions', same(idsIn(second.json), [oslo.id, paris.id]), idsIn(second.json))
  holds('where page is sent, X-total-count has them all', second.headers.get('x-total-count') === '5')
  holds('page with after is 400', isRefused(await eve.get('/contributions?page=1&after=x'), 400, 'page'))
}

async function refinements({ holds }: Node, { bob, eve }: People, { own, assignment, sent }: Few): Promise<void> {
  const { json: types } = await eve.get('/contribution-refinement-types')
  const all = await eve.get(`/contribution-refinements?${own}`)
  const isTexts = (options: unknown[]) => options.every((option) => typeof option === 'string')
  holds('refinements are all types if none is named', same(Object.keys(all.json ?? {}), types), all.text)
  holds(
    'a refinement is a list of options',
    Object.values(all.json ?? {}).every((list) => isTexts(list as [])),
    all.text,
  )
  const { json: two } = await eve.get(`/contribution-refinements?${own}&refinements=country,mediaType`)
  const expected = { country: ['FR', 'GB', 'NO', 'US'], mediaType: ['image'] }
  holds('refinements names those that are wanted', same(two, expected), two)
  const { json: one } = await eve.get(`/contribution-refinements?${own}&refinements=country&refinementSize=2`)
  holds('refinementSize is the number of options', one?.country.length === 2, one)
  const { json: narrow } = await eve.get(`/contribution-refinements?${own}&refinements=country&q=rain`)
  holds('refinements keep to the filter', same(narrow, { country: ['FR'] }), narrow)
  for (const query of ['refinements=zzz', 'refinementSize=0', 'country=XYZ']) {
    const refused = await eve.get(`/contribution-refinements?${query}`)
    holds(`GET /contribution-refinements?${query} is 400`, isRefused(refused, 400, query.split('=')[0]), refused.text)
  }
  for (const query of [
    ...['country=GB', 'q=snow', 'geohash=gcpu', 'latLong=51.5,-0.12&radius=400', 'hasLocation=true'],
    ...[`user=${bob.id}`, `assignment=${assignment.id}`],
    ...[`urlWords=${sent.london.urlWords}`, `createdAfter=${sent.paris.created}`, 'mediaType=image'],
  ]) {
    const { json: list } = await eve.get(`/contributions?${own}&${query}`)
    const { json } = await eve.get(`/contribution-refinements?${own}&refinements=country&counts=true&${query}`)
    const { json: summary } = await eve.post(`/export-summary?${own}&${query}`)
    holds(`refinements of ${query.split('=')[0]} count what the list has`, same(countsOf(json), countries(list)), json)
    holds(
      `the export summary of ${query.split('=')[0]} counts it, too`,
      summary?.contributions === list?.length,
      summary,
    )
  }
}

const countsOf = (refinements: Json) =>
  new Map<string, number>(refinements?.country.map(({ value, contributions }: Json) => [value, contributions]))

function countries(list: Json[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { place } of list) if (place?.country) counts.set(place.country, (counts.get(place.country) ?? 0) + 1)
  return counts
}

async function feeds({ call, holds, instance }: Node, { eve }: People): Promise<void> {
  await instance.app.settle()
  const { status, headers, text } = await eve.get('/contributions?format=rss&mediaType=image')
  const isRss = headers.get('content-type')?.startsWith('application/rss+xml')
  holds('format=rss is RSS', status === 200 && isRss && text.includes('<rss version="2.0"'), text.slice(0, 300))
  holds('a feed has an item for each contribution', text.match(/<item>/g)?.length === 1, text)
  holds('an item has its headline', text.includes('<title>Snöw falls in London</title>'), text)
  holds('an item has its date', /<pubDate>\w{3}, \d\d \w{3} \d{4}/.test(text), text)
  holds('an item has its place', text.includes('<georss:point>51.5007 -0.1246</georss:point>'), text)
  const [, url = '', type] = /<enclosure url="([^"]+)" type="([^"]+)"/.exec(text) ?? []
  const file = await call(url || '/nothing')
  holds('an item has its file', file.status === 200 && file.headers.get('content-type') === type, url)
  const [, link = ''] = /<item>.*?<link>([^<]+)/.exec(text) ?? []
  const page = await call(link || '/nothing')
  holds('an item links to a page for people', page.status === 200 && page.text.includes('Snöw falls'), link)
  const [, self = ''] = /<atom:link href="([^"]+)" rel="self"/.exec(text) ?? []
  const feed = await call(self.replaceAll('&amp;', '&') || '/nothing')
  holds('a feed has an address that keeps its filter and needs no token', feed.text === text, self)
}

async function publicKey({ call, holds, instance }: Node, { ada }: People, { own }: Few): Promise<void> {
  const permissions = ['contribution-collection:describePublicAccess']
  const { headers } = (await instance.app.tenant('dev', permissions)).service('contribution-collection')
  const get = (path: string) => call(at + path, { headers: { ...headers, origin: 'https://site.example' } })
  const list = await get(`/contributions?${own}&state=any`)
  holds('a public key reads what is public alone', list.json?.length === 5, list.text)
  holds('pages of any site may read', list.headers.get('access-control-allow-origin') === '*')
  const write = await call(`${at}/assignments`, { method: 'POST', headers, json: { name: 'x' } })
  holds('a public key writes nothing', isRefused(write, 403), write.text)
  const preflight = await call(`${at}/contributions`, {
    method: 'OPTIONS',
    headers: { origin: 'https://site.example' },
  })
  holds(
    'a browser may ask first',
    preflight.headers.get('access-control-allow-methods') === 'GET, HEAD',
    preflight.status,
  )
  const head = await ada.ask('HEAD', '/contributions')
  holds('HEAD is GET without a body', head.status === 200 && head.bytes.length === 0, head.status)
}

/** Deterministic pseudo-random numbers. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const words = ['wind', 'snow', 'river', 'bridge', 'Über', 'naïve', 'tree', 'cat']
const distance = (one: Json, other: Json) => {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2
  const across =
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * half(other.longitude - one.longitude)
  return 2 * 6_371.0088 * Math.asin(Math.sqrt(half(other.latitude - one.latitude) + across))
}

/** A point near London, the date line or the pole, or anywhere. */
function pointOf(nth: number, random: () => number) {
  const [first, second] = [random() - 0.5, random() - 0.5]
  const around = [
    { latitude: 51.5 + first * 2, longitude: second * 2 },
    { latitude: -17 + first * 2, longitude: second > 0 ? second * 2 - 180 : second * 2 + 180 },
    { latitude: 89 + (first + 0.5) * 0.99, longitude: second * 359 },
    { latitude: first * 179, longitude: second * 359 },
  ]
  const { latitude, longitude } = around[nth % 4] as (typeof around)[number]
  return { latitude: Number(latitude.toFixed(5)), longitude: Number(longitude.toFixed(5)) }
}

/** Compares searches among many contributions with a linear scan. */
async function many({ call, holds }: Node, { key, ada, bob, eve }: People): Promise<void> {
  const { json: assignment } = await ada.post('/assignments', { name: 'Many' })
  const random = numbers(7)
  const items: Json[] = []
  for (let nth = 0; nth < 240; nth++) {
    const author = nth % 2 ? bob : eve
    const created = new Date(Date.UTC(2025, 0, 1) + ((nth * 7) % 240) * 3_600_000).toISOString()
    const country = nth % 3 ? { country: ['GB', 'FJ', 'NO'][nth % 3] } : {}
    const { json, text } = await key.post('/contributions', {
      ...{
        assignment: { id: assignment.id },
        headline: `${words[nth % 8]} ${words[(nth * 3 + 1) % 8]} ${nth}`,
        created,
      },
      ...(nth % 10 !== 9 && { place: { latLong: pointOf(nth, random), ...country } }),
      via: { authority: { user: { id: author.id } } },
      moderationHistory: [{ date: created, action: { id: 'approve' } }],
    })
    if (json?.id === undefined) throw new Error(text)
    items.push({ ...json, author: author.id })
  }
  const newest = items.toSorted((item, other) => Date.parse(other.created) - Date.parse(item.created))
  const base = `assignment=${assignment.id}`
  const listed = async (query: string) => {
    const wrong: string[] = []
    for (let next: string | undefined = `${at}/contributions?${base}&pageSize=50&${query}`; next; ) {
      const { json, headers } = await call(next, { headers: { authorization: `Bearer ${eve.token}` } })
      wrong.push(...idsIn(json))
      next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    return wrong
  }
  const finds = async (what: string, query: string, isFound: (item: Json) => unknown) => {
    const expected = newest.filter(isFound)
    const found = await listed(query)
    holds(`${what} finds what looking at all finds`, same(found, idsIn(expected)), [
      query,
      found.length,
      expected.length,
    ])
    return expected
  }
  await finds('a list, page by page by Link,', '', () => true)
  holds('a page has 20 contributions if nothing is said', (await eve.get(`/contributions?${base}`)).json?.length === 20)
  const centres = [
    { latitude: 51.5, longitude: 0 },
    { latitude: -17, longitude: 179.8 },
    { latitude: -17, longitude: -179.8 },
    { latitude: 89.5, longitude: 120 },
  ]
  for (const centre of centres)
    for (const radius of [5, 30, 100, 500, 3_000]) {
      const { latitude, longitude } = centre
      await finds(
        `radius=${radius} around ${latitude},${longitude}`,
        `latLong=${latitude},${longitude}&radius=${radius}`,
        ({ place }) => place && distance(centre, place.latLong) <= radius,
      )
    }
  for (const { place } of items.filter((_, nth) => nth % 40 === 0))
    for (const length of [1, 3, 5]) {
      const geohash = place.geohash.slice(0, length)
      await finds(`geohash=${geohash}`, `geohash=${geohash}`, (item) => item.place?.geohash.startsWith(geohash))
    }
  const queries: Record<string, (item: Json) => unknown> = {
    'country=FJ': ({ place }) => place?.country === 'FJ',
    'hasLocation=true': ({ place }) => place,
    'hasLocation=false': ({ place }) => !place,
    'q=naive': ({ headline }) => /naïve/.test(headline),
    'q=uber%20snow': ({ headline }) => /Über/.test(headline) && /snow/.test(headline),
    [`user=${bob.id}`]: ({ author }) => author === bob.id,
    [`user=${bob.id}&country=FJ&q=cat`]: ({ author, place, headline }) =>
      author === bob.id && place?.country === 'FJ' && /cat/.test(headline),
    'createdMonth=2025-01&createdAfter=2025-01-05': ({ created }) => created > '2025-01-05T00:00:00.000Z',
  }
  for (const [query, isFound] of Object.entries(queries)) {
    const expected = await finds(query, query, isFound)
    const { json: summary } = await eve.post(`/export-summary?${base}&${query}`)
    holds(`the export summary of ${query} agrees`, summary?.contributions === expected.length, summary)
    const { json } = await eve.get(`/contribution-refinements?counts=true&refinements=country&${base}&${query}`)
    holds(`refinements of ${query} agree`, same(countsOf(json), countries(expected)), json)
  }
  await ada.ask('DELETE', `/assignments/${assignment.id}`)
  holds('contributions of a deleted assignment are not listed', same(await listed(''), []))
}
