import { testServerUrl } from '@icosa/testing'
import { openChromium } from '@icosa/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type Icosa, type StartOptions, start } from '../../apps/server/src/testkit/index.ts'
import { writeConsole } from '../../scripts/console.ts'

export interface ConsoleNode {
  readonly app: Icosa
  readonly page: Page
  /** All requests made by the page. */
  readonly requests: { readonly method: string; readonly url: string }[]
  /** Dialogs opened by injected scripts, blocked content and errors. */
  readonly incidents: string[]
  /** Navigates to a view as a link does, without reloading the page. */
  go(path: string): Promise<void>
}

/** A node in development mode with all services, and a browser showing its console. */
export function openConsole(options: StartOptions = { databaseUrl: testServerUrl }): ConsoleNode {
  let app: Icosa
  let browser: Browser
  let page: Page
  const requests: ConsoleNode['requests'] = []
  const incidents: string[] = []
  beforeAll(async () => {
    await writeConsole()
    app = await start(options)
    browser = await openChromium()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(10_000)
    page.on('request', (request) => requests.push({ method: request.method(), url: request.url() }))
    page.on('dialog', (dialog) => {
      incidents.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('pageerror', ({ message }) => incidents.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        incidents.push(message.text())
    })
    await page.goto(`${app.url}/console`)
    await page.getByRole('heading', { name: 'Services', exact: true }).waitFor()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })
  return {
    get app() {
      return app
    },
    get page() {
      return page
    },
    requests,
    incidents,
    async go(path) {
      const to = JSON.stringify(`/console${path}`)
      await page.evaluate(`history.pushState(null, '', ${to}); dispatchEvent(new PopStateEvent('popstate'))`)
    },
  }
}
