import { client } from '@icosa/client'
import { identityConnect } from '@icosa/identity-connect'
import { platform } from '@icosa/platform'
import { operatorWith } from '@icosa/platform/operator'
import { operatorContract } from '@icosa/platform/operator/contract'
import { example, startTestApp, type TestApp } from '@icosa/testing'
import { flawsOf, openChromium } from '@icosa/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { front } from '../../apps/server/src/front/front.ts'
import { writeConsole } from '../../scripts/console.ts'
import { approveClient } from '../../services/identity-connect/src/approvals/operator.ts'
import { createPerson } from '../../services/identity-connect/src/people/people.ts'

const services = [example, platform, operatorWith(), identityConnect()]
const signIn = { issuer: '', clientId: '', scope: 'openid platform' }
const ada = { email: 'ada@example.com', password: 'analytical engine no. 1' }
let app: TestApp
let browser: Browser
let person: string

beforeAll(async () => {
  await writeConsole()
  app = await startTestApp({ services, front: front(services, { signIn }) })
  signIn.issuer = `${app.url}/identity-connect`
  const { database, clock } = app.platform
  const registered = await fetch(`${signIn.issuer}/client`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await app.key('ops')}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Console',
      redirect_uris: [`${app.url}/console/-/signed-in`],
      token_endpoint_auth_method: 'none',
    }),
  })
  signIn.clientId = ((await registered.json()) as { client_id: string }).client_id
  await approveClient(app.platform, signIn.clientId, 'acme')
  const permissions = ['example:*', 'platform:get*', 'platform:searchResources']
  person = (await createPerson(database, clock, { ...ada, emailVerified: true, tenant: 'acme', permissions })).id
  browser = await openChromium()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await app?.[Symbol.asyncDispose]()
})

async function openPage(): Promise<{ page: Page; urls: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  return { page, urls }
}

async function signInAs(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel(/mail/i).fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
}

const storedIn = (page: Page) =>
  page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')

test('a person signs in, changes something under their own name, and signs out', async () => {
  const { page, urls } = await openPage()
  await page.goto(`${app.url}/console/example/listNotes?filter=x`)
  expect(await flawsOf(page, 'sign-in')).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  let token = ''
  page.on('request', (request) => {
    token = /^Bearer (.*)$/.exec(request.headers().authorization ?? '')?.[1] ?? token
  })
  await signInAs(page)
  await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor()
  expect(new URL(page.url()).search).toBe('?filter=x')
  expect(token).toMatch(/^eyJ/)
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByLabel('title').fill('x by Ada')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('link', { name: 'x by Ada' }).waitFor()

  const operator = client(operatorContract, {
    baseUrl: `${app.url}/operator`,
    headers: { 'x-api-key': await app.key('ops', ['operator:*']) },
  })
  const records = async () =>
    (await operator.listAuditRecords({ params: { chain: 'acme' }, query: { operation: 'createNote' } })).body.records
  await expect.poll(records).toMatchObject([{ who: person, operation: 'example:createNote', status: 201 }])

  expect(await storedIn(page)).not.toMatch(/eyJ|verifier/)
  expect(urls.filter((url) => url.includes(token) || url.includes('eyJ'))).toEqual([])
  expect(await page.evaluate('history.length > 0 && !location.href.includes("code=")')).toBe(true)
  const asPerson = (path: string) => fetch(app.url + path, { headers: { authorization: `Bearer ${token}` } })
  expect((await asPerson('/example/notes')).status).toBe(200)
  const refused = await asPerson('/operator/tenants')
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('operator:listTenants')])

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/identity-connect\/session\/end/)
  expect(await page.evaluate('document.body.innerText')).not.toContain(token)
  await page.getByRole('button', { name: 'Sign out' }).click() // the issuer asks, too
  await expect.poll(async () => (await asPerson('/example/notes')).status, { timeout: 10_000 }).toBe(401)
}, 90_000)

test('a return that was not begun here is refused, and leaves no code behind', async () => {
  const { page, urls } = await openPage()
  for (const search of ['?code=stolen&state=guess', '?error=access_denied', '?code=%3Cimg%20src=x%3E&state='])
    for (const pending of ['', JSON.stringify({ verifier: 'v', state: 'other', path: '//evil.example/' })]) {
      await page.goto(`${app.url}/console`)
      await page.evaluate(`sessionStorage.setItem('icosa-sign-in', ${JSON.stringify(pending)})`)
      if (!pending) await page.evaluate('sessionStorage.clear()')
      await page.goto(`${app.url}/console/-/signed-in${search}`)
      await page.getByRole('alert').getByText('was not begun here').waitFor()
      expect(page.url()).toBe(`${app.url}/console/-/signed-in`)
      expect(await storedIn(page)).not.toMatch(/icosa-sign-in|stolen/)
    }
  expect(urls.filter((url) => url.includes('/token'))).toEqual([])
}, 60_000)

test('the page may connect to its node and the issuer only', async () => {
  const policyOf = async () => (await fetch(`${app.url}/console`)).headers.get('content-security-policy')
  expect(await policyOf()).toMatch(/connect-src 'self' http:\/\/127\.0\.0\.1:\d+$/)
  const { page } = await openPage()
  await page.goto(`${app.url}/console`)
  expect(await page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')")).toBe('refused')
})

test('a key still works, and is forgotten on sign-out', async () => {
  const { page } = await openPage()
  await page.goto(`${app.url}/console`)
  await page.getByText('Use an API key instead').click()
  await page.getByLabel('Key', { exact: true }).fill(await app.key('acme'))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Use an API key instead').waitFor()
})
