import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Application, registerApplication } from '../testing/browser/application.ts'
import { openChromiumWithForeignCookies } from '../testing/browser/chromium.ts'
import { framePage, popupPage, watchingPage } from '../testing/browser/client-pages.ts'
import { type RelyingParty, startRelyingParty } from '../testing/browser/relying-party.ts'
import { type Scene, startScene } from '../testing/browser/scene.ts'
import { press, signIn, titleOn } from '../testing/browser/steps.ts'
import { openTlsProxy } from '../testing/browser/tls-proxy.ts'

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

test('sign-in in a popup reports the outcome to the opener', async () => {
  const notes = await scene.application()
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(scene.party.page('/popup', popupPage(notes.address({ display: 'popup' }))))
  const [popup] = await Promise.all([page.waitForEvent('popup'), press(page, 'Sign in')])
  const closed = popup.waitForEvent('close')
  await signIn(popup)
  await press(popup, 'Allow')
  await closed
  const outcome = new URL(`${notes.callback}?${await outcomeOn(page)}`)
  expect(await notes.fetchUserInfo(outcome)).toMatchObject({ email: 'ada@example.com' })
})

/** Opens the window of a frame in the application's page. */
async function openWindow(page: Page): Promise<Page> {
  const [window] = await Promise.all([page.waitForEvent('popup'), frameOf(page).getByRole('link').click()])
  return window
}

/** Starts in a frame of the application's page, signs in in its window, and returns the outcome. */
async function signInFramed(page: Page, notes: Application, { page: serve }: RelyingParty): Promise<URLSearchParams> {
  const address = serve('/modal', framePage(notes.address({ display: 'modal' })))
  await page.goto(address)
  const window = await openWindow(page)
  const closed = window.waitForEvent('close')
  await signIn(window)
  await press(window, 'Allow')
  await closed
  const outcome = await outcomeOn(page)
  expect(page.url()).toBe(address)
  return outcome
}

/** The application's page watches the session while the user signs out in another tab. */
async function watchSignOut(page: Page, issuer: string, watching: string): Promise<void> {
  await page.goto(watching)
  await page.waitForFunction('heard.session && heard.client')
  expect(await page.evaluate('heard')).toEqual({ session: 'unchanged', client: 'unchanged' })
  const tab = await page.context().newPage()
  await tab.goto(`${issuer}/session/end`)
  await press(tab, 'Sign out')
  expect(await titleOn(tab)).toBe('You are signed out')
  const start = performance.now()
  await page.waitForFunction("heard.session === 'changed' && heard.client === 'changed'")
  const tookMs = Math.round(performance.now() - start)
  console.log(`session frames of ${issuer} on ${new URL(watching).origin}: changed after ${tookMs} ms`)
  expect(tookMs).toBeLessThan(5_000)
}

test('sign-in in a frame reports the outcome to the embedding page', async () => {
  const notes = await scene.application()
  await using visitor = await scene.visitor()
  const outcome = await signInFramed(visitor.page, notes, scene.party)
  expect(await notes.fetchUserInfo(new URL(`${notes.callback}?${outcome}`))).toMatchObject({ email: 'ada@example.com' })
})

test('the session frames report a sign-out in another tab within seconds', async () => {
  const notes = await scene.application()
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(notes.address())
  await signIn(page)
  await press(page, 'Allow')
  const state = (await notes.waitForReturn(page)).searchParams.get('session_state') ?? ''
  const watching = scene.party.page('/watch', watchingPage(scene.issuer, notes.clientId, state))
  await watchSignOut(page, scene.issuer, watching)
})

test('frames work in pages of another site over TLS', async () => {
  await using proxy = await openTlsProxy(scene.identity.app.url)
  await using party = await startRelyingParty('127.0.0.1')
  const issuer = `${proxy.origin}/identity-connect`
  const notes = await registerApplication(scene.identity, issuer, party)
  await using profile = await openChromiumWithForeignCookies()
  const page = await profile.context.newPage()
  const state = (await signInFramed(page, notes, party)).get('session_state') ?? ''
  await watchSignOut(page, issuer, party.page('/watch', watchingPage(issuer, notes.clientId, state)))
})

test('modal sign-in works without third-party cookies', async () => {
  await using proxy = await openTlsProxy(scene.identity.app.url)
  await using party = await startRelyingParty('127.0.0.1')
  const notes = await registerApplication(scene.identity, `${proxy.origin}/identity-connect`, party)
  await using visitor = await scene.visitor({ ignoreHTTPSErrors: true })
  expect((await signInFramed(visitor.page, notes, party)).has('code')).toBe(true)
})

test('a frame prompts for nothing, and completes immediately if no prompt is needed', async () => {
  const notes = await scene.application()
  await using visitor = await scene.visitor()
  const { page } = visitor
  const address = scene.party.page('/modal', framePage(notes.address({ display: 'modal' })))
  await page.goto(address)
  expect(await frameOf(page).locator('form, input, button').count()).toBe(0)
  const window = await openWindow(page)
  await signIn(window)
  await press(window, 'Cancel')
  expect((await outcomeOn(page)).get('error')).toBe('access_denied')

  await page.goto(notes.address())
  await press(page, 'Allow')
  await notes.waitForReturn(page)
  await page.goto(address)
  expect((await outcomeOn(page)).has('code')).toBe(true)
})

test('an application that opens the window itself gets the outcome only at its redirect URI', async () => {
  const notes = await scene.application()
  await using visitor = await scene.visitor()
  const { page } = visitor
  // Its page is the opener, and listens to all messages.
  const opening = popupPage(notes.address({ display: 'window' }))
  const eavesdropper =
    "<script>addEventListener('message', ({ data }) => { if (data.outcome) document.title = 'heard' })</script>"
  await page.goto(scene.party.page('/thief', opening + eavesdropper))
  const [window] = await Promise.all([page.waitForEvent('popup'), press(page, 'Sign in')])
  const closed = window.waitForEvent('close')
  await signIn(window)
  await press(window, 'Allow')
  await closed
  expect((await outcomeOn(page)).has('code'), 'through its callback').toBe(true)
  expect(await page.title()).toBe('Notes')
})

test('pages with prompts cannot be framed, and modals only by their client', async () => {
  const notes = await scene.application()
  await using thief = await startRelyingParty()
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(`${scene.issuer}/account`)
  await signIn(page)
  const violations: string[] = []
  page.on('console', (message) => violations.push(message.text()))
  // The user is signed in, so only consent is prompted for.
  const window = { display: 'window', prompt: 'consent' }
  for (const address of [
    thief.page('/', framePage(notes.address({ display: 'modal' }))),
    scene.party.page('/page', framePage(notes.address({ display: 'page' }))),
    scene.party.page('/window', framePage(notes.address(window))),
    scene.party.page('/account', framePage(`${scene.issuer}/account`)),
  ]) {
    await page.goto(address)
    expect(frameOf(page).url()).toBe('chrome-error://chromewebdata/')
    expect(violations.splice(0).join()).toContain('frame-ancestors')
  }
  // The address of a window's step, framed by hand.
  await page.goto(notes.address(window))
  const step = page.url()
  expect(await titleOn(page)).toBe('Allow access')
  await page.goto(scene.party.page('/step', framePage(step)))
  expect(frameOf(page).url()).toBe('chrome-error://chromewebdata/')
})
