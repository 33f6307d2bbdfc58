import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { deliverBy } from '@icosa/delivery/mail'
import { certificate } from '@icosa/delivery/testing/certificate'
import { type MailServer, startMailServer } from '@icosa/delivery/testing/mail-server'
import { sql } from '@icosa/kernel'
import { afterAll, describe, expect, test } from 'vitest'
import { createPerson } from '../people/people.ts'
import { parseMail, startPeople, type TestPeople } from '../people/testing/service.ts'
import { startVerification, verifyAddress } from '../people/verification.ts'
import { mailJob } from './job.ts'
import { contentOf } from './templates.ts'

const from = 'Icosa <no-reply@example.com>'
const smtp = (url: string) => ({ from, transport: { kind: 'smtp' as const, url } })
const local = ({ port }: MailServer) => smtp(`smtp://127.0.0.1:${port}`)
const email = 'ada@example.com'

async function requestMail(people: TestPeople) {
  const ada = await createPerson(people.db, people.clock, { email, emailVerified: false })
  await startVerification(people.context, ada)
  await people.app.jobs.drain()
  return ada
}

/** Whether a retry is scheduled. */
async function isPending({ db }: TestPeople): Promise<boolean> {
  return (await db.many(sql`select 1 from icosa.timers`)).length > 0
}

test('a mail has text and HTML parts with the link, and is marked as auto-generated', async () => {
  await using server = await startMailServer()
  await using people = await startPeople(local(server))
  await requestMail(people)
  const [{ raw, recipients } = expect.fail('no mail')] = server.received
  expect(recipients).toEqual([email])
  expect(raw).toMatch(/^From: Icosa <no-reply@example\.com>\r$/m)
  expect(raw).toMatch(/^To: ada@example\.com\r$/m)
  expect(raw).toMatch(/^Message-ID: <[\da-f-]{36}@example\.com>\r$/m)
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  expect(raw).toContain('Content-Type: text/plain')
  expect(raw).toContain('Content-Type: text/html')
  const links = raw
    .replace(/=\r\n/g, '')
    .match(/https:\/\/id\.example\.com\/identity-connect\/verify\?token=3D[\w-]{43}/g)
  expect(links).toHaveLength(2)
  expect(new Set(links).size).toBe(1)
})

test('a temporary failure is retried with the same Message-ID', async () => {
  await using server = await startMailServer()
  server.answers.push(451, 421)
  await using people = await startPeople(local(server))
  await requestMail(people)
  expect(server.received).toHaveLength(1)
  for (const pauseMs of [1_000, 2_000]) {
    await people.app.jobs.drain()
    expect(await isPending(people)).toBe(true)
    await people.app.clock.advance(pauseMs)
    await people.app.jobs.drain()
  }
  expect(server.received).toHaveLength(3)
  expect(new Set(server.received.map(({ raw }) => /^Message-ID: .*$/m.exec(raw)?.[0])).size).toBe(1)
  expect(await isPending(people)).toBe(false)
})

test('a mail with unknown delivery status is resent; either link works, but only one of them', async () => {
  await using server = await startMailServer()
  server.answers.push('dropped')
  await using people = await startPeople(local(server))
  const { id } = await requestMail(people)
  await people.app.clock.advance(1_000)
  await people.app.jobs.drain()
  const [first = '', second = ''] = server.received.map(({ raw }) => parseMail(raw).token)
  expect(second).toMatch(/^[\w-]{43}$/)
  expect(first).not.toBe(second)
  expect(await verifyAddress(people.context, first, id)).toMatchObject({ emailVerified: true })
  await expect(verifyAddress(people.context, second, id)).rejects.toMatchObject({ code: 'LinkEnded' })
})

test.each([550, 552])('a mail rejected with %i is not retried', async (status) => {
  await using server = await startMailServer()
  server.answers.push(status)
  await using people = await startPeople(local(server))
  await requestMail(people)
  expect(server.received).toHaveLength(1)
  expect(await isPending(people)).toBe(false)
})

test('an unknown recipient is not retried', async () => {
  await using server = await startMailServer({
    onRcptTo: (_, __, done) => done(Object.assign(new Error('No such user'), { responseCode: 550 })),
  })
  await using people = await startPeople(local(server))
  await requestMail(people)
  expect([server.received, await isPending(people)]).toEqual([[], false])
})

test('an unreachable server is tried twelve times', async () => {
  const stopped = await startMailServer()
  await stopped[Symbol.asyncDispose]()
  await using people = await startPeople(local(stopped))
  await requestMail(people)
  let attempts = 1
  for (; await isPending(people); attempts++) {
    await people.app.clock.advance(3_600_000)
    await people.app.jobs.drain()
  }
  expect(attempts).toBe(12)
})

describe('encryption', () => {
  const trusted = getCACertificates('default')
  afterAll(() => setDefaultCACertificates(trusted))
  // Reaches this machine, but does not count as loopback.
  const elsewhere = ({ port }: MailServer, scheme = 'smtp') => smtp(`${scheme}://0.0.0.0:${port}`)

  test('is required for remote servers', async () => {
    await using server = await startMailServer({ disabledCommands: ['STARTTLS'] })
    await using people = await startPeople(elsewhere(server))
    await requestMail(people)
    expect([server.received, await isPending(people)]).toEqual([[], true])
  })

  test.each(['smtp', 'smtps'])('requires a trusted certificate (%s)', async (scheme) => {
    await using server = await startMailServer({ secure: scheme === 'smtps' })
    await using people = await startPeople(elsewhere(server, scheme))
    await requestMail(people)
    expect([server.received, await isPending(people)]).toEqual([[], true])
  })

  test.each(['smtp', 'smtps'])('is used with a trusted certificate (%s)', async (scheme) => {
    setDefaultCACertificates([...trusted, certificate])
    await using server = await startMailServer({ secure: scheme === 'smtps' })
    await using people = await startPeople(elsewhere(server, scheme))
    await requestMail(people)
    expect(server.received).toMatchObject([{ isEncrypted: true }])
  })

  test('is not required for a local relay', async () => {
    await using server = await startMailServer({ disabledCommands: ['STARTTLS'] })
    await using people = await startPeople(local(server))
    await requestMail(people)
    expect(server.received).toMatchObject([{ isEncrypted: false }])
  })
})

test('the user name and password of the URL are used for authentication', async () => {
  const logins: unknown[] = []
  await using server = await startMailServer({
    authOptional: false,
    onAuth({ username, password }, _, done) {
      logins.push([username, password])
      done(null, { user: username })
    },
  })
  await using people = await startPeople(smtp(`smtp://mailer:p%40ss%2Fword@localhost:${server.port}`))
  await requestMail(people)
  expect(logins).toEqual([['mailer', 'p@ss/word']])
  expect(server.received).toHaveLength(1)
})

test('headers and HTML cannot be injected', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mail-'))
  const deliver = deliverBy({ from, transport: { kind: 'directory', path: folder } })
  const lines: unknown[] = []
  const log = { info: (...line: unknown[]) => lines.push(line) } as never // all that the transport uses
  await deliver(
    {
      id: 'one',
      to: 'ada@example.com\r\nBcc: eve@example.com',
      subject: 'Hello\r\nBcc: eve@example.com\r\n\r\n<p>',
      text: 'text',
      html: '<p>html',
      date: new Date('2030-01-01T00:00:00Z'),
    },
    log,
  )
  const file = join(folder, 'one.eml')
  expect(await readFile(file, 'utf8')).not.toMatch(/^bcc:/im)
  expect(lines).toEqual([[{ file }, 'mail written']])
  expect((await stat(file)).mode & 0o077, 'its links are private').toBe(0)
  expect(await readdir(folder)).toEqual(['one.eml'])
  await rm(folder, { recursive: true })

  const mail = { id: 'x', brand: '<b>&"', page: 'p', template: 'invitation', link: 'l', invitedBy: '<i>@x.y' } as const
  const { html } = contentOf(mail, 'https://id.example.com/?a=1&b="><script>')
  expect(html).toContain('&lt;i&gt;@x.y invites you to &lt;b&gt;&amp;&quot;.')
  expect(html).toContain('href="https://id.example.com/?a=1&amp;b=&quot;&gt;&lt;script&gt;"')
})

test.each([
  { from: 'nobody', transport: { kind: 'directory', path: '/tmp' } } as const,
  { from: 'a@b.c\r\nBcc: d@e.f', transport: { kind: 'directory', path: '/tmp' } } as const,
  smtp('http://mail.example.com'),
  smtp('mail.example.com'),
])('invalid settings are rejected at startup: %j', (settings) =>
  expect(() => mailJob(settings)).toThrow(expect.objectContaining({ kind: 'invalid' })),
)
