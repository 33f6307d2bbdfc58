/**
 * Time from an empty folder and the package to a first success of four kinds, each as in the README of its service: a
 * text in braille, a psql session, a call of a function, a restored backup.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '@icosa/testing'
import { asPasted, readPage } from '../../tests/readme/page.ts'
import { runBlocks } from '../../tests/readme/shell.ts'
import { type Figure, record } from '../figures.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const successes = {
  'then a text translated to braille': 'braille-translation',
  'then a psql session': 'sql-databases',
  'then a function deployed and called': 'functions',
  'then a backup restored': 'backup',
}

/** Measures work in seconds. */
async function timed<T>(work: () => Promise<T> | T): Promise<readonly [seconds: number, result: T]> {
  const started = performance.now()
  const result = await work()
  return [(performance.now() - started) / 1_000, result]
}

/** The commands of the README up to its first result. */
async function commandsOf(service: string, host: string): Promise<string[]> {
  const { sessions } = await readPage(`services/${service}/README.md`)
  const own = sessions.map(({ text }) => asPasted(text, host, 0).replaceAll(/^icosa/gm, 'npx icosa'))
  const first = own.findIndex((text) => text.trim() !== '')
  return own.slice(first, first + 1)
}

execFileSync('node', ['scripts/package.ts'], { cwd: root, stdio: 'ignore' })
const folder = await mkdtemp(join(tmpdir(), 'icosa-first-'))
const { DATABASE_URL: _, ICOSA_DATA: __, ...env } = process.env
const [tarball = ''] = (await readdir(root)).filter((name) => /^icosa-[\d.]+\.tgz$/.test(name))
await cp(join(root, tarball), join(folder, tarball))

const [install] = await timed(() => execFileSync('npm', ['i', `./${tarball}`], { cwd: folder, env, stdio: 'ignore' }))
const port = await freePort()
const dev = spawn('npx', ['icosa', 'dev', '--port', String(port)], {
  cwd: folder,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
})
try {
  const [start] = await timed(async () => {
    for await (const line of createInterface(dev.stdout)) if (line.includes(' is ready')) return
    throw new Error('icosa dev ended without being ready')
  })
  const figures: Figure[] = [
    { name: '`npm i` of the package', value: install, unit: 's' },
    { name: '`icosa dev` ready, its PostgreSQL created', value: start, unit: 's' },
  ]
  for (const [what, service] of Object.entries(successes)) {
    const commands = await commandsOf(service, `127.0.0.1:${port}`)
    const [own] = await timed(() => runBlocks(commands, { cwd: folder, env }))
    figures.push({ name: what, value: own, unit: 's' })
  }
  record(figures)
} finally {
  const exit = once(dev, 'exit')
  process.kill(-(dev.pid ?? 0), 'SIGINT')
  await exit
  await rm(folder, { recursive: true, force: true })
}
