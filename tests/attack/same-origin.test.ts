import { sql } from '@icosa/kernel'
import { openChromium } from '@icosa/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type FunctionsApp, publicPolicy, startFunctions } from '../../services/functions/src/testing/app.ts'
import { identityConnect } from '../../services/identity-connect/src/index.ts'
import { createPerson } from '../../services/identity-connect/src/people/people.ts'
import { defaultSettings } from '../../services/identity-connect/src/settings.ts'

const ada = { email: 'ada@example.com', password: 'analytical engine no. 1', name: 'Ada' }

/** Acts as its visitor as far as the browser allows, and reports the outcome of each attempt in its title. */
const prize = `<!doctype html><form method="post"><button>Win</button></form><script>
const platform = new URLSearchParams(location.search).get('platform')
const consent = new URLSearchParams(location.search).get('consent')
document.forms[0].action = consent
const attempt = (work) => work().catch((error) => error.name)
const read = (path, more) => attempt(async () => (await fetch(platform + path, { credentials: 'include', ...more })).text())
;(async () => {
  document.title = JSON.stringify({
    account: await read('/identity-connect/account'),
    authorize: await read('/identity-connect/authorize'),
    sent: await attempt(async () => String((await fetch(consent, { method: 'POST', body: new URLSearchParams() })).status)),
    cookies: await attempt(async () => document.cookie),
    worker: await attempt(async () => (await navigator.serviceWorker.register('/worker.js', { scope: '/' })).scope),
  })
})()
</script>`
const files = {
  'index.js': `exports.hello = (request, response) =>
    request.path.endsWith('/worker.js')
      ? response.type('js').set('Service-Worker-Allowed', '/').send('')
      : response.type('html').set('Set-Cookie', 'icosa_session=planted; Path=/').send(${JSON.stringify(prize)})\n`,
}

let browser: Browser
beforeAll(async () => {
  browser = await openChromium()
})
afterAll(() => browser.close())

interface Attack {
  readonly app: FunctionsApp
  readonly platform: string
  /** The address of the function's page. */
  readonly url: string
  /** Page on which a signed-in visitor would consent to the attacker's client. */
  readonly consent: string
  readonly page: Page
}

/** Signs a user in and opens the consent page for the attacker's client: only the consent is missing. */
async function prepare(app: FunctionsApp): Promise<Attack> {
  const platform = app.url.replace('127.0.0.1', 'localhost')
  const evil = await app.tenant('evil')
  await evil.deploy('prize', files)
  await evil.setIamPolicy({ params: at('prize'), body: publicPolicy })
  const url = (await evil.getFunction({ params: at('prize') })).body.url?.replace('127.0.0.1', 'localhost') ?? ''
  await createPerson(app.platform.database, app.platform.clock, { ...ada, emailVerified: true })
  const registered = await fetch(`${app.url}/identity-connect/client`, {
    method: 'POST',
    headers: { authorization: `Bearer ${evil.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Prize', redirect_uris: ['https://evil.example/cb'] }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${platform}/identity-connect/account`)
  await page.getByLabel('E-mail address').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/account$/)
  const query = { response_type: 'code', scope: 'openid email', state: '1', redirect_uri: 'https://evil.example/cb' }
  await page.goto(`${platform}/identity-connect/authorize?${new URLSearchParams({ ...query, client_id })}`)
  const consent = `${page.url()}/consent`
  expect(consent).toMatch(/\/interaction\/[\w-]+\/consent$/)
  return { app, platform, url, consent, page }
}

async function consents({ app }: Attack): Promise<number> {
  const rows = await app.platform.database.many(sql`select 1 from identity_connect.consents`)
  return rows.length
}

/** `host` is the page's host after navigation. */
async function attack(attacked: Attack, host: string) {
  const { page, platform, url, consent } = attacked
  await page.goto(`${url}?${new URLSearchParams({ platform, consent })}`)
  expect(new URL(page.url()).host).toBe(host)
  await page.waitForFunction("document.title.startsWith('{')")
  const outcome = JSON.parse(await page.title()) as Record<string, string>
  // A form submitted by the visitor's own click is recognized by its origin.
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url() === consent && response.request().isNavigationRequest()),
    page.getByRole('button', { name: 'Win' }).click(),
  ])
  expect(answer.status()).toBe(403)
  expect(await consents(attacked), 'no consent was given').toBe(0)
  const names = (await page.context().cookies()).filter(({ domain }) => domain === 'localhost')
  expect(names.filter(({ value }) => value === 'planted')).toEqual([])
  return outcome
}

const identity = () => identityConnect({ ...defaultSettings, signUp: 'open' })

test("a function's page has an origin of its own: it reads no visitor data and gives no consent", async () => {
  await using app = await startFunctions({ domain: 'fn.localhost' }, { services: [identity()] })
  const attacked = await prepare(app)
  const { host, origin } = new URL(attacked.url)
  expect(host).toMatch(/^prize-\w+-\w+\.fn\.localhost:\d+$/)
  expect(await attack(attacked, host)).toEqual({
    account: 'TypeError',
    authorize: 'TypeError',
    sent: 'TypeError',
    cookies: 'icosa_session=planted',
    worker: `${origin}/`,
  })
})

test('without a functions domain, the page is sandboxed and just as isolated from its visitor', async () => {
  await using app = await startFunctions({}, { services: [identity()] })
  const attacked = await prepare(app)
  expect(await attack(attacked, new URL(attacked.platform).host)).toEqual({
    account: 'TypeError',
    authorize: 'TypeError',
    sent: 'TypeError',
    cookies: 'SecurityError',
    worker: expect.stringMatching(/Error$/),
  })
})
