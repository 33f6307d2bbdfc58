import type { Platform } from '@icosa/kernel'
import { testServerUrl } from '@icosa/testing'
import { openChromium } from '@icosa/testing/browser'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Icosa, StartOptions } from '../../apps/server/src/testkit/index.ts'
import { type Opened, openInstance } from '../../apps/server/src/testkit/start.ts'
import { writeConsole } from '../../scripts/console.ts'

export interface ConsoleNode {
  readonly app: Icosa
  /** For data that only an import brings. */
  readonly platform: Platform
  readonly page: Page
  /** All requests made by the page. */
  readonly requests: { readonly method: string; readonly url: string }[]
  /** Dialogs opened by injected scripts, blocked content and errors. */
  readonly incidents: string[]
  /** Navigates to a view as a link does, without reloading the page. */
  go(path: string): Promise<void>
  /** Waits until the page has drawn the replies to all of its requests, except streams. */
  settled(): Promise<void>
}

/** A node in development mode with all services, and a browser showing its console. */
export function openConsole(options: StartOptions = { databaseUrl: testServerUrl }): ConsoleNode {
  let node: Opened
  let browser: Browser
  let page: Page
  const requests: ConsoleNode['requests'] = []
  const incidents: string[] = []
  const inFlight = new Set<Request>()
  beforeAll(async () => {
    await writeConsole()
    node = await openInstance(options)
    browser = await openChromium()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(60_000)
    page.on('request', (request) => {
      requests.push({ method: request.method(), url: request.url() })
      if (request.headers().accept !== 'text/event-stream') inFlight.add(request)
    })
    page.on('requestfinished', (request) => inFlight.delete(request))
    page.on('requestfailed', (request) => inFlight.delete(request))
    page.on('dialog', (dialog) => {
      incidents.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('pageerror', ({ message }) => incidents.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        incidents.push(message.text())
    })
    await page.goto(`${node.app.url}/console`)
    await page.getByRole('heading', { name: 'Services', exact: true }).waitFor()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await node?.app.close()
  })
  return {
    get app() {
      return node.app
    },
    get platform() {
      return node.development.node.platform
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
    async settled() {
      // What a frame draws may send further requests.
      for (let quiet = 0; quiet < 2; quiet = inFlight.size === 0 ? quiet + 1 : 0)
        await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
    },
  }
}
