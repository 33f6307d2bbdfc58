import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type MailServer, startMailServer } from '@icosa/delivery/testing/mail-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Ask, approved, startContributions, type World } from '../testing/app.ts'

interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Records requests, and replies with the statuses in `answers`. */
async function startReceiver() {
  const received: Received[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece
    })
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(answers.shift() ?? 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, answers, server }
}

let world: World
let desk: Ask
let mail: MailServer
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  mail = await startMailServer()
  receiver = await startReceiver()
  world = await startContributions({
    mail: { from: 'News <news@news.example>', transport: { kind: 'smtp', url: `smtp://127.0.0.1:${mail.port}` } },
    chatUrl: `${receiver.url}/chat`,
  })
  desk = await world.tenant()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
  receiver.server.close()
})
beforeEach(async () => {
  for (const { id } of (await desk.listSubscriptions({})).body) await desk.deleteSubscription({ params: { id } })
  receiver.received.length = 0
  mail.received.length = 0
})

/** Runs all delivery attempts due within `pauses` retry pauses. */
const settle = async (pauses = 2) => {
  await world.app.jobs.drain()
  for (let turn = 0; turn < pauses; turn++) {
    await world.app.clock.advance(7 * 3_600_000)
    await world.app.jobs.drain()
  }
}

test('a webhook is signed, retried after a 500, and delivered once per event', async () => {
  const { body: subscription } = await desk.createSubscription({
    body: { types: ['contribution-flagged'], includeBody: true, url: `${receiver.url}/hook` },
  })
  const { params } = await approved(desk, 'A whale', 'Whales')
  receiver.answers.push(500, 503)
  await desk.flagContribution({ params, body: { type: 'spam', notes: 'Not a whale' } })
  await settle(3)
  expect(receiver.received).toHaveLength(3)
  const [first, , last] = receiver.received
  for (const { headers, body } of receiver.received) {
    const key = Buffer.from(subscription.token.replace('whsec_', ''), 'base64')
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    expect(headers['webhook-id'], 'deduplication id').toBe(first?.headers['webhook-id'])
  }
  expect(JSON.parse(last?.body as string)).toMatchObject({
    type: 'contribution-flagged',
    contribution: {
      id: params.id,
      headline: 'A whale',
      flag: 'spam',
      notes: 'Not a whale',
      assignment: { name: 'Whales' },
    },
  })
  await settle()
  expect(receiver.received, 'no further attempts').toHaveLength(3)
  const rows = await world.app.platform.database.script(
    'select attempts, result from contribution_collection.deliveries',
  )
  expect(rows).toContainEqual({ attempts: 3, result: 'delivered' })
})

test('delivery stops after a 410, or after too many failures', async () => {
  await desk.createSubscription({
    body: { types: ['contribution-flagged'], includeBody: false, url: `${receiver.url}/gone` },
  })
  const { params } = await approved(desk)
  receiver.answers.push(410)
  await desk.flagContribution({ params, body: {} })
  await settle()
  expect(receiver.received).toHaveLength(1)
  receiver.answers.push(...Array(20).fill(500))
  await desk.flagContribution({ params, body: {} })
  await settle(10)
  expect(receiver.received.length - 1).toBe(9)
  receiver.answers.length = 0
})

test('subscribers are notified by mail and chat, with or without the body', async () => {
  const { assignment } = await approved(desk, 'Before', 'Told')
  const body = { types: ['contribution-submitted', 'contribution-moderated'], assignment: assignment.id }
  await desk.createSubscription({ body: { ...body, includeBody: true, email: 'desk@news.example' } })
  await desk.createSubscription({ body: { ...body, includeBody: false, slackChannel: '#pictures' } })
  mail.answers.push(451) // greylisting
  const { body: contribution } = await desk.createContribution({
    body: { assignment: { id: assignment.id }, headline: 'Hail & <storm>', body: 'As big as eggs' },
  })
  await settle()
  expect(mail.received.map(({ recipients }) => recipients)).toEqual([['desk@news.example'], ['desk@news.example']])
  expect(mail.received[1]?.raw).toContain('As big as eggs')
  expect(mail.received[1]?.raw).toContain('Hail &amp; &lt;storm&gt;')
  expect(receiver.received).toHaveLength(1)
  const chat = JSON.parse(receiver.received[0]?.body as string)
  expect(chat).toMatchObject({ channel: '#pictures', text: expect.stringContaining('Hail &amp; &lt;storm&gt;') })
  expect(chat.text).not.toContain('As big as eggs')
  await desk.moderateContribution({ params: { id: contribution.id }, body: { action: { id: 'approve' } } })
  await settle()
  expect(mail.received[2]?.raw).toContain('It is now approved.')
})

test('subscribers are notified only of contributions in their jurisdiction', async () => {
  const [mine, other] = [await world.user(desk, 'Mine'), await world.user(desk, 'Other')]
  const body = { types: ['contribution-submitted'], includeBody: true, url: `${receiver.url}/user` }
  await mine.ask.createSubscription({ body })
  await other.ask.createSubscription({ body: { ...body, url: `${receiver.url}/other` } })
  await (await world.tenant('elsewhere')).createSubscription({ body: { ...body, url: `${receiver.url}/elsewhere` } })
  const { body: assignment } = await mine.ask.createAssignment({ body: { name: 'Private matters' } })
  await desk.createContribution({ body: { assignment: { id: assignment.id }, headline: 'For one desk' } })
  await settle()
  expect(receiver.received.map(({ path }) => path)).toEqual(['/user'])
})

test('authors get a mail when their contribution is received and published', async () => {
  const author = await world.user(desk, 'Kind Author')
  const { body: assignment } = await desk.createAssignment({
    body: { name: 'Thanks', receiptMessage: 'We look at it within a day.' },
  })
  const { body } = await author.ask.createContribution({
    body: { assignment: { id: assignment.id }, headline: 'Here' },
  })
  const params = { id: body.id }
  await settle()
  await desk.moderateContribution({ params, body: { action: { id: 'approve' } } })
  await settle()
  const subjects = mail.received.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1])
  expect(subjects).toEqual(['Thank you for your contribution', 'Your contribution is published'])
  expect(mail.received[0]?.raw).toContain('We look at it within a day.')
  const { body: preview } = await desk.previewNotification({ params, query: { message: 'received' } })
  expect(preview).toMatchObject({
    email: mail.received[0]?.recipients[0],
    subject: 'Thank you for your contribution',
    html: expect.stringContaining('Dear Kind Author,'),
  })
  const events = (await desk.listEventTypes({})).body
  for (const { id: message } of events)
    expect((await desk.previewNotification({ params, query: { message } })).body.html).toContain('Here')
  await expect(desk.previewNotification({ params, query: { message: 'nothing' } })).rejects.toMatchObject({
    status: 400,
  })
  await expect(author.ask.previewNotification({ params, query: { message: 'received' } })).rejects.toMatchObject({
    status: 403,
  })
})

test('a deletion event contains no text, and no text of the contribution is left', async () => {
  const types = ['contribution-deleted', 'contribution-submitted']
  await desk.createSubscription({ body: { types, includeBody: true, url: `${receiver.url}/hook` } })
  const { body: assignment } = await desk.createAssignment({ body: { name: 'Mistakes' } })
  const secret = 'regrettable-text'
  const { body } = await desk.createContribution({
    body: {
      assignment: { id: assignment.id },
      headline: secret,
      body: secret,
      attribution: secret,
      place: { name: secret },
    },
  })
  const params = { id: body.id }
  await desk.flagContribution({ params, body: { notes: secret } })
  await desk.moderateContribution({ params, body: { action: { id: 'reject' }, notes: secret } })
  await settle()
  await desk.deleteContribution({ params })
  await settle()
  const [submitted, deleted] = receiver.received
  expect(submitted?.body).toContain(secret)
  expect(JSON.parse(deleted?.body as string)).toMatchObject({ type: 'contribution-deleted', contribution: params })
  expect(deleted?.body).not.toContain(secret)
  const { database } = world.app.platform
  const tables = (await database.script(`
    select table_name as name from information_schema.tables where table_schema = 'contribution_collection'`)) as {
    name: string
  }[]
  for (const { name } of tables) {
    const rows = await database.script(`
      select count(*)::int as count from contribution_collection.${name} as t where t::text like '%${secret}%'`)
    expect(rows, name).toEqual([{ count: 0 }])
  }
})

test('a subscription without a valid target and types is refused by field', async () => {
  const refused = (body: Record<string, unknown>, field: string) =>
    expect(
      desk.createSubscription({ body: { types: ['contribution-flagged'], includeBody: true, ...body } as never }),
    ).rejects.toMatchObject({ status: 400, body: { fields: [{ name: field }] } })
  await refused({}, 'email')
  await refused({ email: 'a@b.example', types: ['earthquake'] }, 'types')
  await refused({ email: 'a@b.example', assignment: '99999' }, 'assignment')
  await refused({ email: 'a@b.example\r\nBcc: c@d.example' }, 'email')
  await refused({ email: 'a@b.example', includeThumbnail: true, includeThumbenail: false }, 'includeThumbenail')
})
