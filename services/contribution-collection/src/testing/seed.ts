import { randomBytes } from 'node:crypto'
import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import * as contracts from '../contract.ts'

const all = {
  ...contracts.access,
  ...contracts.assignments,
  ...contracts.contributions,
  ...contracts.exportsOf,
  ...contracts.forms,
  ...contracts.media,
  ...contracts.search,
  ...contracts.subscriptions,
  ...contracts.tags,
  ...contracts.users,
}
let seeded = 0

/** The smallest picture. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Creates one of everything; the first of each kind has the same number. */
export const seed: Seed = async (owner) => {
  const ask = client(all, owner)
  const { body: set } = await ask.createTagSet({ body: { name: 'Weather', urlWords: `weather-${++seeded}` } })
  const tagged = { name: 'Snow', urlWords: `snow-${seeded}`, colour: '#ffffff', tagSet: { id: set.id } }
  const { body: tag } = await ask.createTag({ body: tagged })
  const { body: file } = await ask.createMedia({
    body: { mediaType: 'image/png', content: Buffer.from(pixel, 'base64') } as never,
  })
  const usage = { media: { id: file.id } }
  const username = `ada-${randomBytes(6).toString('hex')}`
  const { body: user } = await ask.createUser({
    body: { username, password: 'correct horse battery', displayName: 'Ada' },
  })
  const times = { starts: '2020-01-01T00:00:00.000Z', ends: '2099-01-01T00:00:00.000Z' }
  const { body: assignment } = await ask.createAssignment({
    body: {
      name: 'Snow',
      ...times,
      allowsAnonymousContributions: true,
      moderator: user.id,
      cover: usage,
      tags: [{ id: tag.id }],
    },
  })
  const latLong = { latitude: 51.5, longitude: -0.12 }
  const { body: contribution } = await ask.createContribution({
    body: {
      assignment: { id: assignment.id },
      headline: 'Snow in London',
      body: 'A lot of it.',
      attribution: 'Ada',
      mediaUsages: [usage],
      place: { name: 'London', country: 'GB', geohash: 'gcp', latLong, osm: { osmId: 65606, osmType: 'R' } },
    },
  })
  const { id } = contribution
  const resultingState = { id: 'approved', label: 'Approved', public: true }
  const approve = { id: 'approve', label: 'Approve', resultingState }
  await ask.moderateContribution({ params: { id }, body: { action: approve, notes: 'Lovely.' } })
  await ask.flagContribution({ params: { id }, body: { type: 'spam', email: 'a@b.example', notes: 'Is it?' } })
  await ask.likeContribution({ params: { id } })
  await ask.createExport({ query: { format: 'none', json: true } })
  const fields = [{ name: 'phone', label: 'Phone', type: 'telephone' } as const]
  const { body: form } = await ask.createForm({ body: { name: 'More', fields, tags: [{ id: tag.id }] } })
  await ask.createFormResponse({ body: { form: form.id, contribution: id, responses: { phone: '+44 20 7946 0000' } } })
  const types = ['contribution-flagged']
  await ask.createSubscription({
    body: { types, includeBody: true, includeThumbnail: true, assignment: assignment.id, email: 'desk@news.example' },
  })
  const slackChannel = 'https://chat.example/hooks/1'
  await ask.createSubscription({ body: { types, includeBody: false, slackChannel, url: 'https://news.example/told' } })
  await ask.createContribution({
    body: {
      assignment: { id: assignment.id },
      headline: 'Snow of the last century',
      created: '1999-12-31T12:00:00.000Z',
      via: { authority: { user: { id: user.id } }, ipAddress: '192.0.2.7' },
      moderationHistory: [{ date: '1999-12-31T13:00:00.000Z', action: approve, notes: 'Old.' }],
    },
  })
  await ask.linkProfile({ params: { id: user.id, type: 'site' }, body: { id: 'ada', name: 'Ada' } })
  return { id, type: 'site', urlWords: `words-${seeded}-`, username: `${username}-` }
}
