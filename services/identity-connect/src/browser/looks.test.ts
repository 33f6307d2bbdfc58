import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { updateProfile } from '../people/people.ts'
import { ada } from '../testing/app.ts'
import type { Application } from '../testing/browser/application.ts'
import { addAuthenticator } from '../testing/browser/authenticator.ts'
import { framePage } from '../testing/browser/client-pages.ts'
import { collectProblems, type Inspection, inspect } from '../testing/browser/inspection.ts'
import { linkMailedTo } from '../testing/browser/mailbox.ts'
import { type Scene, startScene, type Visitor } from '../testing/browser/scene.ts'
import { press, signIn, signUp } from '../testing/browser/steps.ts'

vi.setConfig({ testTimeout: 120_000 }) // four screenshots of each page, on a machine that may be busy

let scene: Scene
let notes: Application
/** Has a name that is wider than a narrow screen. */
let works: Application
const inspections: Inspection[] = []
const everything = { scope: 'openid email profile phone address offline_access', prompt: 'consent' }
const wrong = { ...ada, password: 'difference engine no. 2' }

beforeAll(async () => {
  scene = await startScene()
  const { database, clock } = scene.identity.app.platform
  await updateProfile(database, clock, await scene.identity.person(), {
    phone_number: '+44 20 7946 0000',
    address: { street_address: '12 St James’s Square', locality: 'London' },
  })
  notes = await scene.application({
    policy_uri: 'https://notes.example/privacy',
    tos_uri: 'https://notes.example/terms',
  })
  works = await scene.application({
    client_name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
    grant_types: ['authorization_code', 'refresh_token'],
  })
})
afterAll(async () => {
  const counts = inspections.map(({ violations, tooWide, ...page }) => ({
    ...page,
    violations: violations.length,
    'too wide': tooWide.length,
  }))
  console.table(counts)
  await scene[Symbol.asyncDispose]()
})

async function look(name: string, page: Page, frame?: Frame): Promise<void> {
  const inspection = await inspect(name, page, frame)
  const { title, violations, tooWide } = inspection
  inspections.push(inspection)
  const hasProblem = title.startsWith('Problem: ')
  expect.soft({ hasProblem, violations, tooWide }, name).toEqual({
    hasProblem: name.endsWith('with a problem'),
    violations: [],
    tooWide: [],
  })
}

/** Runs a story, in which the browser must report no problems. */
async function quietly(story: (visitor: Visitor) => Promise<void>): Promise<void> {
  await using visitor = await scene.visitor()
  const problems = collectProblems(visitor.context, new URL(scene.issuer).origin)
  await story(visitor)
  expect(problems).toEqual([])
}

test('sign-in and sign-up', () =>
  quietly(async ({ page }) => {
    await page.goto(notes.address())
    await look('sign-in', page)
    await signIn(page, wrong)
    await look('sign-in with a problem', page)
    await page.goto(works.address())
    await look('sign-in for a long name', page)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await look('sign-up', page)
    await page.getByLabel('E-mail address').fill('somebody@example.com')
    await page.getByLabel('Password', { exact: true }).fill('password1234')
    await press(page, 'Create account')
    await look('sign-up with a problem', page)
    await page.goto(`${scene.issuer}/authorize?client_id=nobody`)
    await look('error', page)
    await page.goto(`${scene.issuer}/interaction/long-ago`)
    await look('error of a sign-in that is over', page)
  }))

test('pages linked from mails', () =>
  quietly(async ({ page }) => {
    const newcomer = { email: 'newcomer@example.com', password: 'something rather new', name: 'New Comer' }
    await page.goto(notes.address())
    await signUp(page, newcomer)
    await page.goto(`${scene.issuer}/account`)
    await look('account of a newcomer', page)
    const verify = await linkMailedTo(scene.identity, newcomer.email, 'Confirm your e-mail address')
    await page.goto(verify)
    await look('verify', page)
    await press(page, 'Confirm the address')
    await look('verified', page)
    await page.goto(verify)
    await look('verify with an old link', page)
    await page.goto(`${scene.issuer}/forgot`)
    await look('forgot', page)
    await page.getByLabel('E-mail address').fill(newcomer.email)
    await press(page, 'Send the link')
    await look('forgot and sent', page)
    await page.goto(await linkMailedTo(scene.identity, newcomer.email, 'Choose a new password'))
    await look('reset', page)
    await page.getByLabel('New password', { exact: true }).fill('password1234')
    await press(page, 'Save the password')
    await look('reset with a problem', page)
    await page.getByLabel('New password', { exact: true }).fill('something newer still')
    await press(page, 'Save the password')
    await look('reset done', page)
  }))

test('an address with an account created by someone else', () =>
  quietly(async ({ page }) => {
    const owner = { email: 'owner@example.com', password: 'something rather new', name: 'Some Body' }
    await using elsewhere = await scene.visitor()
    await elsewhere.page.goto(notes.address())
    await signUp(elsewhere.page, owner)
    await page.goto(await linkMailedTo(scene.identity, owner.email, 'Confirm your e-mail address'))
    await look('verify elsewhere', page)
    await page.getByLabel('New password', { exact: true }).fill('password1234')
    await press(page, 'Confirm and create a new account')
    await look('verify elsewhere with a problem', page)
    await page.getByLabel('New password', { exact: true }).fill('something newer still')
    await press(page, 'Confirm and create a new account')
    await look('verified elsewhere', page)
  }))

test('consent and sign-out', () =>
  quietly(async ({ page }) => {
    await page.goto(notes.address())
    await signIn(page)
    await press(page, 'Allow')
    await page.goto(notes.address({ scope: 'openid email phone' }))
    await look('consent to more', page)
    await page.goto(works.address(everything))
    await look('consent', page)
    await page.goto((await scene.application()).address({ scope: 'openid' }))
    await look('consent to a bare sign-in', page)
    await page.goto(`${scene.issuer}/session/end?client_id=${notes.clientId}`)
    await look('sign-out from an application', page)
    await page.goto(`${scene.issuer}/session/end`)
    await look('sign-out', page)
    await press(page, 'Sign out')
    await look('signed out', page)
  }))

test('the account page', () =>
  quietly(async ({ page }) => {
    await using elsewhere = await scene.visitor({ userAgent: 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Firefox/140.0' })
    await elsewhere.page.goto(works.address(everything))
    await signIn(elsewhere.page)
    await press(elsewhere.page, 'Allow')
    await works.waitForReturn(elsewhere.page)
    await addAuthenticator(page)
    await page.goto(`${scene.issuer}/account`)
    await signIn(page)
    await page.getByLabel('Name of the new passkey').fill('My laptop')
    await press(page, 'Add a passkey')
    await page.getByText('The passkey is added.').waitFor()
    await look('account', page)
    await page.getByLabel('Current password', { exact: true }).fill(wrong.password)
    await page.getByLabel('New password', { exact: true }).fill('something new here')
    await press(page, 'Change password')
    await look('account with a problem', page)
  }))

test('a popup', () =>
  quietly(async ({ page }) => {
    await page.goto(notes.address({ display: 'popup' }))
    await look('popup sign-in', page)
    await signIn(page, wrong)
    await look('popup sign-in with a problem', page)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await look('popup sign-up', page)
    await page.goto(notes.address({ display: 'popup', scope: 'openid email profile phone address' }))
    await signIn(page)
    await look('popup consent', page)
  }))

test('a modal frame and its window', () =>
  quietly(async ({ page, context }) => {
    const frameOf = () => page.frame('sign-in') ?? expect.fail('the page has no frame')
    const modal = { ...everything, scope: 'openid', display: 'modal' }
    await page.goto(scene.party.page('/modal', framePage(notes.address(modal))))
    await look('modal', page, frameOf())
    // Without its script the window does not close.
    await context.route('**/assets/handover.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
    const [window] = await Promise.all([page.waitForEvent('popup'), frameOf().getByRole('link').click()])
    await signIn(window)
    await press(window, 'Allow')
    await window.getByRole('heading', { name: 'Done' }).waitFor()
    await look('end of the window of a modal', window)
  }))
