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
  expect(await notes.fetchUserInfo(outcome)).toMatchObject({ email: 'ada@example.com' })
})

/** Opens the window of a frame in the application's page. */
async function openWindow(page: Page): Promise<Page> {
  const [window] = await Promise.all([page.waitForEvent('popup'), frameOf(page).getByRole('link').click()])
  return window
}

/** Begins in a frame of the application's page and signs in, in the window that it opens; answers the outcome. */
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
  expect(await notes.fetchUserInfo(new URL(`${notes.callback}?${outcome}`))).toMatchObject({ email: 'ada@example.com' })
})

test('the session frames say within seconds that somebody signed out in another tab', async () => {
  const notes = await scene.application()
  await using somebody = await scene.visitor()
  const { page } = somebody
  await page.goto(notes.address())
  await signIn(page)
  await press(page, 'Allow')
  const state = (await notes.waitForReturn(page)).searchParams.get('session_state') ?? ''
  const watching = scene.party.page('/watch', watchingPage(scene.issuer, notes.clientId, state))
  await watchSignOut(page, scene.issuer, watching)
})

test('frames work in pages of another site, too, where we are reached by TLS', async () => {
  await using proxy = await openTlsProxy(scene.identity.app.url)
  await using party = await startRelyingParty('127.0.0.1')
  const issuer = `${proxy.origin}/identity-connect`
  const notes = await registerApplication(scene.identity, issuer, party)
  await using profile = await openChromiumWithForeignCookies()
  const page = await profile.context.newPage()
  const state = (await signInFramed(page, notes, party)).get('session_state') ?? ''
  await watchSignOut(page, issuer, party.page('/watch', watchingPage(issuer, notes.clientId, state)))
})

test('a browser that keeps no cookies in frames of other sites signs in by modal all the same', async () => {
  await using proxy = await openTlsProxy(scene.identity.app.url)
  await using party = await startRelyingParty('127.0.0.1')
  const notes = await registerApplication(scene.identity, `${proxy.origin}/identity-connect`, party)
  await using somebody = await scene.visitor({ ignoreHTTPSErrors: true })
  expect((await signInFramed(somebody.page, notes, party)).has('code')).toBe(true)
})

test('a frame asks for nothing, and where nothing is to be asked it comes back at once', async () => {
  const notes = await scene.application()
  await using somebody = await scene.visitor()
  const { page } = somebody
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

test('an application that opens the window itself gets the outcome where it registered, and nowhere else', async () => {
  const notes = await scene.application()
  await using somebody = await scene.visitor()
  const { page } = somebody
  // Its page is the opener now, and listens to everything.
  const opening = popupPage(notes.address({ display: 'window' }))
  const overhearing =
    "<script>addEventListener('message', ({ data }) => { if (data.outcome) document.title = 'heard' })</script>"
  await page.goto(scene.party.page('/thief', opening + overhearing))
  const [window] = await Promise.all([page.waitForEvent('popup'), press(page, 'Sign in')])
  const closed = window.waitForEvent('close')
  await signIn(window)
  await press(window, 'Allow')
  await closed
  expect((await outcomeOn(page)).has('code'), 'by way of its callback').toBe(true)
  expect(await page.title()).toBe('Notes')
})

test('nobody can show in a frame what asks for anything, and nobody else what leads there', async () => {
  const notes = await scene.application()
  await using thief = await startRelyingParty()
  await using somebody = await scene.visitor()
  const { page } = somebody
  await page.goto(`${scene.issuer}/account`)
  await signIn(page)
  const refusals: string[] = []
  page.on('console', (message) => refusals.push(message.text()))
  // Somebody is signed in: what is left to show is the consent.
  const window = { display: 'window', prompt: 'consent' }
  for (const address of [
    thief.page('/', framePage(notes.address({ display: 'modal' }))),
    scene.party.page('/page', framePage(notes.address({ display: 'page' }))),
    scene.party.page('/window', framePage(notes.address(window))),
    scene.party.page('/account', framePage(`${scene.issuer}/account`)),
  ]) {
    await page.goto(address)
    expect(frameOf(page).url()).toBe('chrome-error://chromewebdata/')
    expect(refusals.splice(0).join()).toContain('frame-ancestors')
  }
  // The address of a window's step, framed by hand.
  await page.goto(notes.address(window))
  const step = page.url()
  expect(await titleOn(page)).toBe('Allow access')
  await page.goto(scene.party.page('/step', framePage(step)))
  expect(frameOf(page).url()).toBe('chrome-error://chromewebdata/')
})
