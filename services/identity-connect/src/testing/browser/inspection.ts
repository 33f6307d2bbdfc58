import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import type { BrowserContext, Frame, Page } from 'playwright-core'

const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]
const colorSchemes = ['light', 'dark'] as const

export interface Inspection {
  readonly page: string
  readonly title: string
  /** What the rules of accessibility have against it, and where. */
  readonly violations: readonly string[]
  /** Where one would have to scroll sideways. */
  readonly tooWide: readonly string[]
}

/** Where pictures go, if somebody wants to look at them: `SCREENSHOTS=folder npx vitest run looks`. */
const folder = process.env.SCREENSHOTS
if (folder) mkdirSync(folder, { recursive: true })

/** Night changes nothing but colours, so that only these are judged again. */
const rules = {
  light: { resultTypes: ['violations'] },
  dark: { resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] },
}

/** Looks at a page on a telephone and on a desk, by day and by night. `frame` is the part of it that is ours. */
export async function inspect(name: string, page: Page, frame: Frame = page.mainFrame()): Promise<Inspection> {
  const violations: string[] = []
  const tooWide: string[] = []
  await frame.waitForLoadState('load')
  await frame.evaluate(axe.source)
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' }) // colours that change slowly would be misread
      const view = `${size.width} ${colorScheme}`
      if (await frame.evaluate('document.scrollingElement.scrollWidth > innerWidth')) tooWide.push(view)
      const found = await frame.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(rules[colorScheme])})`)
      violations.push(...found.violations.map(({ id, nodes }) => `${view}: ${id} at ${nodes[0]?.target}`))
      if (folder) {
        const path = join(folder, `${name.replaceAll(' ', '-')}.${size.width}.${colorScheme}.png`)
        await page.screenshot({ path, fullPage: true })
      }
    }
  }
  return { page: name, title: await frame.title(), violations, tooWide }
}

/** What goes wrong in a browser without being seen: errors in the console, and whatever is loaded from elsewhere. */
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
    // Pages that show a problem come with the status 400, which the console calls an error.
    const isPage = message.text().startsWith('Failed to load resource') && documents.has(url)
    if (message.type() === 'error' && !isPage) problems.push(`${url}: ${message.text()}`)
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  return problems
}
