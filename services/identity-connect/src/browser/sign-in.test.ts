import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada } from '../testing/app.ts'
import type { Application } from '../testing/browser/application.ts'
import { startRelyingParty } from '../testing/browser/relying-party.ts'
import { type Scene, startScene } from '../testing/browser/scene.ts'
import { press, problemOn, signIn, signUp, titleOn } from '../testing/browser/steps.ts'

let scene: Scene
let notes: Application
let sub: string
beforeAll(async () => {
  scene = await startScene()
  notes = await scene.application()
  sub = await scene.identity.person()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('a wrong password is reported and the address stays; the right one returns to the application', async () => {
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(notes.address())
  await signIn(page, { ...ada, password: 'difference engine no. 2' })
  expect(await problemOn(page)).toBe('Wrong e-mail address or password.')
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(ada.email)
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')

  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await press(page, 'Sign in')
  await press(page, 'Allow')
  expect(await notes.fetchUserInfo(await notes.waitForReturn(page))).toMatchObject({ sub, email: ada.email })
})

test('after five wrong passwords even the right one has to wait', async () => {
  const grace = { email: 'grace@example.com', password: 'a moth in the relay' }
  await scene.identity.person(grace)
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(notes.address())
  for (let attempt = 0; attempt < 5; attempt++) {
    await signIn(page, { ...grace, password: `guess number ${attempt}` })
    expect(await problemOn(page)).toContain('Wrong e-mail address or password')
  }
  await signIn(page, grace)
  expect(await problemOn(page)).toBe(
    'Too many attempts. Try again in 15 minutes, use a passkey, or choose a new password by mail.',
  )
  await scene.identity.app.clock.advance(15 * 60_000)
  await signIn(page, grace)
  expect(await titleOn(page)).toBe('Allow access')
})

test('a typed password can be shown', async () => {
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(notes.address())
  const field = page.getByLabel('Password', { exact: true })
  await field.fill('analytical')
  await page.getByRole('button', { name: 'Show password' }).click()
  expect(await field.getAttribute('type')).toBe('text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  expect(await field.getAttribute('type')).toBe('password')
})

test('the application is notified of a cancelled sign-in', async () => {
  await using visitor = await scene.visitor()
  await visitor.page.goto(notes.address())
  await press(visitor.page, 'Cancel')
  const { searchParams } = await notes.waitForReturn(visitor.page)
  expect([searchParams.get('error'), searchParams.get('state')]).toEqual(['access_denied', 'where-they-were'])
})

test('another user can sign in in the same browser', async () => {
  const shared = await scene.application({ client_name: 'Shared' })
  const katherine = { email: 'katherine@example.com', password: 'to the moon and back' }
  const other = await scene.identity.person(katherine)
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(shared.address())
  await signIn(page)
  await press(page, 'Allow')
  expect(await shared.fetchUserInfo(await shared.waitForReturn(page))).toMatchObject({ sub })
  await page.goto(shared.address({ prompt: 'login' }))
  await signIn(page, katherine)
  await press(page, 'Allow')
  expect(await shared.fetchUserInfo(await shared.waitForReturn(page))).toMatchObject({ sub: other })
})

test('a user asked to confirm signing out can stay signed in', async () => {
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(`${scene.issuer}/account`)
  await signIn(page)
  await press(page, 'Sign out')
  await press(page, 'Stay signed in')
  expect(await titleOn(page)).not.toBe('You are signed out')
  await page.goto(`${scene.issuer}/account`)
  expect(await titleOn(page)).toBe('Your account')
  await press(page, 'Sign out')
  await press(page, 'Sign out')
  expect(await titleOn(page)).toBe('You are signed out')
  await page.goto(`${scene.issuer}/account`)
  expect(await titleOn(page)).toBe('Sign in')
})

test('an application may redirect to another origin after sign-in', async () => {
  await using home = await startRelyingParty('127.0.0.1')
  const welcome = home.page('/home', '<!doctype html><title>Home</title><h1>At home</h1>')
  const split = await scene.application({ redirect_uris: [scene.party.redirect('/on', welcome)] })
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(split.address({ redirect_uri: `${scene.party.origin}/on` }))
  await signIn(page)
  await press(page, 'Allow')
  await page.waitForURL(welcome)
})

test('sign-in and consent work with the keyboard, with visible focus', async () => {
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto((await scene.application({ client_name: 'Keys' })).address())
  await tabTo(page, 'E-mail address')
  await page.keyboard.type(ada.email)
  await tabTo(page, 'Password')
  await page.keyboard.type(ada.password)
  await tabTo(page, 'Show password')
  await tabTo(page, 'Forgot your password?')
  await tabTo(page, 'Sign in')
  await page.keyboard.press('Enter')
  await page.waitForSelector('h1:text("Allow access")')
  await tabTo(page, 'Allow')
  await page.waitForSelector('button:text("Allow"):not([aria-disabled])')
  await page.keyboard.press('Enter')
  expect((await notes.waitForReturn(page)).searchParams.has('code')).toBe(true)
})

/** Presses Tab, which must focus the element with this name visibly. */
async function tabTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Tab')
  expect(await page.evaluate(focused)).toEqual([name, true])
}

const focused = `(() => {
  const at = document.activeElement
  const name = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent
  return [name, parseFloat(getComputedStyle(at).outlineWidth) >= 2]
})()`

test('sign-up, consent and sign-in work without JavaScript', async () => {
  const hedy = { email: 'hedy@example.com', password: 'frequency hopping 88', name: 'Hedy Lamarr' }
  const radio = await scene.application({ client_name: 'Radio' })
  await using newcomer = await scene.visitor({ javaScriptEnabled: false })
  await newcomer.page.goto(radio.address())
  expect(await newcomer.page.getByRole('button').allInnerTexts(), 'without those that need a script').toEqual([
    'Sign in',
    'Cancel',
  ])
  await signUp(newcomer.page, hedy)
  await press(newcomer.page, 'Allow')
  const userInfo = await radio.fetchUserInfo(await radio.waitForReturn(newcomer.page))
  expect(userInfo).toMatchObject({ email: hedy.email, email_verified: false })

  await using later = await scene.visitor({ javaScriptEnabled: false })
  await later.page.goto(radio.address())
  await signIn(later.page, hedy)
  expect(await radio.fetchUserInfo(await radio.waitForReturn(later.page))).toMatchObject({ sub: userInfo.sub })
})
