import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { type Dev, startDev, startDevAs } from '../../apps/server/src/testing/dev.ts'
import { follow } from './follow.ts'
import { asPasted, foldersOf, nameOf, ordinaryAccount, readPage, root } from './page.ts'

// Runs the commands of every service's README, and of every guide in the environment of its reader: as an unprivileged user,
// unless the guide uses `sudo`, in an empty folder with only the packages that the guide installs, and without settings of
// curl or Node. The packages are those of this checkout; guides.test.ts installs them nightly.
const services = readdirSync(join(root, 'services')).filter((name) => name !== 'platform')
/** Run concurrently, three at a time. */
const pages = [
  ...services.map((service) => ({ service, path: `services/${service}/README.md`, isGuide: false })),
  ...services.map((service) => ({ service, path: `docs/guides/${service}.md`, isGuide: true })),
]
/** Runs last, since it empties the database. */
const platform = { service: 'platform', path: 'services/platform/README.md', isGuide: false }

const ordinary = await ordinaryAccount()
/** Avoids port conflicts between two instances on one machine. */
const otherPorts = { ICOSA_MACHINES_PORTS: '16400-17399' }
let dev: Dev
/** Instance for guides, started by their reader. */
let readersDev: Dev
/** Instance without TLS, as in the guide to functions: their URLs have the scheme of the node. */
let functionsDev: Dev
beforeAll(async () => {
  if (!ordinary) console.log('The tests are not run as root: guides that need it are followed without.')
  const started = [
    startDev(),
    startDevAs({ account: ordinary, settings: otherPorts }, '--tls'),
    startDevAs({ account: ordinary }, '--services', 'functions'),
  ] as const
  dev = await started[0]
  readersDev = await started[1]
  functionsDev = await started[2]
})
afterAll(() => Promise.all([dev, readersDev, functionsDev].map((started) => started[Symbol.asyncDispose]())))

/** Curl options that READMEs omit: HTTP errors fail, and output ends with a newline. */
const curlrc = `silent
show-error
fail
write-out = "\\n"
`

async function followPage({ service, path, isGuide }: (typeof pages)[number], { signal }: TestContext) {
  const page = await readPage(path)
  if (!isGuide || page.needsRoot)
    return follow(service, page, { dev, account: undefined, signal, ...(!isGuide && { curl: curlrc }) })
  await follow(service, page, { dev: service === 'functions' ? functionsDev : readersDev, account: ordinary, signal })
}

describe('the commands run in order and print the output on the page', () => {
  test.concurrent.for(pages)('$path', followPage)
  test(platform.path, (context) => followPage(platform, context))
})

test.each([...pages, platform])('$path starts its service and has commands to try it', async ({ path }) => {
  const { sessions, packages } = await readPage(path)
  const all = sessions.map(({ text }) => text).join('\n')
  for (const [, names = ''] of all.matchAll(/^(?:sudo )?npx icosa dev .*--services (\S+)/gm))
    expect(dev.ready.services.map(({ name }) => name)).toEqual(expect.arrayContaining(names.split(',')))
  expect(asPasted(all, '', 0).trim().split('\n').length).toBeGreaterThanOrEqual(2)
  expect(all, 'pages poll instead of sleeping').not.toMatch(/^sleep/m)
  const versions = packages.map((one) => `${nameOf(one)}@${versionOf(nameOf(one))}`)
  expect(packages, 'pages install the versions they are tested with').toEqual(versions)
})

function versionOf(name: string): string {
  const manifests = foldersOf(name).map((folder) => join(folder, 'package.json'))
  return JSON.parse(readFileSync(manifests.find(existsSync) ?? '', 'utf8')).version
}

test('every service has a guide, and the list of guides names it', () => {
  const guides = readdirSync(join(root, 'docs/guides')).filter((name) => name !== 'README.md')
  expect(guides.toSorted()).toEqual(services.map((name) => `${name}.md`))
  const list = readFileSync(join(root, 'docs/guides/README.md'), 'utf8')
  for (const guide of guides) expect(list).toContain(`](${guide})`)
})
