import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAuthenticator } from '../testing/browser/authenticator.ts'
import { type Scene, startScene } from '../testing/browser/scene.ts'
import { press, signIn, titleOn } from '../testing/browser/steps.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const addPasskey = async (page: Page, name: string) => {
  await page.getByLabel('Name of the new passkey').fill(name)
  await press(page, 'Add a passkey')
}

test('a passkey is added, signs in at an application without a password, and is removed', async () => {
  const sub = await scene.identity.person()
  const notes = await scene.application()
  await using visitor = await scene.visitor()
  const { page } = visitor
  await addAuthenticator(page)
  await page.goto(`${scene.issuer}/account`)
  await signIn(page)
  await addPasskey(page, 'My laptop')
  await page.getByText('The passkey is added.').waitFor()
  const passkeys = page.getByRole('table', { name: 'Passkeys' })
  expect(await passkeys.getByRole('rowheader').allInnerTexts()).toEqual(['My laptop'])
  await addPasskey(page, 'The same again')
  await page.getByText('This device already has a passkey for your account.').waitFor()

  await press(page, 'Sign out')
  await press(page, 'Sign out')
  expect(await titleOn(page)).toBe('You are signed out')
  await page.goto(notes.address())
  await press(page, 'Sign in with a passkey')
  await press(page, 'Allow')
  expect(await notes.fetchUserInfo(await notes.waitForReturn(page))).toMatchObject({ sub })

  await page.goto(`${scene.issuer}/account`)
  await press(page, 'Remove the passkey My laptop')
  expect(await passkeys.count()).toBe(0)
  await page.goto(notes.address({ prompt: 'login' }))
  await press(page, 'Sign in with a passkey')
  await page.getByRole('alert').waitFor()
  expect(await titleOn(page)).toBe('Sign in')
})

test('a user without a passkey is told what to do instead', async () => {
  const notes = await scene.application()
  await using visitor = await scene.visitor()
  const { page } = visitor
  await addAuthenticator(page)
  await page.goto(notes.address())
  await press(page, 'Sign in with a passkey')
  await page.getByText('No passkey was used. You can try again, or sign in with your password.').waitFor()
  expect(await page.getByLabel('Password', { exact: true }).isEditable()).toBe(true)
})
