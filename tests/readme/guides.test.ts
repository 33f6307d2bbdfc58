import { execFileSync } from 'node:child_process'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { freePort } from '@icosa/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putBelongings } from './belongings.ts'
import { handOver, ordinaryAccount, readPage, root, withPorts } from './page.ts'
import { runBlocks, type Shell } from './shell.ts'
import { expectShown } from './shown.ts'

// Nightly: follows each guide from an empty folder, with the published package and SDKs from the registry, as an
// unprivileged user. Prints the time to the first result of each.
const guides = (await readdir(join(root, 'docs/guides'))).filter((name) => name !== 'README.md')
const chosen = process.env.GUIDES?.split(',').map((name) => `${name}.md`) ?? guides
const account = await ordinaryAccount()
const rows: string[] = []
let outer = ''
/** Home folders of the reader and of root. */
const homes = ['home', 'root'] as const

describe.runIf(process.env.NIGHTLY)('guides from an empty folder', () => {
  beforeAll(async () => {
    outer = await mkdtemp(join(tmpdir(), 'icosa-guides-'))
    await chmod(outer, 0o755)
    const env = { ...process.env, PACKAGE_PLATFORMS: `${process.platform}/${process.arch}` }
    execFileSync(process.execPath, ['scripts/package.ts'], { cwd: root, env, stdio: 'ignore' })
    for (const home of homes) await mkdir(join(outer, home))
    if (account) await chown(join(outer, 'home'), account.uid, account.gid)
    const start = await folderWith(join(outer, 'base'), root)
    const { sessions } = await readPage('docs/guides/README.md')
    const began = Date.now()
    const [installed] = await runBlocks([sessions[0]?.text ?? ''], shellIn(start, account))
    rows.push(`${seconds(installed?.endedAtMs, began)} the package itself`)
  })
  afterAll(async () => {
    console.log(`seconds from the first command of each guide to its first result:\n${rows.join('\n')}`)
    await rm(outer, { recursive: true, force: true })
  })

  test.for(chosen)('%s', async (guide, { signal }) => {
    const { sessions, files, needsRoot } = await readPage(`docs/guides/${guide}`)
    const [port, ownPort] = [await freePort(), await freePort()]
    const folder = join(outer, basename(guide, '.md'))
    await cp(join(outer, 'base'), folder, { recursive: true, verbatimSymlinks: true })
    await putBelongings(basename(guide, '.md'), folder)
    const adapted = (text: string) => withPorts(text.replaceAll('sudo ', ''), `127.0.0.1:${port}`, ownPort)
    for (const { name, text } of files) await writeFile(join(folder, name), adapted(text))
    const reader = needsRoot ? undefined : account
    execFileSync('chown', ['-R', `${reader?.uid ?? process.getuid?.()}`, folder])
    const shell = shellIn(folder, reader)
    const env = { ...shell.env, ICOSA_PORT: String(port) }
    const began = Date.now()
    try {
      const printed = await runBlocks(
        sessions.map(({ text }) => adapted(text)),
        { ...shell, env, signal },
      )
      const first = sessions.findIndex(({ shown }) => shown)
      rows.push(`${seconds(printed[first < 0 ? 1 : first]?.endedAtMs, began)} ${guide}`)
      for (const [number, { shown }] of sessions.entries()) if (shown) expectShown(shown, printed[number]?.text ?? '')
    } finally {
      execFileSync('npx', ['icosa', 'stop'], { cwd: folder, env, stdio: 'ignore', ...reader })
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** Creates a reader's folder with the package in it. */
async function folderWith(folder: string, source: string): Promise<string> {
  const [tarball = ''] = (await readdir(source)).filter((name) => /^icosa-[\d.]+\.tgz$/.test(name))
  await cp(join(source, tarball), join(folder, tarball), { recursive: true })
  if (account) await chown(folder, account.uid, account.gid)
  await handOver(folder, account)
  return folder
}

/** A reader's shell, with this machine's access to the registry. */
const shellIn = (cwd: string, reader: Shell['account']): Shell => ({
  cwd,
  account: reader,
  env: {
    PATH: `${join(root, 'node_modules/node/bin')}:${process.env.PATH}`,
    HOME: join(outer, homes[reader ? 0 : 1]),
    ...(process.env.SSL_CERT_FILE && { npm_config_cafile: process.env.SSL_CERT_FILE }),
  },
})

const seconds = (endMs: number | undefined, startMs: number) => (((endMs ?? Number.NaN) - startMs) / 1_000).toFixed(1)

test('every guide pins the packages it installs, and waits for Icosa by --detach', async () => {
  for (const guide of guides) {
    const { sessions, packages } = await readPage(`docs/guides/${guide}`)
    expect(
      packages.filter((one) => !/.@\d+\.\d+\.\d+/.test(one)),
      guide,
    ).toEqual([])
    expect(sessions[0]?.text, guide).toMatch(/^(sudo )?npx icosa dev --detach /)
  }
})
