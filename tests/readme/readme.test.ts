import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './page.ts'
import { command, compareStarts, expected, tryIt } from './start.ts'

// Runs the commands of README verbatim, in a copy of the checkout.
let checkout = ''

beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'icosa-readme-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of files.trim().split('\n')) {
    await mkdir(dirname(join(checkout, file)), { recursive: true })
    await cp(join(root, file), join(checkout, file)).catch(() => {}) // deleted, but not committed yet
  }
})
afterAll(() => rm(checkout, { recursive: true, force: true }))

/**
 * Runs `npm ci` as in README nightly only, since it takes minutes and has been run before the tests; otherwise uses the
 * modules of this checkout.
 */
async function installed(shell: string): Promise<string> {
  const install = 'npm ci && '
  if (process.env.NIGHTLY || !shell.startsWith(install)) return shell
  const copy = (how: string) => execFileSync('cp', [how, join(root, 'node_modules'), checkout], { stdio: 'ignore' })
  try {
    copy('-al')
  } catch {
    copy('-a') // hard links are impossible across file systems
  }
  return shell.slice(install.length)
}

test('a checkout answers after npm ci && npx icosa dev, and its second start is quick', async () => {
  expect(await tryIt(await installed(command('npm ci &&')), checkout)).toEqual(expected())
  await compareStarts('from source', checkout, 16) // 8 to 13 with twenty services
}, 600_000)
