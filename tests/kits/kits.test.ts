import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { textOf } from '../architecture/sources.ts'

const run = promisify(execFile)
const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const python = '/usr/bin/python3' // Debian's, which sees the packages below
const cli = at('apps/server/bin/icosa.js')
const env = { ...process.env, ICOSA_COMMAND: `${process.execPath} ${cli}`, PYTHONDONTWRITEBYTECODE: '1' }

// createTenant, settleJobs, moveClock, addFault, resetState and snapshots, by tests/kits/controls.py.
test('the Python kit has every control, and its instance ends with a killed program', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'icosa-kits-'))
  const program = spawn(python, [at('tests/kits/controls.py')], {
    env: { ...env, PYTHONPATH: at('clients/python'), TMPDIR: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]()
  const url = (await lines.next()).value
  expect((await lines.next()).value).toBe('ok')
  const exit = once(program, 'exit')
  program.kill('SIGKILL')
  await exit
  await expect.poll(() => fetch(`${url}/readyz`).catch(() => 'gone')).toBe('gone')
  await expect.poll(() => readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
})

test('the kits have the version of the package', () => {
  const { version } = JSON.parse(textOf('apps/server/package.json')) as { readonly version: string }
  expect(textOf('clients/python/pyproject.toml')).toContain(`\nversion = "${version}"\n`)
  expect(textOf('clients/python/icosa/__init__.py')).toContain(`__version__ = "${version}"`)
  expect(textOf('clients/go/process.go')).toContain(`const Version = "${version}"`)
})

test.runIf(process.env.NIGHTLY)(
  'the sample projects: ten tests in pytest, with an installed wheel, and in Go',
  async () => {
    const packages = [
      'python3-pytest',
      'python3-build',
      'python3-setuptools',
      'python3-wheel',
      'python3-pip',
      'golang-go',
    ]
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { stdio: 'ignore' })
    const folder = mkdtempSync(join(tmpdir(), 'icosa-kits-'))
    execFileSync('cp', ['-r', at('clients/python'), at('clients/go'), folder])
    const options = {
      env: { ...env, PYTHONPATH: join(folder, 'site'), GOFLAGS: '-mod=mod' },
      cwd: join(folder, 'python'),
    }
    await run(python, ['-m', 'build', '--no-isolation', '--outdir', '../dist', '.'], options)
    const wheel = readdirSync(join(folder, 'dist')).find((name) => name.endsWith('.whl')) ?? ''
    await run(python, ['-m', 'pip', 'install', '--no-index', '--target', '../site', join('../dist', wheel)], options)
    rmSync(join(folder, 'python/icosa'), { recursive: true }) // the wheel alone
    const samples = [
      { program: python, args: ['-m', 'pytest', '-q'], cwd: 'python', passed: /^10 passed/m },
      { program: 'go', args: ['test', '-count=1', '-v', './...'], cwd: 'go', passed: /^(--- PASS: [\s\S]*?){10}^ok/m },
    ]
    await run('go', ['vet', './...'], { ...options, cwd: join(folder, 'go') })
    for (const { program, args, cwd, passed } of samples) {
      const started = performance.now()
      const { stdout } = await run(program, args, { ...options, cwd: join(folder, cwd) })
      console.log(`${program} ${args.join(' ')}: ${((performance.now() - started) / 1_000).toFixed(1)} s`)
      expect(stdout).toMatch(passed)
    }
    rmSync(folder, { recursive: true })
  },
)
