/**
 * A function in each sandbox, compared with the same function started bare: cold start, sequential calls, and throughput.
 * Bare is the functions framework itself for Node, and our runner for Python.
 */
import { type ChildProcess, execFile, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Revision } from '@icosa/functions/revision'
import type { Service } from '@icosa/kernel'
import { findRuntimes } from '@icosa/sandbox'
import { createTestDatabase, freePort, latencyOf } from '@icosa/testing'
import { type Figure, latencies, median, record } from '../figures.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
const sandboxes = (process.env.BENCH_SANDBOXES ?? 'runsc,runc,bwrap').split(',')
const calls = 300
const connections = 16
const goals = { throughput: 0.5, addedMs: 1 }

const code = {
  nodejs24: { 'index.js': `exports.main = (req, res) => res.send('hello ' + (req.query.name ?? 'world'))` },
  python311: { 'main.py': `def main(request):\n    return "hello " + request.args.get("name", "world")\n` },
}
type Runtime = keyof typeof code

const tables = {
  name: 'functions',
  title: '',
  apis: [],
  migrations: new URL('../../services/functions/migrations/', import.meta.url),
}
await using database = await createTestDatabase([tables as unknown as Service])
const folder = mkdtempSync('/tmp/fn-')

/** A running server. */
interface Started {
  readonly url: string
  readonly child: ChildProcess
}

async function call(url: string, agent = new Agent()): Promise<void> {
  const outgoing = request(`${url}/?name=bench`, { agent }).end()
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
  await reply.toArray()
  if (reply.statusCode !== 200) throw new Error(`${url} answered ${reply.statusCode}.`)
}

const isUp = (url: string) =>
  call(url).then(
    () => true,
    () => false,
  )

async function bare(runtime: Runtime): Promise<Started> {
  const port = await freePort()
  const main = createRequire(import.meta.resolve('@icosa/functions/instances')).resolve(
    '@google-cloud/functions-framework',
  )
  const workspace = join(folder, runtime)
  const env = { PATH: process.env.PATH, FUNCTION_TARGET: 'main', PORT: String(port), NODE_ENV: 'production' }
  const argv = [process.execPath, join(dirname(main), 'main.js'), `--source=${workspace}`]
  const child =
    runtime === 'nodejs24'
      ? spawn(argv[0] as string, argv.slice(1), { env, stdio: 'ignore' })
      : spawn('/usr/bin/python3', [bareRunner(workspace, port)], { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  while (!(await isUp(url))) await delay(5)
  return { url, child }
}

/** Our runner on a port: the same program, without sandbox and proxy. */
function bareRunner(workspace: string, port: number): string {
  const runner = fileURLToPath(new URL('../../services/functions/src/runtimes/programs/runner.py', import.meta.url))
  const text = execFileSync('cat', [runner], { encoding: 'utf8' })
    .replace('WORKSPACE = "/workspace"', `WORKSPACE = ${JSON.stringify(workspace)}`)
    .replace('socketserver.UnixStreamServer', 'socketserver.TCPServer')
    .replace('Server("/sockets/http", Connection)', `Server(("127.0.0.1", ${port}), Connection)`)
    .replace('    threading.Thread(target=alive, daemon=True).start()\n', '')
  const file = join(folder, 'bare.py')
  writeFileSync(file, text)
  return file
}

function revisionOf(runtime: Runtime, sandbox: string): Revision {
  const artifact = `${runtime}.tgz`
  return {
    ...{
      id: `bench-${runtime}-${sandbox}-${Math.random()}`,
      tenant: 'bench',
      function: 'projects/p/locations/l/functions/bench',
    },
    ...{
      artifact,
      runtime,
      entryPoint: 'main',
      signature: 'http',
      environment: {},
      memoryBytes: 512 * 2 ** 20,
      cpu: 2,
    },
    ...{
      timeoutMs: 60_000,
      concurrency: 2 * connections,
      egress: { allTraffic: false },
      minInstances: 0,
      maxInstances: 1,
    },
  }
}

async function sandboxed(runtime: Runtime, sandbox: string): Promise<Started> {
  const args = [database.url, folder, sandbox, JSON.stringify(revisionOf(runtime, sandbox))]
  const child = fork(new URL('node.ts', import.meta.url), args)
  const [url] = await once(child, 'message')
  return { url: String(url), child }
}

async function stop({ child }: Started): Promise<void> {
  const isGone = once(child, 'exit')
  if (child.connected) child.disconnect()
  else child.kill('SIGKILL')
  await isGone
}

const run = promisify(execFile)
async function throughput(url: string): Promise<number> {
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, `${url}/?name=bench`])
  if (/Non-2xx/.test(stdout)) throw new Error(`${url} answered with errors:\n${stdout}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}

interface Figures {
  readonly cold: number
  readonly p50: number
  readonly p99: number
  readonly perSecond: number
}

async function measure(start: () => Promise<Started>, isSandboxed: boolean): Promise<Figures> {
  const begun = performance.now()
  const started = await start()
  // The node already runs when a function is first called.
  const startedAt = performance.now()
  await call(started.url)
  const cold = performance.now() - (isSandboxed ? startedAt : begun)
  const agent = new Agent({ keepAlive: true })
  await throughput(started.url) // warm-up of the JIT compiler
  const { p50, p99 } = await latencyOf(calls, () => call(started.url, agent))
  agent.destroy()
  const perSecond = await throughput(started.url)
  await stop(started)
  return { cold, p50, p99, perSecond }
}

const middle = (all: readonly Figures[], key: keyof Figures) => median(all.map((one) => one[key]))

for (const runtime of Object.keys(code) as Runtime[]) {
  mkdirSync(join(folder, runtime))
  for (const [name, text] of Object.entries(code[runtime])) writeFileSync(join(folder, runtime, name), text)
  execFileSync('tar', ['-czf', join(folder, `${runtime}.tgz`), '-C', join(folder, runtime), '.'])
}
const found = (await findRuntimes()).flatMap(({ name, version }) => (version && sandboxes.includes(name) ? [name] : []))
const recorded: Figure[] = []
for (const runtime of Object.keys(code) as Runtime[]) {
  const ways: [string, () => Promise<Started>][] = [
    ['bare', () => bare(runtime)],
    ...found.map((name): [string, () => Promise<Started>] => [name, () => sandboxed(runtime, name)]),
  ]
  const all = new Map<string, Figures[]>(ways.map(([name]) => [name, []]))
  for (const [name, start] of ways) if (name !== 'bare') await measure(start, true) // creates kits, fills caches
  for (let round = 0; round < rounds; round++)
    for (const [name, start] of ways) all.get(name)?.push(await measure(start, name !== 'bare'))
  const [alone] = [all.get('bare') ?? []]
  for (const [name, figures] of all) {
    const [cold, p50, p99, perSecond] = (['cold', 'p50', 'p99', 'perSecond'] as const).map((key) =>
      middle(figures, key),
    ) as [number, number, number, number]
    const subject = `${runtime} in ${name === 'bare' ? 'a bare process' : name}`
    if (name !== 'bare') {
      const [share, added] = [perSecond / middle(alone, 'perSecond'), p50 - middle(alone, 'p50')]
      const comparedWith = 'the same function in a bare process'
      recorded.push(
        { name: `${subject}, calls`, value: share, unit: '×', comparedWith, goal: { atLeast: goals.throughput } },
        { name: `${subject}, added p50`, value: added, unit: 'ms', goal: { atMost: goals.addedMs } },
      )
    }
    recorded.push(
      { name: `${subject}, cold start`, value: cold, unit: 'ms' },
      ...latencies(`${subject}, call`, { p50, p99 }),
      { name: `${subject}, ${connections} connections`, value: perSecond, unit: '/s' },
    )
  }
}
record(recorded)
rmSync(folder, { recursive: true, force: true })
