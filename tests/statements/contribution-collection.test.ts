import { isDeepStrictEqual as same } from 'node:util'
import {
  at,
  eventTypes,
  grant,
  idsIn,
  isRefused,
  type Json,
  listed,
  type People,
  paged,
  password,
  people,
  published,
  user,
} from './contribution-collection/people.ts'
import { forms, subscriptions, users } from './contribution-collection/records.ts'
import { type Node, statementsOf } from './statements.ts'

statementsOf('S2 records', ['contribution-collection'], async (node) => {
  const all = await people(node)
  await information(node, all)
  await access(node, all)
  await tags(node, all)
  await assignments(node, all)
  await users(node, all)
  await forms(node, all)
  await subscriptions(node, all)
})

const formatFields = 'label contentType fileExtension forContentType preserveAspectRatio upscaleAllowed public'
const has = (item: Json, fields: string) => fields.split(' ').every((field) => field in (item ?? {}))

async function information({ call, holds, instance }: Node, { ada }: People): Promise<void> {
  const shapes: Record<string, (body: Json) => unknown> = {
    '/artifact-formats': (body) => [...body.contribution, ...body.cover].every((format) => has(format, formatFields)),
    '/change-log': (body) => body.length > 0 && body.every((item: Json) => item.title && Date.parse(item.date) > 0),
    '/contribution-refinement-types': (body) => body.includes('country') && body.includes('mediaType'),
    '/event-types': (body) => same(idsIn(body), eventTypes) && body.every(({ name }: Json) => name),
    '/subscription-types': (body) => same(idsIn(body), eventTypes) && body.every(({ name }: Json) => name),
    '/scopes': (body) => same(body, ['full', 'read', 'contribute', 'moderate', 'manage']),
  }
  for (const [path, isRight] of Object.entries(shapes)) {
    const { status, json, text } = await ada.get(path)
    holds(`GET ${path} is 200 with its list`, status === 200 && isRight(json), text)
    holds(`GET ${path} without a token is 401`, isRefused(await call(at + path), 401))
  }
  const unversioned = await call('/contribution-collection/scopes', {
    headers: { authorization: `Bearer ${ada.token}` },
  })
  holds('the base address may leave out the version', unversioned.status === 200, unversioned.text)
  holds('an unknown path is 404', isRefused(await ada.get('/nothing'), 404))
  holds('a path that takes another method is 405', isRefused(await ada.ask('PUT', '/assignments', {}), 405))
  const fault = instance.app.faults.add({ target: 'contribution-collection:*', kind: 'error', code: '500' })
  for (const path of ['/assignments', '/tags', '/contributions/1/moderate'])
    holds(`an unexpected error of POST ${path} is 500 with a message`, isRefused(await ada.post(path, {}), 500))
  instance.app.faults.clear(fault.id)
}

async function access(node: Node, { key, ada }: People): Promise<void> {
  const { call, holds } = node
  const form = { grant_type: 'password', username: 'ada', password }
  const granted = await grant(node, { ...form, scope: 'read contribute', client_id: 'newsroom' })
  const { access_token, ...rest } = granted.json ?? {}
  const expected = { token_type: 'Bearer', expires_in: 3_600, scope: 'read contribute' }
  holds('a name and a password become a token (OAuth 2.0)', access_token && same(rest, expected), granted.text)
  holds('a token is not to be cached', granted.headers.get('cache-control') === 'no-store')
  const errors: Record<string, Record<string, string>> = {
    invalid_grant: { ...form, password: 'wrong password' },
    unsupported_grant_type: { grant_type: 'client_credentials' },
    invalid_scope: { ...form, scope: 'everything' },
    invalid_request: { grant_type: 'password' },
  }
  for (const [error, wrong] of Object.entries(errors)) {
    const { status, json, text } = await grant(node, wrong)
    holds(`what is wrong with a token request is 400 ${error}`, status === 400 && json?.error === error, text)
  }
  const verified = await call(`${at}/verify`, { method: 'POST', headers: { authorization: `Bearer ${access_token}` } })
  holds('POST /verify tells the user', verified.json?.id && verified.json.user?.id === ada.id, verified.text)
  holds('POST /verify tells the client', verified.json?.client?.id === 'newsroom', verified.text)
  holds('POST /verify without a token is 401', isRefused(await call(`${at}/verify`, { method: 'POST' }), 401))
  const anonymous = await call(`${at}/credentials`)
  holds('GET /credentials without a token is 401', isRefused(anonymous, 401), anonymous.text)
  holds('401 asks for a bearer token', /^Bearer /.test(anonymous.headers.get('www-authenticate') ?? ''))
  const { json: own } = await ada.get('/credentials')
  const isOwn = (credential: Json) =>
    credential.user === ada.id && credential.value && same(credential.scopes, ['full'])
  holds('GET /credentials lists those of the caller', own.length === 2 && own.every(isOwn), own)
  holds(
    'credentials name their type',
    same(
      own.map(({ type }: Json) => type),
      ['token', 'password'],
    ),
    own,
  )

  const { json: assignment } = await ada.post('/assignments', { name: 'Scoped' })
  const { json: sent } = await ada.post('/contributions', { assignment: { id: assignment.id }, headline: 'Scoped' })
  const expectedByScope: Record<string, [list: number, contribute: number, assign: number, moderate: number]> = {
    read: [200, 403, 403, 403],
    contribute: [200, 200, 403, 403],
    moderate: [200, 403, 403, 404],
    manage: [200, 403, 200, 403],
  }
  for (const [scope, statuses] of Object.entries(expectedByScope)) {
    const { get, post } = await user(node, key, `with-${scope}`, [scope])
    const answers = [
      await get('/contributions'),
      await post('/contributions', { assignment: { id: assignment.id }, headline: 'Mine' }),
      await post('/assignments', { name: `By ${scope}` }),
      await post(`/contributions/${sent.id}/moderate`, { action: { id: 'approve' } }),
    ]
    const found = answers.map(({ status }) => status)
    holds(`a token of scope ${scope} may do that and no more`, same(found, statuses), found)
    const more = await grant(node, { ...form, username: `with-${scope}`, scope: 'full' })
    holds(`whoever has ${scope} gets no token of scope full`, more.json?.error === 'invalid_scope', more.text)
  }
  await ada.ask('DELETE', `/assignments/${assignment.id}`)
}

async function tags({ holds }: Node, { ada, bob }: People): Promise<void> {
  const made = await ada.post('/tagsets', { name: 'Weather', urlWords: 'weather' })
  const { id: set } = made.json ?? {}
  const weather = { id: set, name: 'Weather', urlWords: 'weather' }
  holds('POST /tagsets is 200 with the tag set', made.status === 200 && same(made.json, weather), made.text)
  holds('GET /tagsets/{id}', same((await ada.get(`/tagsets/${set}`)).json, weather))
  for (const id of ['999999999999', 'nonsense'])
    holds(`GET /tagsets/${id} is 404`, isRefused(await ada.get(`/tagsets/${id}`), 404))
  holds('a tag set needs urlWords', isRefused(await ada.post('/tagsets', { name: 'x' }), 400, 'urlWords'))
  const again = await bob.post('/tagsets', { name: 'Weather', urlWords: 'weather' })
  holds('urlWords of a tag set are unique for its owner alone', again.status === 200, again.text)
  holds('and for its owner', isRefused(await ada.post('/tagsets', { name: 'W', urlWords: 'weather' }), 400, 'urlWords'))

  const snowy = { name: 'Snow', colour: '#0061a6', urlWords: 'snow', tagSet: { id: set, name: 'Weather' } }
  const created = await ada.post('/tags', snowy)
  const snow = created.json
  holds('POST /tags is 200', created.status === 200 && snow?.id, created.text)
  for (const field of ['name', 'colour', 'urlWords'] as const)
    holds(`a tag keeps its ${field}`, snow?.[field] === snowy[field], snow)
  holds('a tag shows its tag set', same(snow?.tagSet, weather), snow)
  const { json: rain } = await ada.post('/tags', { name: 'Rain' })
  holds('urlWords of a tag follow from its name', rain?.urlWords === 'rain', rain)
  const wrong: Record<string, object> = {
    name: {},
    colour: { name: 'Bad', colour: 'notacolour' },
    tagSet: { name: 'Bad', tagSet: { id: '99999999' } },
    urlWords: { name: 'Snow', urlWords: 'snow' },
  }
  for (const [field, body] of Object.entries(wrong)) {
    const refused = await ada.post('/tags', body)
    holds(`POST /tags with a wrong ${field} is 400 by its name`, isRefused(refused, 400, field), refused.text)
  }
  holds('GET /tags/{id}', same((await ada.get(`/tags/${snow.id}`)).json, snow))
  holds('GET /tags/{id} of none is 404', isRefused(await ada.get('/tags/9999999'), 404))
  const lists: Record<string, string[]> = {
    [`/tags?tagSet=${set}`]: [snow.id],
    [`/tags?ownedBy=${ada.id}`]: [snow.id, rain.id],
    [`/tags?ownedBy=${ada.id}&urlWords=rain`]: [rain.id],
    [`/tags?ownedBy=${bob.id}`]: [],
    [`/tagsets?ownedBy=${ada.id}`]: [set],
    [`/tagsets?ownedBy=${ada.id}&urlWords=weather`]: [set],
    [`/tagsets?ownedBy=${ada.id}&urlWords=food`]: [],
  }
  for (const [path, expected] of Object.entries(lists)) await listed(holds, ada, path, expected)
  await paged(holds, ada, `/tags?ownedBy=${ada.id}`, [snow.id, rain.id])
  await paged(holds, ada, '/tagsets', idsIn((await ada.get('/tagsets')).json))
}

async function assignments(node: Node, { ada, bob, eve, key }: People): Promise<void> {
  const { call, holds } = node
  const { json: tag } = await ada.post('/tags', { name: 'Storm' })
  const full = {
    ...{ name: 'Storm pictures', description: 'Wind and water on the coast', callToAction: 'Send us' },
    ...{ receiptMessage: 'Thanks', starts: '2020-01-01T00:00:00.000Z', ends: '2099-01-01T00:00:00.000Z' },
    ...{ embargo: '2098-01-01T00:00:00.000Z', featured: true, mediaRequired: true, moderator: eve.id },
    ...{ allowsAnonymousContributions: true, urlWords: 'storm-pictures' },
  }
  const created = await ada.post('/assignments', { ...full, tags: [{ id: tag.id, name: 'Storm' }] })
  const storm = created.json
  holds('POST /assignments is 200', created.status === 200 && storm?.id, created.text)
  for (const [field, value] of Object.entries(full))
    holds(`an assignment keeps its ${field}`, storm?.[field] === value, storm?.[field])
  holds('an assignment has an owner', storm?.ownedBy === ada.id, storm)
  holds('an assignment shows its tags', same(storm?.tags, [tag]), storm?.tags)
  holds('an assignment has its time of creation', Date.parse(storm?.created) > 0, storm?.created)
  holds('it is open before its closing date', storm?.open === true, storm)
  const page = await call(storm?.webUrl)
  holds('an assignment has a page for people', page.status === 200 && page.text.includes('Storm pictures'), page.status)
  holds('GET /assignments/{id}', same((await ada.get(`/assignments/${storm.id}`)).json, storm))
  holds('GET /assignments/{id} of none is 404', isRefused(await ada.get('/assignments/9999999999'), 404))
  const { json: closed } = await ada.post('/assignments', { name: 'Closed', ends: '2020-01-01T00:00:00Z' })
  holds('an assignment is closed after its closing date', closed?.open === false, closed)
  const { json: always } = await ada.post('/assignments', { name: 'Always' })
  holds('one without a closing date is open', always?.open === true && !('ends' in always), always)
  const defaults = { featured: false, mediaRequired: false, allowsAnonymousContributions: false, tags: [] }
  const kept = Object.fromEntries(Object.keys(defaults).map((field) => [field, always?.[field]]))
  holds('what was not said is false', same(kept, defaults), kept)
  holds('urlWords follow from the name', always?.urlWords === 'always', always)
  const { json: twice } = await ada.post('/assignments', { name: 'Always' })
  holds('urlWords of the same name differ', twice?.urlWords === 'always-2', twice)

  const wrong: Record<string, object> = {
    'no name': {},
    'a name that is a number': { name: 5 },
    'ends that is no time': { name: 'x', ends: 'tomorrow' },
    'ends before it starts': { name: 'x', starts: '2027-01-01T00:00:00Z', ends: '2026-01-01T00:00:00Z' },
    'tags that are not there': { name: 'x', tags: [{ id: '99999999' }] },
    'a cover that is not there': { name: 'x', cover: { media: { id: '99999999' } } },
    'a moderator that is not there': { name: 'x', moderator: '99999999' },
    'urlWords that are taken': { name: 'x', urlWords: 'storm-pictures' },
    nonsense: { name: 'x', nonsense: 1 },
  }
  for (const [what, body] of Object.entries(wrong)) {
    const refused = await ada.post('/assignments', body)
    const field = what === 'no name' ? 'name' : what.replace(/^an? /, '').split(' ')[0]
    holds(`an assignment with ${what} is 400 by its field`, isRefused(refused, 400, field), refused.text)
  }
  const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' }
  const malformed = await call(`${at}/assignments`, { method: 'POST', headers, body: '{bad' })
  holds('a body that is no JSON is 400', isRefused(malformed, 400), malformed.text)
  const anonymous = await call(`${at}/assignments`, { method: 'POST', json: { name: 'x' } })
  holds('POST /assignments without a token is 401', isRefused(anonymous, 401), anonymous.text)

  const own = `/assignments?ownedBy=${ada.id}`
  const [s, c, a, t] = [storm.id, closed.id, always.id, twice.id]
  const filters: Record<string, string[]> = {
    '': [s, c, a, t],
    '&open=true': [s, a, t],
    '&open=false': [c],
    '&alwaysOpen=true': [a, t],
    '&alwaysOpen=false': [s, c],
    '&q=storm': [s],
    '&q=coast': [s],
    '&q=COAST': [s],
    '&urlWords=storm-pictures': [s],
    [`&tag=${tag.id}`]: [s],
    '&name=Closed': [c],
    '&name=Close': [],
    '&open=true&alwaysOpen=false': [s],
  }
  for (const [query, expected] of Object.entries(filters)) await listed(holds, ada, own + query, expected)
  const pages = [
    await ada.get(`${own}&page=1&pageSize=3`),
    await ada.get(`${own}&page=2&pageSize=3`),
    await ada.get(`${own}&page=3&pageSize=3`),
  ]
  const found = pages.map(({ json }) => idsIn(json))
  holds('pages hold the newest first', same(found, [[t, a, c], [s], []]), found)
  holds(
    'every page has the whole X-total-count',
    pages.every((page) => page.headers.get('x-total-count') === '4'),
  )
  for (const query of [
    'page=-1',
    'page=0',
    'page=x',
    'pageSize=0',
    'pageSize=x',
    'pageSize=1001',
    'open=maybe',
    'alwaysOpen=2',
  ]) {
    const refused = await ada.get(`/assignments?${query}`)
    holds(`GET /assignments?${query} is 400 by its field`, isRefused(refused, 400, query.split('=')[0]), refused.text)
  }
  for (let nth = 0; nth < 21; nth++) await key.post('/assignments', { name: 'Many' })
  holds('a page has 20 assignments if nothing is said', (await key.get('/assignments')).json.length === 20)

  const changed = await ada.post('/assignments', { id: a, name: 'Always changed' })
  const isChanged = changed.json?.id === a && changed.json.name === 'Always changed'
  holds('POST /assignments with an id changes it', isChanged, changed.text)
  holds('others may not', isRefused(await bob.post('/assignments', { id: a, name: 'Bob' }), 403))
  const path = `/assignments/${c}`
  holds('DELETE /assignments/{id} by others is 403', isRefused(await bob.ask('DELETE', path), 403))
  holds('DELETE /assignments/{id} of none is 404', isRefused(await ada.ask('DELETE', '/assignments/99999999'), 404))
  holds('DELETE /assignments/{id} is 200', (await ada.ask('DELETE', path)).status === 200)
  holds('a deleted assignment is 404', isRefused(await ada.get(path), 404))
  const sent = await published(bob, ada, { assignment: { id: a }, headline: 'Goes with it' })
  await ada.ask('DELETE', `/assignments/${a}`)
  holds('deleting an assignment deletes its contributions', isRefused(await ada.get(`/contributions/${sent.id}`), 404))
}
