import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, approved, startContributions, type World } from '../testing/app.ts'

let world: World
let desk: Ask
beforeAll(async () => {
  world = await startContributions()
  desk = await world.tenant()
})
afterAll(() => world[Symbol.asyncDispose]())

const headlines = (body: readonly { readonly headline?: string }[]) => body.map(({ headline }) => headline)

test('what is sent is seen by its author and the desk, and by everybody once it is approved', async () => {
  const owner = await world.user(desk, 'Owner')
  const author = await world.user(desk, 'Ada Author', ['contribute'])
  const reader = await world.user(desk, 'Reader', ['read'])
  const { body: assignment } = await owner.ask.createAssignment({ body: { name: 'Rainbows' } })
  const place = { name: 'Málaga', country: 'es', latLong: { latitude: 36.72, longitude: -4.42 } }
  const { body: sent } = await author.ask.createContribution({
    body: { assignment: { id: assignment.id }, headline: 'A rainbow in Málaga', body: 'Twice!', place },
  })
  const params = { id: sent.id }
  expect(sent).toMatchObject({
    attribution: 'Ada Author',
    urlWords: `a-rainbow-in-malaga-${sent.id}`,
    place: { ...place, country: 'ES', geohash: expect.stringMatching(/^eysb/) },
    moderationHistory: [],
  })
  expect(sent.via, 'is not for authors').toBeUndefined()
  await expect(reader.ask.getContribution({ params })).rejects.toMatchObject({ status: 404 })
  expect((await reader.ask.listContributions({ query: { q: 'rainbow', state: 'any' } })).body).toEqual([])
  expect((await author.ask.listContributions({ query: { state: 'pending' } })).body).toHaveLength(1)

  await expect(reader.ask.moderateContribution({ params, body: { action: { id: 'approve' } } })).rejects.toMatchObject({
    status: 403,
  })
  const { body: state } = await owner.ask.moderateContribution({
    params,
    body: { action: { id: 'approve' }, notes: 'for the front page' },
  })
  expect(state).toBe('approved')
  const { body: seen } = await reader.ask.getContribution({ params })
  expect(seen).not.toHaveProperty('moderationHistory')
  expect(seen).not.toHaveProperty('via')
  const { body: mine } = await author.ask.getContribution({ params })
  expect(mine.moderationHistory).toMatchObject([{ action: { id: 'approve', resultingState: { public: true } } }])
  expect(mine.moderationHistory?.[0]).not.toHaveProperty('notes')
  const { body: theirs } = await owner.ask.getContribution({ params })
  expect(theirs).toMatchObject({
    moderationHistory: [{ notes: 'for the front page' }],
    via: { ipAddress: '127.0.0.1', authority: { user: { id: author.id, displayName: 'Ada Author' } } },
  })
})

test('what is moderated is gone from the list, rss, refinements and search with the next request', async () => {
  const reader = await world.user(desk, 'Second Reader', ['read'])
  const { assignment, params } = await approved(desk, 'Unrepeatable avalanche', 'Avalanches')
  const rss = async () => {
    const response = await fetch(`${world.url}/contributions?format=rss`, {
      headers: { authorization: `Bearer ${reader.token}` },
    })
    expect(response.headers.get('content-type')).toMatch(/^application\/rss\+xml/)
    return response.text()
  }
  const everywhere = async () => ({
    list: headlines((await reader.ask.listContributions({})).body).includes('Unrepeatable avalanche'),
    search: (await reader.ask.listContributions({ query: { q: 'avalanche' } })).body.length > 0,
    rss: (await rss()).includes('<title>Unrepeatable avalanche</title>'),
    refinements: (
      await reader.ask.listRefinements({ query: { refinements: 'assignment', refinementSize: 1000 } })
    ).body.assignment?.includes(assignment.id),
  })
  const [there, gone] = [true, false].map((is) => ({ list: is, search: is, rss: is, refinements: is }))
  expect(await everywhere()).toEqual(there)
  await desk.moderateContribution({ params, body: { action: { id: 'reject' } } })
  expect(await everywhere()).toEqual(gone)
  await desk.moderateContribution({ params, body: { action: { id: 'approve' } } })
  expect(await everywhere()).toEqual(there)
  // Until its embargo is over, nobody but the desk sees what was sent to an assignment.
  const embargo = new Date(world.app.platform.clock.now().getTime() + 60_000).toISOString()
  await desk.createAssignment({ body: { id: assignment.id, name: 'Avalanches', embargo } })
  expect(await everywhere()).toEqual(gone)
  await world.app.clock.advance(61_000)
  expect(await everywhere()).toEqual(there)
  await desk.deleteContribution({ params })
  expect(await everywhere()).toEqual(gone)
})

test('an action must be one of ours, and what is said of it true', async () => {
  const { params } = await approved(desk)
  const refused = (action: Parameters<Ask['moderateContribution']>[0]['body']['action']) =>
    expect(desk.moderateContribution({ params, body: { action } })).rejects.toMatchObject({ status: 400 })
  await refused({ id: 'explode' })
  await refused({ id: 'reject', label: 'Approve' })
  await refused({ id: 'reject', resultingState: { id: 'approved' } })
  await refused({ id: 'reject', resultingState: { id: 'rejected', public: true } })
})

test('likes by 200 clients at once are exact, and each counts once', async () => {
  const { params } = await approved(desk)
  const clients = await Promise.all(Array.from({ length: 200 }, async () => world.as(await world.app.key('news'))))
  // One that is asked to wait comes back.
  const like = async (ask: Ask): Promise<number> => {
    try {
      return (await ask.likeContribution({ params })).body
    } catch (error) {
      if ((error as { status?: number }).status !== 503) throw error
      await setTimeout(100)
      return like(ask)
    }
  }
  const counts = await Promise.all(clients.map(like))
  expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, nth) => nth + 1))
  expect(await Promise.all(clients.slice(0, 20).map(like)), 'a second time').toEqual(Array(20).fill(200))
  const { body: likers } = await desk.listLikes({ params })
  expect(new Set(likers).size).toBe(200)
  expect(await like(desk)).toBe(201)
}, 120_000)

test('flags and moderation at once: nothing is lost of either', async () => {
  const { params } = await approved(desk)
  const actions = ['reject', 'approve', 'escalate', 'reset'] as const
  await Promise.all(
    Array.from({ length: 40 }, async (_, nth) => {
      await desk.flagContribution({ params, body: { type: 'spam', notes: `flag ${nth}`, email: 'a@b.example' } })
      await desk.moderateContribution({ params, body: { action: { id: actions[nth % 4] as string }, notes: `${nth}` } })
    }),
  )
  const { body } = await desk.getContribution({ params })
  const history = body.moderationHistory ?? []
  expect(history.map(({ notes }) => Number(notes ?? -1)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 41 }, (_, nth) => nth - 1),
  )
  const { body: flags } = await desk.listFlags({ params })
  expect(new Set(flags.map(({ notes }) => notes)).size).toBe(40)
  expect(flags[0]).toMatchObject({ type: 'spam', email: 'a@b.example' })
  // The last of the history is the state.
  const last = history.at(-1)?.action.resultingState.id as string
  const { body: inState } = await desk.listContributions({ query: { ids: params.id, state: last } })
  expect(inState).toHaveLength(1)
}, 120_000)

test('a moderator of one assignment has jurisdiction there and nowhere else', async () => {
  const moderator = await world.user(desk, 'Moderator', ['moderate'])
  const { body: theirs } = await desk.createAssignment({ body: { name: 'Theirs', moderator: moderator.id } })
  const { body: others } = await desk.createAssignment({ body: { name: 'Others' } })
  const sent = async (id: string) =>
    (await desk.createContribution({ body: { assignment: { id }, headline: 'Something' } })).body.id
  const [mine, not] = [await sent(theirs.id), await sent(others.id)]
  const approve = { action: { id: 'approve' } }
  await moderator.ask.moderateContribution({ params: { id: mine }, body: approve })
  await expect(moderator.ask.moderateContribution({ params: { id: not }, body: approve })).rejects.toMatchObject({
    status: 404,
  })
  await desk.moderateContribution({ params: { id: not }, body: approve })
  await expect(moderator.ask.moderateContribution({ params: { id: not }, body: approve })).rejects.toMatchObject({
    status: 403,
  })
  await expect(moderator.ask.deleteContribution({ params: { id: not } })).rejects.toMatchObject({ status: 403 })
})

test('an assignment takes what it asks for, while it is open', async () => {
  const refused = (body: Parameters<Ask['createContribution']>[0]['body'], field: string) =>
    expect(desk.createContribution({ body })).rejects.toMatchObject({
      status: 400,
      body: { fields: [{ name: field }] },
    })
  const make = async (body: Omit<Parameters<Ask['createAssignment']>[0]['body'], 'name'>) => ({
    id: (await desk.createAssignment({ body: { name: 'Rules', ...body } })).body.id,
  })
  const headline = 'Here'
  await refused({ assignment: await make({ ends: '2020-01-01T00:00:00Z' }), headline }, 'assignment')
  await refused({ assignment: await make({ starts: '2090-01-01T00:00:00Z' }), headline }, 'assignment')
  await refused({ assignment: await make({ mediaRequired: true }), headline }, 'mediaUsages')
  await refused({ assignment: await make({}), headline, attribution: '' }, 'attribution')
  await refused({ assignment: await make({}), headline: '  ' }, 'headline')
  await refused({ assignment: { id: '99999' }, headline }, 'assignment/id')
  const place = { geohash: 'u33', latLong: { latitude: 51.5, longitude: -0.12 } }
  await refused({ assignment: await make({}), headline, place }, 'place/geohash')
  const assignment = await make({ allowsAnonymousContributions: true })
  const { body } = await desk.createContribution({ body: { assignment, headline, attribution: '' } })
  expect(body.attribution).toBe('')
})

test('texts come back as they were sent, and safe in rss', async () => {
  const headline = `<script>alert("x")</script> & ]]> \u{1f600} \u0007`
  const { contribution } = await approved(desk, headline)
  expect((await desk.getContribution({ params: { id: contribution.id } })).body.headline).toBe(headline)
  const response = await fetch(`${world.url}/contributions?format=rss&ids=${contribution.id}`, {
    headers: { authorization: `Bearer ${await world.app.key('news')}` },
  })
  const text = await response.text()
  expect(text).toContain('&lt;script&gt;')
  expect(text).not.toContain('<script>')
  expect(text).not.toContain('\u0007')
})
