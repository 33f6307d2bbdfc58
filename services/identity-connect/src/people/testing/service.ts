import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db, Job, Service } from '@icosa/kernel'
import { startTestApp, type TestApp } from '@icosa/testing'
import { type MailSettings, mailJob } from '../../mail/job.ts'
import type { Mail } from '../../mail/templates.ts'
import { type PeopleContext, peopleContext } from '../context.ts'
import { forgetExpired } from '../jobs.ts'

/** The service without HTTP: schema and jobs. */
const serviceWith = (sendMail: Job<Mail>): Service => ({
  name: 'identity-connect',
  title: 'People, without HTTP',
  moves: 'staysHome',
  apis: [
    {
      dialect: {
        authentication: { kind: 'none' },
        authenticate: () => undefined,
        reply: ({ status, body }) => ({ status, body }),
        failure: ({ message }) => ({ status: 500, body: { message } }),
      },
      resources: {},
    },
  ],
  migrations: new URL('../../../migrations/', import.meta.url),
  jobs: [sendMail, forgetExpired],
})

export interface TestMail {
  readonly to: string
  readonly subject: string
  readonly raw: string
  /** The secret in its link, if it has one. */
  readonly token: string
}

export interface TestPeople extends AsyncDisposable {
  readonly app: TestApp
  readonly context: PeopleContext
  readonly db: Db
  readonly clock: PeopleContext['clock']
  /** Sends pending mails, and returns those sent since the last call. */
  mails(): Promise<TestMail[]>
}

/** Starts with an empty database. Mails are written to a folder by default. */
export async function startPeople(mail?: MailSettings): Promise<TestPeople> {
  const folder = await mkdtemp(join(tmpdir(), 'people-'))
  const sendMail = mailJob(
    mail ?? { from: 'Icosa <no-reply@example.com>', transport: { kind: 'directory', path: folder } },
  )
  const app = await startTestApp(serviceWith(sendMail))
  const context = peopleContext(app.platform, {
    service: 'identity-connect',
    sendMail,
    brand: 'Icosa',
    page: (name) => `https://id.example.com/identity-connect/${name}`,
  })
  const returned = new Set<string>()
  return {
    app,
    context,
    db: app.platform.database,
    clock: app.platform.clock,
    async mails() {
      await app.jobs.drain()
      const fresh = (await readdir(folder)).filter((file) => !returned.has(file))
      for (const file of fresh) returned.add(file)
      return Promise.all(fresh.map(async (file) => parseMail(await readFile(join(folder, file), 'utf8'))))
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Parses enough of MIME for our own mails. */
export function parseMail(raw: string): TestMail {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(raw.replaceAll('\r', ''))?.[1] ?? ''
  const plain = raw.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
  return { to: header('To'), subject: header('Subject'), raw, token: /\?token=([\w-]+)/.exec(plain)?.[1] ?? '' }
}
