import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada } from '../testing/app.ts'
import { type Scene, startScene } from '../testing/browser/scene.ts'
import { press, signIn, titleOn } from '../testing/browser/steps.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
  await scene.identity.person()
})
afterAll(() => scene[Symbol.asyncDispose]())

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test('consent lists the shared data, is remembered, and can be revoked', async () => {
  const notes = await scene.application({ client_name: 'Example Notes' })
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(notes.address({ scope: 'openid email profile phone' }))
  await signIn(page)
  expect(await titleOn(page)).toBe('Allow access')
  expect(await page.getByRole('listitem').allInnerTexts()).toEqual([
    'Your e-mail address\nada@example.com',
    'Your name and profile\nAda Lovelace',
    'Your phone number',
  ])
  await press(page, 'Allow')
  expect((await notes.waitForReturn(page)).searchParams.has('code')).toBe(true)

  await page.goto(notes.address())
  expect((await notes.waitForReturn(page)).searchParams.has('code'), 'no new scope, no prompt').toBe(true)
  await page.goto(notes.address({ scope: 'openid email address' }))
  expect(await page.getByRole('listitem').filter({ hasText: 'New' }).allInnerTexts()).toEqual([
    'Your postal address New',
  ])

  await page.goto(`${scene.issuer}/account`)
  await press(page, 'Revoke access of Example Notes')
  expect(await page.getByRole('status').first().innerText()).toBe('Access has been revoked.')
  await page.goto(notes.address())
  expect(await titleOn(page)).toBe('Allow access')
  await press(page, 'Cancel')
  expect((await notes.waitForReturn(page)).searchParams.get('error')).toBe('access_denied')
})

test('a click meant for another page grants nothing', async () => {
  const prize = await scene.application({ client_name: 'Win a prize' })
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(`${scene.issuer}/account`)
  await signIn(page)
  // The second click of a double click, where the first one closed a window above this page.
  const clickOnLoad = "addEventListener('load', () => [...document.forms].at(0)?.querySelector('button')?.click())"
  await visitor.context.addInitScript(clickOnLoad)
  await page.goto(prize.address())
  expect(await titleOn(page)).toBe('Allow access')
  const allow = page.getByRole('button', { name: 'Allow' })
  await page.waitForSelector('button:text("Allow"):not([aria-disabled])')
  await page.evaluate("dispatchEvent(new Event('focus'))")
  await allow.dispatchEvent('click')
  expect(await titleOn(page)).toBe('Allow access')
  await allow.click()
  expect((await prize.waitForReturn(page)).searchParams.has('code'), 'a later click does').toBe(true)
})

test('a saved profile is shared', async () => {
  const diary = await scene.application({ client_name: 'Diary' })
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(`${scene.issuer}/account`)
  await signIn(page)
  await page.getByLabel('Phone number').fill('+44 20 7946 0000')
  await page.getByLabel('Time zone').selectOption('Europe/London')
  await page.getByLabel('Street').fill('12 St James’s Square')
  await page.getByLabel('Town or city').fill('London')
  await press(page, 'Save profile')
  expect(await page.getByRole('status').first().innerText()).toBe('Your profile is saved.')
  await page.goto(page.url())
  expect(await page.getByLabel('Street').inputValue(), 'the URL leads to the same page').toBe('12 St James’s Square')

  await page.goto(diary.address({ scope: 'openid phone address profile' }))
  await press(page, 'Allow')
  expect(await diary.fetchUserInfo(await diary.waitForReturn(page))).toMatchObject({
    phone_number: '+44 20 7946 0000',
    zoneinfo: 'Europe/London',
    address: { street_address: '12 St James’s Square', locality: 'London' },
  })
})

test('a session in another browser can be ended', async () => {
  const account = `${scene.issuer}/account`
  const mail = await scene.application({ client_name: 'Mail' })
  await using office = await scene.visitor({ userAgent: firefox })
  await office.page.goto(mail.address())
  await signIn(office.page)
  await press(office.page, 'Allow')
  await mail.waitForReturn(office.page)
  await using home = await scene.visitor()
  const { page } = home
  await page.goto(account)
  await signIn(page)
  const rows = page.getByRole('table', { name: 'Where you are signed in' }).getByRole('row')
  expect(await rows.filter({ hasText: 'This one' }).getByRole('rowheader').innerText()).toMatch(/^Chrome on Linux/)

  const atOffice = rows.filter({ hasText: 'Firefox on Linux' }).filter({ hasText: 'Mail' })
  await atOffice.getByRole('button').click()
  expect(await page.getByRole('status').first().innerText()).toBe('The session has ended.')
  expect(await atOffice.count()).toBe(0)
  await office.page.goto(account)
  expect(await titleOn(office.page)).toBe('Sign in')
  await page.goto(account)
  expect(await titleOn(page), 'this session continues').toBe('Your account')
})

test('an account is deleted with its password, and can no longer be used to sign in', async () => {
  const brief = { email: 'brief@example.com', password: 'gone in a moment 1' }
  await scene.identity.person(brief)
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(`${scene.issuer}/account`)
  await signIn(page, brief)
  await page.getByText('I want to delete my account').click()
  await page.getByLabel('Your password', { exact: true }).fill(ada.password)
  await press(page, 'Delete my account')
  expect(await page.getByRole('alert').innerText()).toContain('That is not your password.')
  await page.getByLabel('Your password', { exact: true }).fill(brief.password)
  await press(page, 'Delete my account')
  expect(await titleOn(page)).toBe('You are signed out')
  await page.goto(`${scene.issuer}/account`)
  await signIn(page, brief)
  expect(await page.getByRole('alert').innerText()).toContain('Wrong e-mail address or password')
})
