import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import type { ConsoleNode } from './node.ts'

/** A file to choose, instead of text to type. */
export interface Upload {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** Values by the label of their field, or by those of its group and its own: `action/id`. */
export type Filled = Readonly<Record<string, string | Upload>>

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** What a person does in the console: clicks and typing, and nothing else. */
export class Hands {
  readonly #console: ConsoleNode

  constructor(console: ConsoleNode) {
    this.#console = console
  }

  get #page() {
    return this.#console.page
  }

  get inspector(): Locator {
    return this.#page.getByRole('complementary')
  }

  /** Opens a service from home, and one of its lists by title. */
  async visit(service: string, list?: string): Promise<void> {
    await this.#page.getByRole('link', { name: 'Icosa', exact: true }).click()
    const services = this.#page.locator('section', {
      has: this.#page.getByRole('heading', { name: 'Services', exact: true }),
    })
    await services.locator('h3').getByRole('link', { name: service, exact: true }).click()
    await this.#page.getByRole('heading', { level: 1, name: service, exact: true }).waitFor()
    if (list) await this.#page.locator('main').getByRole('link', { name: list, exact: true }).click()
  }

  async fill(filled: Filled): Promise<void> {
    const dialog = this.#page.getByRole('dialog')
    await dialog.locator('form').waitFor()
    for (const [name, value] of Object.entries(filled)) {
      const [own = '', group] = name.split('/').toReversed()
      const label = new RegExp(`^${escaped(own)}( required)?$`)
      const folded = dialog.locator('details:not([open])', { has: this.#page.getByLabel(label) }).locator('> summary')
      while ((await folded.count()) > 0) await folded.first().click()
      const fields = group ? dialog.getByRole('group', { name: group, exact: true }) : dialog
      const field = fields.getByLabel(label).first()
      if (typeof value !== 'string') await field.setInputFiles(value)
      else if (await field.evaluate((element) => element.nodeName === 'SELECT')) await field.selectOption(value)
      else await field.fill(value)
    }
  }

  /** Submits the form, and waits until it is closed. A secret that is shown only once is closed as well. */
  async submit(button: string): Promise<void> {
    const dialog = this.#page.getByRole('dialog')
    await dialog.getByRole('button', { name: button, exact: true }).click()
    const secret = this.#page.getByRole('dialog', { name: /shown only once/ })
    const problem = dialog.locator('.problem')
    await secret.or(problem).or(this.#page.locator('body:not(:has([role=dialog]))')).first().waitFor()
    if ((await problem.count()) > 0) throw new Error(`Refused: ${await problem.textContent()}`)
    if ((await secret.count()) > 0) await this.#page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }

  async create(filled: Filled): Promise<void> {
    await this.#page.getByRole('button', { name: 'New', exact: true }).click()
    await this.fill(filled)
    await this.submit('Create')
  }

  async open(name: string): Promise<void> {
    await this.#page.locator('a.row').filter({ hasText: name }).first().click({ timeout: 30_000 })
    await this.inspector.waitFor()
  }

  /** Opens a list inside the open resource. */
  async enter(list: string): Promise<void> {
    await this.inspector.getByRole('link', { name: list, exact: true }).click()
    await this.#page.getByRole('heading', { level: 1, name: list, exact: true }).waitFor()
  }

  /** Sends an action of the open resource. */
  async act(action: string, filled: Filled = {}): Promise<string> {
    await this.inspector.getByRole('button', { name: action, exact: true }).click()
    return this.#send(filled)
  }

  /** Sends an operation from the page of its service. Returns its reply. */
  async call(service: string, operation: RegExp, filled: Filled): Promise<string> {
    await this.visit(service)
    await this.#page.getByRole('link', { name: operation }).first().click()
    return this.#send(filled)
  }

  async #send(filled: Filled): Promise<string> {
    const dialog = this.#page.getByRole('dialog')
    await this.fill(filled)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    const done = dialog.getByRole('status')
    const problem = dialog.locator('.problem')
    await done.or(problem).first().waitFor({ timeout: 60_000 })
    const refusal = (await problem.count()) > 0 ? await problem.textContent() : undefined
    const reply = dialog.getByRole('region', { name: 'Reply' })
    const text = (await reply.count()) > 0 ? ((await reply.textContent()) ?? '') : ''
    await this.#page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    if (refusal !== undefined) throw new Error(`Refused: ${refusal}`)
    return text
  }

  /** Waits for a text in the open resource, which reads itself again while work goes on. */
  async shows(text: string | RegExp): Promise<void> {
    await expect.poll(() => this.inspector.textContent(), { timeout: 60_000 }).toMatch(text)
  }

  async delete(name: string): Promise<void> {
    await expect.poll(() => this.inspector.locator('progress').count(), { timeout: 60_000 }).toBe(0)
    await this.inspector.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = this.#page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await dialog.getByLabel(/Type/).fill(name)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.waitFor({ state: 'detached' })
    const row = this.#page.getByRole('link', { name, exact: true })
    await expect.poll(() => row.count(), { timeout: 30_000 }).toBe(0)
  }
}
