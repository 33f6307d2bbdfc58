import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestApp, type TestApp, type TestAppOptions } from '@icosa/testing'
import { approveClient, everyTenant } from '../approvals/operator.ts'
import { clients } from '../clients/contract.ts'
import type { Metadata } from '../clients/metadata.ts'
import { type IdentitySettings, identityConnect } from '../index.ts'
import { createPerson } from '../people/people.ts'
import { responseTypes } from '../protocol/contract.ts'
import { type Browser, browser, type Page } from './browser.ts'

export const ada = { email: 'ada@example.com', password: 'analytical engine no. 1', name: 'Ada Lovelace' }
export const redirectUri = 'https://rp.example/cb'

export interface IdentityApp extends AsyncDisposable {
  readonly app: TestApp
  readonly issuer: string
  browser(headers?: Readonly<Record<string, string>>): Browser
  /** Registers a client of the tenant `acme`, by default with all response types. */
  client(metadata?: Metadata): Promise<{ readonly client_id: string; readonly client_secret: string }>
  /** Creates a verified user, by default with a personal tenant. Returns the id. */
  person(credentials?: { email: string; password: string; name?: string; tenant?: string }): Promise<string>
  /** Approves a client for platform tokens of a tenant's users, or all users. */
  approve(clientId: string, tenant?: string): Promise<void>
  /** The sent mails, latest last. */
  mails(): Promise<string[]>
}

export interface IdentityAppOptions extends Partial<Omit<TestAppOptions, 'services'>> {
  readonly settings?: Partial<IdentitySettings>
}

export async function startIdentity({ settings, ...options }: IdentityAppOptions = {}): Promise<IdentityApp> {
  const path = await mkdtemp(join(tmpdir(), 'icosa-mail-'))
  const mail = { from: 'Icosa <no-reply@icosa.test>', transport: { kind: 'directory' as const, path } }
  const service = identityConnect({ brand: 'Icosa', signUp: 'open', mail, ...settings })
  const app = await startTestApp({ ...options, services: [service] })
  const key = await app.key('acme')
  const management = app.client(clients, { headers: { authorization: `Bearer ${key}` } })
  return {
    app,
    issuer: `${app.url}/identity-connect`,
    browser: (headers) => browser(app.url, headers),
    async client(metadata = {}) {
      const { body } = await management.createClient({
        body: {
          client_name: 'Example Notes',
          redirect_uris: [redirectUri],
          response_types: [...responseTypes],
          ...metadata,
        },
      })
      return { client_id: body.client_id, client_secret: body.client_secret ?? '' }
    },
    async person(credentials = ada) {
      const { database, clock } = app.platform
      return (await createPerson(database, clock, { ...credentials, emailVerified: true })).id
    },
    approve: (clientId, tenant = everyTenant) => approveClient(app.platform, clientId, tenant),
    async mails() {
      await app.jobs.drain()
      const names = (await readdir(path)).filter((name) => name.endsWith('.eml'))
      const files = await Promise.all(
        names.map(async (name) => ({
          at: (await stat(join(path, name))).mtimeMs,
          text: await readFile(join(path, name), 'utf8'),
        })),
      )
      return files.sort((a, b) => a.at - b.at).map(({ text }) => text)
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await rm(path, { recursive: true, force: true })
    },
  }
}

/** Signs in and gives consent, if prompted, until the browser is redirected to the client. */
export async function signIn(visitor: Browser, start: Page, person = ada): Promise<Page> {
  let page = await visitor.follow(start)
  for (let steps = 0; page.location === undefined && steps < 5; steps++) {
    const next = page.text.includes('/sign-in"')
      ? await visitor.submit(page, '/sign-in', { email: person.email, password: person.password })
      : await visitor.submit(page, '/consent')
    page = await visitor.follow(next)
  }
  return page
}
