import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

export const chromiumOptions = () => ({
  executablePath: pathOfChromium(),
  headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})

/** Opens the Chromium installed on this machine; none is downloaded. */
export function openChromium(): Promise<Browser> {
  return chromium.launch(chromiumOptions())
}

function pathOfChromium(): string {
  const { CHROMIUM, PATH = '' } = process.env
  const places = PATH.split(delimiter).map((folder) => join(folder, 'chromium'))
  const executable = CHROMIUM ?? places.find((place) => existsSync(place))
  if (!executable)
    throw new Error('There is no chromium on this machine: scripts/setup installs it, or CHROMIUM names one.')
  return executable
}

const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
] as const

/** Dark mode changes only colours, so only their contrast is checked again. */
const rules = {
  light: { resultTypes: ['violations'] },
  dark: { resultTypes: ['violations'], runOnly: ['color-contrast'] },
}

/**
 * Accessibility violations of a page at mobile and desktop widths, in light and dark mode, and horizontal overflow.
 * With SCREENSHOTS set to a folder, screenshots are written there.
 */
export async function flawsOf(page: Page, name: string): Promise<string[]> {
  const flaws: string[] = []
  await page.evaluate(axe.source)
  for (const size of sizes)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(rules[colorScheme])})`)
      const context = `${name} at ${size.width}, ${colorScheme}`
      flaws.push(...violations.map(({ id, nodes }) => `${context}: ${id} at ${nodes[0]?.target}`))
      if (await page.evaluate('document.scrollingElement.scrollWidth > innerWidth')) flaws.push(`${context}: too wide`)
      const folder = process.env.SCREENSHOTS
      if (folder)
        await page.screenshot({ path: join(folder, `${name}.${size.width}.${colorScheme}.png`), fullPage: true })
    }
  return flaws
}
