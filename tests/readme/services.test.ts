import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dev, startDev } from '../../apps/server/src/testing/dev.ts'
import { putBelongings } from './belongings.ts'
import { type Block, blocksOf } from './blocks.ts'
import { runBlocks } from './shell.ts'

// Runs the commands of every service's README as a reader pastes them, all against one `icosa dev` on a fresh folder.
const root = fileURLToPath(new URL('../../', import.meta.url))
const services = readdirSync(join(root, 'services'))
const blocksIn = (service: string) => blocksOf(readFileSync(join(root, 'services', service, 'README.md'), 'utf8'))

let dev: Dev
beforeAll(async () => {
  dev = await startDev()
})
afterAll(() => dev[Symbol.asyncDispose]())

/** A folder as that of somebody who installed Icosa and has started it there. */
async function readersFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-reader-'))
  await symlink(dev.folder, join(folder, '.icosa'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** What starts it is already done; but for the port, all else is as it is written. */
const asPasted = (text: string) =>
  text.replaceAll(/^(sudo )?npx icosa dev.*$/gm, '').replaceAll('127.0.0.1:4000', new URL(dev.ready.url).host)

/** The shells of a page with what it shows to be their results. */
function sessionsOf(blocks: readonly Block[]) {
  return blocks.flatMap(({ kind, text }, position) => {
    const below = blocks[position + 1]
    return kind === 'sh' ? [{ text, shown: below?.isResult ? below : undefined }] : []
  })
}

/** In what a page shows, "…" stands for anything. */
const orAnything = (_: string, value: unknown) => (value === '…' ? expect.anything() : value)

function expectShown({ kind, text }: Block, printed: string) {
  if (kind !== 'json')
    return expect(`\n${printed.trim()}`.endsWith(`\n${text}`), `${printed}\nends in\n${text}`).toBe(true)
  expect(JSON.parse(printed.trim().split('\n').at(-1) ?? '')).toEqual(JSON.parse(text, orAnything))
}

describe.each(services)('%s', (service) => {
  const sessions = sessionsOf(blocksIn(service))

  test('its README starts it and has commands to try it', () => {
    const all = sessions.map(({ text }) => text).join('\n')
    for (const [, names = ''] of all.matchAll(/^npx icosa dev --services (\S+)/gm))
      expect(dev.ready.services.map(({ name }) => name)).toEqual(expect.arrayContaining(names.split(',')))
    expect(asPasted(all).trim().split('\n').length).toBeGreaterThanOrEqual(3)
    expect(all, 'what is asynchronous is waited for').not.toMatch(/^sleep/m)
  })

  test('they run in order and print what it shows', async () => {
    await using reader = await readersFolder()
    await putBelongings(service, reader.folder)
    const printed = await runBlocks(
      sessions.map(({ text }) => asPasted(text)),
      reader.folder,
      dev.env,
    )
    for (const [number, { shown }] of sessions.entries()) if (shown) expectShown(shown, printed[number] ?? '')
  })
})
