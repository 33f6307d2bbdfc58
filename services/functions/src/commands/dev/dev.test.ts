import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@icosa/testing'
import { afterEach, expect, test } from 'vitest'
import { toLine } from './line.ts'

const patience = { timeout: 60_000, interval: 100 }
const started: { readonly child: ChildProcess; readonly folder: string }[] = []
afterEach(async () => {
  for (const { child, folder } of started.splice(0)) {
    if (child.exitCode === null && child.kill('SIGINT')) await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
})

/** Runs the command as a process of its own, which ends by a signal. */
async function runDev(file: string, content: string, flags: Readonly<Record<string, unknown>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-dev-test-'))
  const save = (text: string, name = file) => writeFile(join(folder, name), text)
  await save(content)
  const port = await freePort()
  const input = { words: ['dev', folder], flags: { port: String(port), 'entry-point': 'main', ...flags }, settings: {} }
  const module = fileURLToPath(new URL('./dev.ts', import.meta.url))
  const code = `import(${JSON.stringify(module)}).then(({ dev }) => dev(${JSON.stringify(input)})).catch((error) => { console.error(error.message); process.exit(1) })`
  const child = spawn(process.execPath, ['--eval', code], { env: { ...process.env, HOME: tmpdir() } })
  started.push({ child, folder })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const url = `http://127.0.0.1:${port}`
  const call = async (init: RequestInit = {}) => {
    const response = await fetch(url, init).catch(() => undefined)
    return response && `${response.status} ${await response.text()}`
  }
  return { save, call, port, child, output: () => output }
}

const event = { specversion: '1.0', id: '1', source: '//tests', type: 'greeting', data: { name: 'ada' } }
const sent = {
  method: 'POST',
  headers: { 'content-type': 'application/cloudevents+json' },
  body: JSON.stringify(event),
}

const programs = {
  node: {
    file: 'index.js',
    http: (word: string) =>
      `exports.main = (request, response) => { console.error('called'); console.log(JSON.stringify({ severity: 'warning', message: 'careful' })); response.send('${word} ' + process.env.WHO) }`,
    broken: 'exports.main = (',
    error: /SyntaxError/,
    event: "exports.main = (event) => console.log('received ' + event.data.name)",
  },
  python: {
    file: 'main.py',
    http: (word: string) =>
      `import os, sys, json\ndef main(request):\n    print('called', file=sys.stderr, flush=True)\n    print(json.dumps({'severity': 'warning', 'message': 'careful'}), flush=True)\n    return '${word} ' + os.environ['WHO']\n`,
    broken: 'def main(:',
    error: /SyntaxError/,
    event: "def main(event):\n    print('received ' + event.data['name'], flush=True)\n",
  },
} as const

test.each(Object.entries(programs))(
  'in %s, a save reloads; an error is shown, and the next save tries again',
  async (_, program) => {
    const { save, call, output } = await runDev(program.file, program.http('first'), { 'set-env-vars': 'WHO=ada' })
    await expect.poll(() => call(), patience).toBe('200 first ada')
    await expect.poll(output, patience).toMatch(/^WARNING careful$/m)
    expect(output()).toMatch(/^ERROR +called$/m)
    await save(program.http('second'))
    await expect.poll(() => call(), patience).toBe('200 second ada')
    await save(program.broken)
    await expect.poll(() => call(), patience).toMatch(/^500 The function cannot be started/)
    expect(await call()).toMatch(program.error)
    expect(output()).toMatch(program.error)
    await save(program.http('third'))
    await expect.poll(() => call(), patience).toBe('200 third ada')
  },
)

test.each(Object.entries(programs))('in %s, a function receives CloudEvents', async (_, program) => {
  const { call, output } = await runDev(program.file, program.event, { 'trigger-event': true })
  await expect.poll(() => call(sent), patience).toMatch(/^20/)
  await expect.poll(output, patience).toMatch(/^INFO +received ada$/m)
})

test('a debugger attaches to the given port, and the program ends with the command', async () => {
  const debugPort = await freePort()
  const { call, child } = await runDev('index.js', programs.node.http('hello'), { 'debug-port': String(debugPort) })
  await expect.poll(() => call(), patience).toMatch(/^200/)
  const targets = async () => (await fetch(`http://127.0.0.1:${debugPort}/json/list`)).json()
  expect(await targets()).toMatchObject([{ type: 'node' }])
  child.kill('SIGINT')
  await once(child, 'exit')
  await expect(targets()).rejects.toThrow('fetch failed')
})

test.each([
  ['plain', 'stdout', 'INFO    plain'],
  ['plain', 'stderr', 'ERROR   plain'],
  ['{"message":"m","severity":"debug"}', 'stdout', 'DEBUG   m'],
  ['{"message":"m","severity":"loud"}', 'stderr', 'ERROR   m'],
  ['{"other":1}', 'stdout', 'INFO    {"other":1}'],
  ['{broken', 'stdout', 'INFO    {broken'],
  ['null', 'stdout', 'INFO    null'],
] as const)('%s of %s is shown as %s', (text, from, shown) => {
  expect(toLine(text, from)).toBe(shown)
})
