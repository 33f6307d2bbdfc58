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

const phone = { width: 360, height: 740 }
const desktop = { width: 1280, height: 800 }
const schemes = ['light', 'dark'] as const

/** Every rule runs at both sizes, and contrast is computed in both schemes; at night, and for screenshots, in all four modes. */
const modes =
  process.env.NIGHTLY || process.env.SCREENSHOTS
    ? [phone, desktop].flatMap((size) => schemes.map((colorScheme) => ({ size, colorScheme })))
    : [
        { size: phone, colorScheme: 'dark' as const },
        { size: desktop, colorScheme: 'light' as const },
      ]

/**
 * Accessibility violations of a page at mobile and desktop widths, in light and dark mode, and horizontal overflow.
 * With SCREENSHOTS set to a folder, screenshots are written there.
 */
export async function flawsOf(page: Page, name: string): Promise<string[]> {
  const flaws: string[] = []
  await page.evaluate(axe.source)
  for (const { size, colorScheme } of modes) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })")
    const context = `${name} at ${size.width}, ${colorScheme}`
    flaws.push(...violations.map(({ id, nodes }) => `${context}: ${id} at ${nodes[0]?.target}`))
    if (await page.evaluate('document.scrollingElement.scrollWidth > innerWidth')) flaws.push(`${context}: too wide`)
    const folder = process.env.SCREENSHOTS
    if (folder)
      await page.screenshot({ path: join(folder, `${name}.${size.width}.${colorScheme}.png`), fullPage: true })
  }
  return flaws
}
