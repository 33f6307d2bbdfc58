import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Application, registerApplication } from './application.ts'
import { openChromiumWithForeignCookies } from './chromium.ts'
import { framePage, popupPage, watchingPage } from './client-pages.ts'
import { type RelyingParty, startRelyingParty } from './relying-party.ts'
import { type Scene, startScene } from './scene.ts'
import { press, signIn, titleOn } from './steps.ts'
import { openTlsDoor } from './tls-door.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ trustedProxies: 1 })
  await scene.identity.person()
})
afterAll(() => scene[Symbol.asyncDispose]())

const frameOf = (page: Page): Frame => page.frame('sign-in') ?? expect.fail('the page has no frame')
const outcomeOn = async (page: Page) => {
  const text = await page.locator('#outcome:not(:empty)').innerText()
  return new URLSearchParams(text)
}

test('in a popup one signs in, and the page that opened it hears the outcome', async () => {
  const notes = await scene.application()
  await using somebody = await scene.visitor()
  const { page } = somebody
  await page.goto(scene.party.page('/popup', popupPage(notes.address({ display: 'popup' }))))
  const [popup] = await Promise.all([page.waitForEvent('popup'), press(page, 'Sign in')])
  const closed = popup.waitForEvent('close')
  await signIn(popup)
  await press(popup, 'Allow')
  await closed
  const outcome = new URL(`${notes.callback}?${await outcomeOn(page)}`)
  expect(await notes.learns(outcome)).toMatchObject({ email: 'ada@example.com' })
})

/** Signs in inside a frame of the application's page; answers the outcome. */
async function signInFramed(page: Page, notes: Application, { page: serve }: RelyingParty): Promise<URLSearchParams> {
  const address = serve('/modal', framePage(notes.address({ display: 'modal' })))
  await page.goto(address)
  await signIn(frameOf(page))
  await press(frameOf(page), 'Allow')
  const outcome = await outcomeOn(page)
  expect(page.url()).toBe(address)
  return outcome
}

/** The application's page watches the session until somebody signs out in another tab. */
async function watchSignOut(page: Page, issuer: string, watching: string): Promise<void> {
  await page.goto(watching)
  await page.waitForFunction('heard.session && heard.client')
  expect(await page.evaluate('heard')).toEqual({ session: 'unchanged', client: 'unchanged' })
  const tab = await page.context().newPage()
  await tab.goto(`${issuer}/session/end`)
  await press(tab, 'Sign out')
  expect(await titleOn(tab)).toBe('You are signed out')
  const since = performance.now()
  await page.waitForFunction("heard.session === 'changed' && heard.client === 'changed'")
  const tookMs = Math.round(performance.now() - since)
  console.log(`session frames of ${issuer} on ${new URL(watching).origin}: changed after ${tookMs} ms`)
  expect(tookMs).toBeLessThan(5_000)
}

test('one signs in inside a frame, and the page around it hears the outcome', async () => {
  const notes = await scene.application()
  await using somebody = await scene.visitor()
  const outcome = await signInFramed(somebody.page, notes, scene.party)
  expect(await notes.learns(new URL(`${notes.callback}?${outcome}`))).toMatchObject({ email: 'ada@example.com' })
})

test('the session frames say within seconds that somebody signed out in another tab', async () => {
  const notes = await scene.application()
  await using somebody = await scene.visitor()
  const { page } = somebody
  await page.goto(notes.address())
  await signIn(page)
  await press(page, 'Allow')
  const state = (await notes.comesBack(page)).searchParams.get('session_state') ?? ''
  const watching = scene.party.page('/watch', watchingPage(scene.issuer, notes.clientId, state))
  await watchSignOut(page, scene.issuer, watching)
})

test('frames work in pages of another site, too, where we are reached by TLS', async () => {
  await using door = await openTlsDoor(scene.identity.app.url)
  await using party = await startRelyingParty('127.0.0.1')
  const issuer = `${door.origin}/identity-connect`
  const notes = await registerApplication(scene.identity, issuer, party)
  await using profile = await openChromiumWithForeignCookies()
  const page = await profile.context.newPage()
  const state = (await signInFramed(page, notes, party)).get('session_state') ?? ''
  await watchSignOut(page, issuer, party.page('/watch', watchingPage(issuer, notes.clientId, state)))
})

test('a frame offers passkeys only where the page around it lets it', async () => {
  const notes = await scene.application()
  await using somebody = await scene.visitor()
  const { page } = somebody
  const offered = () => frameOf(page).getByRole('button', { name: 'Sign in with a passkey' }).isVisible()
  await page.goto(scene.party.page('/modal', framePage(notes.address({ display: 'modal' }))))
  expect(await offered()).toBe(false)
  const trusting = framePage(notes.address({ display: 'modal' }), 'publickey-credentials-get *')
  await page.goto(scene.party.page('/modal', trusting))
  expect(await offered()).toBe(true)
})

test('nobody else can show the sign-in in a frame, and the whole page in a frame nobody at all', async () => {
  const notes = await scene.application()
  await using thief = await startRelyingParty()
  await using somebody = await scene.visitor()
  const { page } = somebody
  const refusals: string[] = []
  page.on('console', (message) => refusals.push(message.text()))
  for (const address of [
    thief.page('/', framePage(notes.address({ display: 'modal' }))),
    scene.party.page('/framed', framePage(notes.address({ display: 'page' }))),
  ]) {
    await page.goto(address)
    expect(frameOf(page).url()).toBe('chrome-error://chromewebdata/')
    expect(refusals.splice(0).join()).toContain('frame-ancestors')
  }
})
