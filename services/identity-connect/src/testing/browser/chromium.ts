import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

const options = () => ({
  executablePath: pathOfChromium(),
  headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})

/** The Chromium of this machine; none is downloaded. */
export function openChromium(): Promise<Browser> {
  return chromium.launch(options())
}

export interface Profile extends AsyncDisposable {
  readonly context: BrowserContext
}

/**
 * A Chromium that keeps cookies of sites that are shown in frames of others. Chrome is delivered like that; Debian's
 * Chromium is not, and private windows of neither are.
 */
export async function openChromiumWithForeignCookies(): Promise<Profile> {
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'))
  await mkdir(join(folder, 'Default'))
  await writeFile(join(folder, 'Default/Preferences'), JSON.stringify({ profile: { cookie_controls_mode: 0 } }))
  const context = await chromium.launchPersistentContext(folder, { ...options(), ignoreHTTPSErrors: true })
  return {
    context,
    async [Symbol.asyncDispose]() {
      await context.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 }) // its processes may still be writing
    },
  }
}

function pathOfChromium(): string {
  const { CHROMIUM, PATH = '' } = process.env
  const places = PATH.split(delimiter).map((folder) => join(folder, 'chromium'))
  const found = CHROMIUM ?? places.find((place) => existsSync(place))
  if (!found) throw new Error('There is no chromium on this machine: scripts/setup installs it, or CHROMIUM names one.')
  return found
}
