import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailJob } from '../mail/job.ts'
import { serviceName } from '../names.ts'
import { peopleContext } from '../people/context.ts'
import { invite } from '../people/invitations.ts'
import { linkMailedTo } from '../testing/browser/mailbox.ts'
import { type Scene, startScene } from '../testing/browser/scene.ts'
import { press, problemOn, signIn, signUp, titleOn } from '../testing/browser/steps.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('a user signs up on the way to an application, and confirms the address by mail', async () => {
  const mary = { email: 'mary@example.com', password: 'mechanism of the heavens', name: 'Mary Somerville' }
  const notes = await scene.application()
  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(notes.address({ scope: 'openid email profile' }))
  await signUp(page, { ...mary, password: 'mary' })
  expect(await titleOn(page), 'the browser rejects a short password').toBe('Create an account')
  await page.getByLabel('Password', { exact: true }).fill('password1234')
  await press(page, 'Create account')
  expect(await problemOn(page)).toBe('Password is commonly used: choose another one.')
  expect(await page.getByLabel('Your name').inputValue(), 'the form keeps its input').toBe(mary.name)

  await page.getByLabel('Password', { exact: true }).fill(mary.password)
  await press(page, 'Create account')
  await press(page, 'Allow')
  expect(await notes.fetchUserInfo(await notes.waitForReturn(page))).toMatchObject({
    name: mary.name,
    email_verified: false,
  })

  await page.goto(await linkMailedTo(scene.identity, mary.email, 'Confirm your e-mail address'))
  expect(await titleOn(page)).toBe('Confirm your e-mail address')
  await page.goto(notes.address())
  expect(await notes.fetchUserInfo(await notes.waitForReturn(page)), 'opening the link does not confirm').toMatchObject(
    {
      email_verified: false,
    },
  )
  await page.goBack()
  await press(page, 'Confirm the address')
  expect(await titleOn(page)).toBe('Address confirmed')
  await page.goto(notes.address())
  expect(await notes.fetchUserInfo(await notes.waitForReturn(page))).toMatchObject({ email_verified: true })
})

test('a forgotten password is reset by mail, which ends all sessions', async () => {
  const emmy = { email: 'emmy@example.com', password: 'conserved quantities', name: 'Emmy Noether' }
  await scene.identity.person(emmy)
  const account = `${scene.issuer}/account`
  await using elsewhere = await scene.visitor()
  await elsewhere.page.goto(account)
  await signIn(elsewhere.page, emmy)
  expect(await titleOn(elsewhere.page)).toBe('Your account')

  await using visitor = await scene.visitor()
  const { page } = visitor
  await page.goto(account)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('E-mail address').fill(emmy.email)
  await press(page, 'Send the link')
  expect(await titleOn(page)).toBe('Check your e-mail')
  await page.goto(await linkMailedTo(scene.identity, emmy.email, 'Choose a new password'))
  await page.getByLabel('New password', { exact: true }).fill('symmetries of nature')
  await press(page, 'Save the password')
  expect(await titleOn(page)).toBe('Done')

  await elsewhere.page.goto(account)
  expect(await titleOn(elsewhere.page)).toBe('Sign in')
  await signIn(elsewhere.page, emmy)
  expect(await problemOn(elsewhere.page)).toContain('Wrong e-mail address or password')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, { ...emmy, password: 'symmetries of nature' })
  expect(await titleOn(page)).toBe('Your account')
})

test('with sign-up by invitation, only the link in the mail creates an account, once', async () => {
  await using closed = await startScene({ settings: { signUp: 'invitation' } })
  const { identity, issuer } = closed
  const context = peopleContext(identity.app.platform, {
    service: serviceName,
    // Only the name of the job matters: the node delivers with its own settings.
    sendMail: mailJob({ from: 'Icosa <no-reply@icosa.test>', transport: { kind: 'directory', path: 'unused' } }),
    brand: 'Icosa',
    page: (name) => `${issuer}/${name}`,
  })
  await using visitor = await closed.visitor()
  const { page } = visitor
  await page.goto((await closed.application()).address())
  expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0)

  await invite(context, { email: 'rosalind@example.com', invitedBy: 'ada@example.com', tenant: 'acme' })
  const link = await linkMailedTo(identity, 'rosalind@example.com', 'You are invited')
  await page.goto(link)
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('rosalind@example.com')
  await page.getByLabel('Your name').fill('Rosalind Franklin')
  await page.getByLabel('Password', { exact: true }).fill('photograph number 51')
  await press(page, 'Create account')
  expect(await titleOn(page)).toBe('Your account')
  expect(await page.getByText('Not confirmed').count(), 'the invitation confirms the address').toBe(0)

  await using another = await closed.visitor()
  await another.page.goto(link)
  expect(await titleOn(another.page)).toBe('This did not work')
  expect(await another.page.getByText('has already been used').count()).toBe(1)
})
