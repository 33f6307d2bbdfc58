import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, startContributions, type World } from '../testing/app.ts'

let world: World
let desk: Ask
beforeAll(async () => {
  world = await startContributions()
  desk = await world.tenant()
})
afterAll(() => world[Symbol.asyncDispose]())

test('a platform key can migrate a contribution with its date, author and moderation history', async () => {
  const author = await world.user(desk, 'Ada')
  const { body: assignment } = await desk.createAssignment({
    body: { name: 'Floods', ends: '2020-12-31T00:00:00.000Z' },
  })
  const submission = {
    assignment: { id: assignment.id },
    headline: 'Water in the cellar',
    created: '2020-01-01T10:00:00.000Z',
    via: { authority: { user: { id: author.id } }, ipAddress: '192.0.2.7' },
    moderationHistory: [
      { date: '2020-01-03T00:00:00.000Z', action: { id: 'approve' }, notes: 'After a look.' },
      { date: '2020-01-02T00:00:00.000Z', action: { id: 'escalate' } },
    ],
  }
  const { body: migrated } = await desk.createContribution({ body: submission })
  const { body } = await desk.getContribution({ params: { id: migrated.id } })
  expect(body).toMatchObject({
    created: submission.created,
    attribution: 'Ada',
    via: { ipAddress: '192.0.2.7', authority: { user: { id: author.id, displayName: 'Ada' } } },
    moderationHistory: [
      { date: '2020-01-02T00:00:00.000Z', action: { id: 'escalate' } },
      { date: '2020-01-03T00:00:00.000Z', action: { id: 'approve' }, notes: 'After a look.' },
    ],
  })
  const idsOf = async (query: object) => (await desk.listContributions({ query })).body.map(({ id }) => id)
  expect(await idsOf({ createdMonth: '2020-01' })).toEqual([migrated.id])
  expect(await idsOf({ createdBefore: '2020-01-02', createdAfter: '2020-01-01' })).toEqual([migrated.id])
  expect(await idsOf({ user: author.id })).toEqual([migrated.id])

  const refused = async (ask: Ask, body: object) => {
    const error = await ask.createContribution({ body: { ...submission, ...body } }).catch((reason: unknown) => reason)
    const { status, body: problem } = error as { status: number; body: { fields: { name: string }[] } }
    return [status, problem.fields.map(({ name }) => name)]
  }
  expect(await refused(author.ask, {})).toEqual([400, ['created', 'via', 'moderationHistory']])
  expect(await refused(desk, { id: migrated.id })).toEqual([400, ['id']])
  expect(await refused(desk, { tags: [], zzz: 1 })).toEqual([400, ['tags', 'zzz']])
  expect(await refused(desk, { created: '2999-01-01T00:00:00.000Z' })).toEqual([400, ['created']])
  expect(await refused(desk, { created: '2020-01-02T12:00:00.000Z' })).toEqual([400, ['moderationHistory/1/date']])
  const via = { authority: { user: { id: 'user_unknown' } } }
  expect(await refused(desk, { via })).toEqual([400, ['via/authority/user/id']])
})

test('a contribution has a like count', async () => {
  const { body: assignment } = await desk.createAssignment({ body: { name: 'Liked' } })
  const { body: contribution } = await desk.createContribution({
    body: { assignment: { id: assignment.id }, headline: 'Sun' },
  })
  expect(contribution.likeCount).toBe(0)
  await desk.likeContribution({ params: { id: contribution.id } })
  expect((await desk.getContribution({ params: { id: contribution.id } })).body.likeCount).toBe(1)
})

test('the moderator of an assignment must be an existing user', async () => {
  await expect(desk.createAssignment({ body: { name: 'x', moderator: '99999999' } })).rejects.toMatchObject({
    status: 400,
    body: { fields: [{ name: 'moderator', message: expect.stringContaining('not an existing user') }] },
  })
})

test('a linked profile keeps its registration date', async () => {
  const { id } = await world.user(desk, 'Grace')
  const params = { id, type: 'twitter' }
  const registered = '2015-05-05T00:00:00.000Z'
  await desk.linkProfile({ params, body: { id: 'grace', registered } })
  await desk.linkProfile({ params, body: { id: 'grace', name: 'Grace' } })
  expect((await desk.getLinkedProfile({ params })).body).toMatchObject({ registered, name: 'Grace' })
})

test('lists are paged, with totals and links to the next page', async () => {
  const key = await world.app.key('news')
  const own = world.as(key)
  const { body: assignment } = await own.createAssignment({ body: { name: 'Paged' } })
  for (const nth of [1, 2, 3]) {
    const headline = `Paged ${nth}`
    await own.createTagSet({ body: { name: headline, urlWords: `paged-${nth}` } })
    await own.createTag({ body: { name: headline } })
    const { body: form } = await own.createForm({ body: { name: headline } })
    await own.createFormResponse({ body: { form: form.id, responses: {} } })
    await own.createSubscription({
      body: { types: ['contribution-flagged'], includeBody: false, email: `${nth}@news.example` },
    })
    await own.createContribution({ body: { assignment: { id: assignment.id }, headline } })
    await world.user(desk, headline)
  }
  const ownedBy = assignment.ownedBy as string
  const fetchPage = async (address: string) => {
    const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
    const { headers } = response
    const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
    return {
      total: headers.get('x-total-count'),
      next,
      ids: ((await response.json()) as { id: string }[]).map(({ id }) => id),
    }
  }
  const lists = ['/tags?', '/tagsets?', `/forms?ownedBy=${ownedBy}&`, '/form-responses?', '/users?', '/assignments?']
  for (const list of [...lists, `/contributions?assignment=${assignment.id}&state=any&page=1&`, '/subscriptions?']) {
    const first = await fetchPage(`${world.url}${list}pageSize=2`)
    const second = await fetchPage(first.next as string)
    const all = await fetchPage(`${world.url}${list}pageSize=200`)
    expect([...first.ids, ...second.ids], list).toEqual(all.ids.slice(0, 4))
    expect([first.total, all.total], list).toEqual([String(all.ids.length), String(all.ids.length)])
    expect(all.ids.length, list).toBeGreaterThan(2)
  }
})
