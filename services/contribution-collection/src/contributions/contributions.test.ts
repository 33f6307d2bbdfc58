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

test('a pending contribution is visible to its author and the desk, an approved one to everyone', async () => {
  const owner = await world.user(desk, 'Owner')
  const author = await world.user(desk, 'Ada Author', ['contribute'])
  const reader = await world.user(desk, 'Reader', ['read'])
  const { body: assignment } = await owner.ask.createAssignment({ body: { name: 'Rainbows' } })
  const place = { name: 'Málaga', country: 'es', latLong: { latitude: 36.72, longitude: -4.42 } }
  const { body: pending } = await author.ask.createContribution({
    body: { assignment: { id: assignment.id }, headline: 'A rainbow in Málaga', body: 'Twice!', place },
  })
  const params = { id: pending.id }
  expect(pending).toMatchObject({
    attribution: 'Ada Author',
    urlWords: `a-rainbow-in-malaga-${pending.id}`,
    place: { ...place, country: 'ES', geohash: expect.stringMatching(/^eysb/) },
    moderationHistory: [],
  })
  expect(pending.via, 'hidden from authors').toBeUndefined()
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
  const { body: publicView } = await reader.ask.getContribution({ params })
  expect(publicView).not.toHaveProperty('moderationHistory')
  expect(publicView).not.toHaveProperty('via')
  const { body: authorView } = await author.ask.getContribution({ params })
  expect(authorView.moderationHistory).toMatchObject([{ action: { id: 'approve', resultingState: { public: true } } }])
  expect(authorView.moderationHistory?.[0]).not.toHaveProperty('notes')
  const { body: ownerView } = await owner.ask.getContribution({ params })
  expect(ownerView).toMatchObject({
    moderationHistory: [{ notes: 'for the front page' }],
    via: { ipAddress: '127.0.0.1', authority: { user: { id: author.id, displayName: 'Ada Author' } } },
  })
})

test('a rejected contribution disappears from lists, RSS, refinements and search with the next request', async () => {
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
  const [visible, hidden] = [true, false].map((is) => ({ list: is, search: is, rss: is, refinements: is }))
  expect(await everywhere()).toEqual(visible)
  await desk.moderateContribution({ params, body: { action: { id: 'reject' } } })
  expect(await everywhere()).toEqual(hidden)
  await desk.moderateContribution({ params, body: { action: { id: 'approve' } } })
  expect(await everywhere()).toEqual(visible)
  // Until the embargo ends, only the desk sees contributions to an assignment.
  const embargo = new Date(world.app.platform.clock.now().getTime() + 60_000).toISOString()
  await desk.createAssignment({ body: { id: assignment.id, name: 'Avalanches', embargo } })
  expect(await everywhere()).toEqual(hidden)
  await world.app.clock.advance(61_000)
  expect(await everywhere()).toEqual(visible)
  await desk.deleteContribution({ params })
  expect(await everywhere()).toEqual(hidden)
})

test('unknown actions and contradicting action details are refused', async () => {
  const { params } = await approved(desk)
  const refused = (action: Parameters<Ask['moderateContribution']>[0]['body']['action']) =>
    expect(desk.moderateContribution({ params, body: { action } })).rejects.toMatchObject({ status: 400 })
  await refused({ id: 'explode' })
  await refused({ id: 'reject', label: 'Approve' })
  await refused({ id: 'reject', resultingState: { id: 'approved' } })
  await refused({ id: 'reject', resultingState: { id: 'rejected', public: true } })
})

test('200 concurrent likes are counted exactly, and each client counts once', async () => {
  const { params } = await approved(desk)
  const clients = await Promise.all(Array.from({ length: 200 }, async () => world.as(await world.app.key('news'))))
  // Retries while the server is overloaded.
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

test('concurrent flags and moderations are all stored', async () => {
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
  // The last moderation determines the state.
  const last = history.at(-1)?.action.resultingState.id as string
  const { body: inState } = await desk.listContributions({ query: { ids: params.id, state: last } })
  expect(inState).toHaveLength(1)
}, 120_000)

test('the moderator of an assignment has jurisdiction there and nowhere else', async () => {
  const moderator = await world.user(desk, 'Moderator', ['moderate'])
  const { body: otherAssignment } = await desk.createAssignment({ body: { name: 'Theirs', moderator: moderator.id } })
  const { body: others } = await desk.createAssignment({ body: { name: 'Others' } })
  const contribute = async (id: string) =>
    (await desk.createContribution({ body: { assignment: { id }, headline: 'Something' } })).body.id
  const [own, foreign] = [await contribute(otherAssignment.id), await contribute(others.id)]
  const approve = { action: { id: 'approve' } }
  await moderator.ask.moderateContribution({ params: { id: own }, body: approve })
  await expect(moderator.ask.moderateContribution({ params: { id: foreign }, body: approve })).rejects.toMatchObject({
    status: 404,
  })
  await desk.moderateContribution({ params: { id: foreign }, body: approve })
  await expect(moderator.ask.moderateContribution({ params: { id: foreign }, body: approve })).rejects.toMatchObject({
    status: 403,
  })
  await expect(moderator.ask.deleteContribution({ params: { id: foreign } })).rejects.toMatchObject({ status: 403 })
})

test('an assignment accepts only valid contributions, while it is open', async () => {
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

test('texts are returned unchanged, and escaped in RSS', async () => {
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
