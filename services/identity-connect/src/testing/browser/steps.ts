import type { Frame, Page } from 'playwright-core'
import { ada } from '../app.ts'

type Target = Page | Frame

export interface Credentials {
  readonly email: string
  readonly password: string
}

export async function signIn(target: Target, { email, password }: Credentials = ada): Promise<void> {
  await target.getByLabel('E-mail address').fill(email)
  await target.getByLabel('Password', { exact: true }).fill(password)
  await press(target, 'Sign in')
}

export async function signUp(target: Target, { email, password, name }: Credentials & { name: string }): Promise<void> {
  await target.getByRole('link', { name: 'Create an account' }).click()
  await target.getByLabel('Your name').fill(name)
  await target.getByLabel('E-mail address').fill(email)
  await target.getByLabel('Password', { exact: true }).fill(password)
  await press(target, 'Create account')
}

export const press = (target: Target, button: string) =>
  target.getByRole('button', { name: button, exact: true }).click()

export const problemOn = (target: Target) => target.getByRole('alert').innerText()

export const titleOn = (target: Target) => target.getByRole('heading', { level: 1 }).innerText()
