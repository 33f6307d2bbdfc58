import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '@icosa/module'
import { freePort } from '@icosa/testing'
import type { Dev } from '../../apps/server/src/testing/dev.ts'
import { putBelongings } from './belongings.ts'
import { asPasted, handOver, type Page, readersFolder, root } from './page.ts'
import { runBlocks } from './shell.ts'
import { expectShown } from './shown.ts'

export interface Reader {
  readonly dev: Dev
  readonly account: Account | undefined
  /** Ends the reader's shell once the test has timed out. */
  readonly signal: AbortSignal
  /** Text of `.curlrc`. */
  readonly curl?: string
}

/** Runs the commands of a page in order in an empty folder, and compares their output with that on the page. */
export async function follow(service: string, page: Page, { dev, account, signal, curl }: Reader): Promise<void> {
  const [{ host }, port] = [new URL(dev.ready.url), await freePort()]
  await using reader = await readersFolder(dev.folder, page.packages)
  await putBelongings(service, reader.folder)
  for (const { name, text } of page.files) await writeFile(join(reader.folder, name), asPasted(text, host, port))
  if (curl !== undefined) await writeFile(join(reader.folder, '.curlrc'), curl)
  const commands = page.sessions.map(({ text }) => asPasted(text, host, port))
  // Programs in Python get the packages of the system, wherever another Python is first.
  const env = { PATH: `${join(root, 'node_modules/.bin')}:/usr/bin:${process.env.PATH}`, HOME: reader.folder }
  await handOver(reader.folder, account)
  const printed = await runBlocks(commands, { cwd: reader.folder, env, account, signal })
  for (const [number, { shown }] of page.sessions.entries()) if (shown) expectShown(shown, printed[number]?.text ?? '')
}
