import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import type { BrowserContext, Frame, Page } from 'playwright-core'

const phone = { width: 360, height: 740 }
const sizes = [phone, { width: 1280, height: 800 }]
const colorSchemes = ['light', 'dark'] as const

export interface Inspection {
  readonly page: string
  readonly title: string
  /** Violated accessibility rules, with their elements. */
  readonly violations: readonly string[]
  /** Sizes that scroll horizontally. */
  readonly tooWide: readonly string[]
}

/** For screenshots: `SCREENSHOTS=folder npx vitest run looks`. */
const folder = process.env.SCREENSHOTS
if (folder) mkdirSync(folder, { recursive: true })

/** Dark mode changes only colours, so only colour rules are checked again. */
const rules = {
  light: { resultTypes: ['violations'] },
  dark: { resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] },
}

/**
 * Checks a page at phone and desktop sizes, in light and dark mode. `frame` is our part of it. Desktops have the same elements and
 * colours, with more space: their rules are checked at night.
 */
export async function inspect(name: string, page: Page, frame: Frame = page.mainFrame()): Promise<Inspection> {
  const violations: string[] = []
  const tooWide: string[] = []
  await frame.waitForLoadState('load')
  await frame.evaluate(axe.source)
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' }) // or colours would be measured during transitions
      const view = `${size.width} ${colorScheme}`
      if (await frame.evaluate('document.scrollingElement.scrollWidth > innerWidth')) tooWide.push(view)
      if (size !== phone && !process.env.NIGHTLY && !folder) continue
      const results = await frame.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(rules[colorScheme])})`)
      violations.push(...results.violations.map(({ id, nodes }) => `${view}: ${id} at ${nodes[0]?.target}`))
      if (folder) {
        const path = join(folder, `${name.replaceAll(' ', '-')}.${size.width}.${colorScheme}.png`)
        await page.screenshot({ path, fullPage: true })
      }
    }
  }
  return { page: name, title: await frame.title(), violations, tooWide }
}

/** Collects invisible problems: console errors, and requests to other origins. */
export function collectProblems(context: BrowserContext, ours: string): string[] {
  const problems: string[] = []
  const documents = new Set<string>()
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (request.isNavigationRequest()) documents.add(url.href)
    else if (url.origin !== ours && url.protocol !== 'data:') problems.push(`loads ${url}`)
  })
  context.on('console', (message) => {
    const { url } = message.location()
    // Pages with a problem have status 400, which the console reports as an error.
    const isPage = message.text().startsWith('Failed to load resource') && documents.has(url)
    if (message.type() === 'error' && !isPage) problems.push(`${url}: ${message.text()}`)
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  return problems
}
