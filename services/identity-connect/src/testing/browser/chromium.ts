import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromiumOptions } from '@icosa/testing/browser'
import { type BrowserContext, chromium } from 'playwright-core'

export interface Profile extends AsyncDisposable {
  readonly context: BrowserContext
}

/**
 * A Chromium that allows third-party cookies. That is Chrome's default, but not that of Debian's Chromium or of private
 * windows.
 */
export async function openChromiumWithForeignCookies(): Promise<Profile> {
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'))
  await mkdir(join(folder, 'Default'))
  await writeFile(join(folder, 'Default/Preferences'), JSON.stringify({ profile: { cookie_controls_mode: 0 } }))
  const context = await chromium.launchPersistentContext(folder, { ...chromiumOptions(), ignoreHTTPSErrors: true })
  return {
    context,
    async [Symbol.asyncDispose]() {
      await context.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 }) // its processes may still be writing
    },
  }
}
