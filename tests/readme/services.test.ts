import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@icosa/testing'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { authorityFile } from '../../apps/server/src/dev/tls.ts'
import { type Dev, startDev } from '../../apps/server/src/testing/dev.ts'
import { putBelongings } from './belongings.ts'
import type { Block } from './blocks.ts'
import { asPasted, readersFolder, readPage, root } from './page.ts'
import { runBlocks } from './shell.ts'

// Runs the commands of every service's README and guide as a reader pastes them, all against one `icosa dev` on a fresh folder.
const services = readdirSync(join(root, 'services')).filter((name) => name !== 'platform')
/** Three at a time, but never both of one service, which look at what is there as if they were alone. */
const pages = [
  ...services.map((service) => ({ service, path: `services/${service}/README.md` })),
  ...services.map((service) => ({ service, path: `docs/guides/${service}.md` })),
]
/** It empties the database under everybody, so it comes last. */
const platform = { service: 'platform', path: 'services/platform/README.md' }

let dev: Dev
beforeAll(async () => {
  dev = await startDev('--tls')
})
afterAll(() => dev[Symbol.asyncDispose]())

/** In what a page shows, "…" stands for anything. */
const orAnything = (_: string, value: unknown) => (value === '…' ? expect.anything() : value)

function expectShown({ kind, text }: Block, printed: string) {
  if (kind !== 'json')
    return expect(`\n${printed.trim()}`.endsWith(`\n${text}`), `${printed}\nends in\n${text}`).toBe(true)
  expect(JSON.parse(printed.trim().split('\n').at(-1) ?? '')).toEqual(JSON.parse(text, orAnything))
}

/** Programs trust the authority of the instance, as `icosa trust` says. */
const trusting = () => {
  const authority = authorityFile(dev.folder)
  const PATH = `${join(root, 'node_modules/.bin')}:${dev.env.PATH}`
  return { ...dev.env, PATH, NODE_EXTRA_CA_CERTS: authority, CURL_CA_BUNDLE: authority }
}

async function follow({ service, path }: (typeof pages)[number], { signal }: TestContext) {
  const { sessions, files } = await readPage(path)
  const [{ host }, port] = [new URL(dev.ready.url), await freePort()]
  await using reader = await readersFolder(dev.folder)
  await putBelongings(service, reader.folder)
  for (const { name, text } of files) await writeFile(join(reader.folder, name), asPasted(text, host, port))
  const commands = sessions.map(({ text }) => asPasted(text, host, port))
  const printed = await runBlocks(commands, { cwd: reader.folder, env: trusting(), signal })
  for (const [number, { shown }] of sessions.entries()) if (shown) expectShown(shown, printed[number] ?? '')
}

describe('the commands run in order and print what the page shows', () => {
  test.concurrent.for(pages)('$path', follow)
  test(platform.path, (context) => follow(platform, context))
})

test.each([...pages, platform])('$path starts its service and has commands to try it', async ({ path }) => {
  const { sessions, packages } = await readPage(path)
  const all = sessions.map(({ text }) => text).join('\n')
  for (const [, names = ''] of all.matchAll(/^(?:sudo )?npx icosa dev .*--services (\S+)/gm))
    expect(dev.ready.services.map(({ name }) => name)).toEqual(expect.arrayContaining(names.split(',')))
  expect(asPasted(all, '', 0).trim().split('\n').length).toBeGreaterThanOrEqual(2)
  expect(all, 'what is asynchronous is waited for').not.toMatch(/^sleep/m)
  const known = {
    ...manifest('tests/sdk').devDependencies,
    ...manifest('apps/server').dependencies,
    ...manifest('.').devDependencies,
  }
  expect(Object.keys(known), 'what a page installs is what it is tested with').toEqual(
    expect.arrayContaining([...packages]),
  )
})

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}
const manifest = (folder: string): Manifest => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

test('every service has a guide, and the list of guides names it', () => {
  const guides = readdirSync(join(root, 'docs/guides')).filter((name) => name !== 'README.md')
  expect(guides.toSorted()).toEqual(services.map((name) => `${name}.md`))
  const list = readFileSync(join(root, 'docs/guides/README.md'), 'utf8')
  for (const guide of guides) expect(list).toContain(`](${guide})`)
})
