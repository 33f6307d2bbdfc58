import type { Frame, Page } from 'playwright-core'
import { ada } from '../testing/app.ts'

/** What somebody does on our pages, by what they read there. */
type Place = Page | Frame

export interface Credentials {
  readonly email: string
  readonly password: string
}

export async function signIn(place: Place, { email, password }: Credentials = ada): Promise<void> {
  await place.getByLabel('E-mail address').fill(email)
  await place.getByLabel('Password', { exact: true }).fill(password)
  await press(place, 'Sign in')
}

export async function signUp(place: Place, { email, password, name }: Credentials & { name: string }): Promise<void> {
  await place.getByRole('link', { name: 'Create an account' }).click()
  await place.getByLabel('Your name').fill(name)
  await place.getByLabel('E-mail address').fill(email)
  await place.getByLabel('Password', { exact: true }).fill(password)
  await press(place, 'Create account')
}

export const press = (place: Place, button: string) => place.getByRole('button', { name: button, exact: true }).click()

/** What the page says is wrong. */
export const problemOn = (place: Place) => place.getByRole('alert').innerText()

export const titleOn = (place: Place) => place.getByRole('heading', { level: 1 }).innerText()
