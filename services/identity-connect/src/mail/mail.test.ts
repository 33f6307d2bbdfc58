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
import { parsed, startPeople, type TestPeople } from '../people/testing/service.ts'
import { startVerification, verifyAddress } from '../people/verification.ts'
import { mailJob } from './job.ts'
import { contentOf } from './templates.ts'

const from = 'Icosa <no-reply@example.com>'
const smtp = (url: string) => ({ from, transport: { kind: 'smtp' as const, url } })
const local = ({ port }: MailServer) => smtp(`smtp://127.0.0.1:${port}`)
const email = 'ada@example.com'

async function askForMail(people: TestPeople) {
  const ada = await createPerson(people.db, people.clock, { email, emailVerified: false })
  await startVerification(people.context, ada)
  await people.app.jobs.drain()
  return ada
}

/** Whether anything is still to be done for the mail. */
async function isWaiting({ db }: TestPeople): Promise<boolean> {
  return (await db.many(sql`select 1 from icosa.timers`)).length > 0
}

test('a mail comes with text and HTML, both with the link, and says that nobody typed it', async () => {
  await using server = await startMailServer()
  await using people = await startPeople(local(server))
  await askForMail(people)
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

test('a server that wants to be asked again is asked again, with the same Message-ID', async () => {
  await using server = await startMailServer()
  server.answers.push(451, 421)
  await using people = await startPeople(local(server))
  await askForMail(people)
  expect(server.received).toHaveLength(1)
  for (const pauseMs of [1_000, 2_000]) {
    await people.app.jobs.drain()
    expect(await isWaiting(people)).toBe(true)
    await people.app.clock.advance(pauseMs)
    await people.app.jobs.drain()
  }
  expect(server.received).toHaveLength(3)
  expect(new Set(server.received.map(({ raw }) => /^Message-ID: .*$/m.exec(raw)?.[0])).size).toBe(1)
  expect(await isWaiting(people)).toBe(false)
})

test('a mail of which nobody knows whether it arrived is sent again; either link works, and once together', async () => {
  await using server = await startMailServer()
  server.answers.push('dropped')
  await using people = await startPeople(local(server))
  const { id } = await askForMail(people)
  await people.app.clock.advance(1_000)
  await people.app.jobs.drain()
  const [first = '', second = ''] = server.received.map(({ raw }) => parsed(raw).token)
  expect(second).toMatch(/^[\w-]{43}$/)
  expect(first).not.toBe(second)
  expect(await verifyAddress(people.context, first, id)).toMatchObject({ emailVerified: true })
  await expect(verifyAddress(people.context, second, id)).rejects.toMatchObject({ code: 'LinkEnded' })
})

test.each([550, 552])('a mail that is refused with %i is not tried again', async (status) => {
  await using server = await startMailServer()
  server.answers.push(status)
  await using people = await startPeople(local(server))
  await askForMail(people)
  expect(server.received).toHaveLength(1)
  expect(await isWaiting(people)).toBe(false)
})

test('a recipient that the server does not know is not tried again', async () => {
  await using server = await startMailServer({
    onRcptTo: (_, __, done) => done(Object.assign(new Error('No such user'), { responseCode: 550 })),
  })
  await using people = await startPeople(local(server))
  await askForMail(people)
  expect([server.received, await isWaiting(people)]).toEqual([[], false])
})

test('a server that cannot be reached is tried twelve times', async () => {
  const gone = await startMailServer()
  await gone[Symbol.asyncDispose]()
  await using people = await startPeople(local(gone))
  await askForMail(people)
  let tries = 1
  for (; await isWaiting(people); tries++) {
    await people.app.clock.advance(3_600_000)
    await people.app.jobs.drain()
  }
  expect(tries).toBe(12)
})

describe('encryption', () => {
  const trusted = getCACertificates('default')
  afterAll(() => setDefaultCACertificates(trusted))
  // Reaches this machine, but is not a name that counts as this machine.
  const elsewhere = ({ port }: MailServer, scheme = 'smtp') => smtp(`${scheme}://0.0.0.0:${port}`)

  test('is needed: nothing is said to a server elsewhere that has none', async () => {
    await using server = await startMailServer({ disabledCommands: ['STARTTLS'] })
    await using people = await startPeople(elsewhere(server))
    await askForMail(people)
    expect([server.received, await isWaiting(people)]).toEqual([[], true])
  })

  test.each(['smtp', 'smtps'])('is worth nothing with a certificate that nobody vouches for (%s)', async (scheme) => {
    await using server = await startMailServer({ secure: scheme === 'smtps' })
    await using people = await startPeople(elsewhere(server, scheme))
    await askForMail(people)
    expect([server.received, await isWaiting(people)]).toEqual([[], true])
  })

  test.each(['smtp', 'smtps'])('is used with one that is trusted (%s)', async (scheme) => {
    setDefaultCACertificates([...trusted, certificate])
    await using server = await startMailServer({ secure: scheme === 'smtps' })
    await using people = await startPeople(elsewhere(server, scheme))
    await askForMail(people)
    expect(server.received).toMatchObject([{ isEncrypted: true }])
  })

  test('is not asked of a relay on this machine', async () => {
    await using server = await startMailServer({ disabledCommands: ['STARTTLS'] })
    await using people = await startPeople(local(server))
    await askForMail(people)
    expect(server.received).toMatchObject([{ isEncrypted: false }])
  })
})

test('the name and password of the url are used to sign in', async () => {
  const seen: unknown[] = []
  await using server = await startMailServer({
    authOptional: false,
    onAuth({ username, password }, _, done) {
      seen.push([username, password])
      done(null, { user: username })
    },
  })
  await using people = await startPeople(smtp(`smtp://mailer:p%40ss%2Fword@localhost:${server.port}`))
  await askForMail(people)
  expect(seen).toEqual([['mailer', 'p@ss/word']])
  expect(server.received).toHaveLength(1)
})

test('nobody can write further headers, nor HTML', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mail-'))
  const deliver = deliverBy({ from, transport: { kind: 'directory', path: folder } })
  const lines: unknown[] = []
  const log = { info: (...line: unknown[]) => lines.push(line) } as never // all that the transport asks of a logger
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
  expect((await stat(file)).mode & 0o077, 'the links in it are for nobody else').toBe(0)
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
])('settings that cannot work are refused at the start: %j', (settings) =>
  expect(() => mailJob(settings)).toThrow(expect.objectContaining({ kind: 'invalid' })),
)
