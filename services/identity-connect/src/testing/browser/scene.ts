import { openChromium } from '@icosa/testing/browser'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Metadata } from '../../clients/metadata.ts'
import { type IdentityApp, type IdentityAppOptions, startIdentity } from '../app.ts'
import { type Application, registerApplication } from './application.ts'
import { type RelyingParty, startRelyingParty } from './relying-party.ts'

/** The service, a browser and the server of an application. */
export interface Scene extends AsyncDisposable {
  readonly identity: IdentityApp
  readonly browser: Browser
  readonly party: RelyingParty
  /** With the host `localhost`: passkeys require a host name. */
  readonly issuer: string
  application(metadata?: Metadata): Promise<Application>
  /** A new browser context without cookies. */
  visitor(options?: BrowserContextOptions): Promise<Visitor>
}

export interface Visitor extends AsyncDisposable {
  readonly context: BrowserContext
  readonly page: Page
}

/** Long enough for a busy two-core machine. */
const timeoutMs = 10_000

export async function startScene(options?: IdentityAppOptions): Promise<Scene> {
  await using opened = new AsyncDisposableStack()
  const identity = opened.use(await startIdentity(options))
  const party = opened.use(await startRelyingParty())
  const browser = opened.use(await openChromium())
  const issuer = identity.issuer.replace('//127.0.0.1:', '//localhost:')
  const owned = opened.move()
  return {
    identity,
    browser,
    party,
    issuer,
    application: (metadata) => registerApplication(identity, issuer, party, metadata),
    visitor: (options) => newVisitor(browser, options),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function newVisitor(browser: Browser, options?: BrowserContextOptions): Promise<Visitor> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(timeoutMs)
  return { context, page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() }
}
