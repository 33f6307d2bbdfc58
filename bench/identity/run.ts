/** Redeems authorization codes at our token endpoint and at oidc-provider with everything in memory, alternately. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { createTestDatabase } from '@icosa/testing'
import { Pool } from 'undici'
import { identityConnect } from '../../services/identity-connect/src/index.ts'
import { cpuUsOf, type Figure, median, record } from '../figures.ts'
import { redirectUri } from './mint.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const codesOfRound = Number(process.env.BENCH_CODES ?? 2_000)
const parallel = 32
const goal = 0.8

interface Server {
  readonly child: ChildProcess
  readonly address: URL
  readonly id: string
  readonly secret: string
  readonly pool: Pool
}

await using database = await createTestDatabase([identityConnect()])
const memory = await start('memory.ts', [])
const ours = await start('ours.ts', [database.url])
await both()
const results: { memory: Figures; ours: Figures }[] = []
for (let round = 1; round <= rounds; round++) {
  results.push(await both())
  process.stderr.write(`round ${round} of ${rounds}\n`)
}
for (const { child, pool } of [memory, ours]) {
  child.kill('SIGKILL')
  await pool.close()
}

const of = (name: 'memory' | 'ours', figure: keyof Figures) => median(results.map((round) => round[name][figure]))
const ratio = median(results.map((round) => round.ours.perSecond / round.memory.perSecond))
const exchange = `code exchanged for tokens, ${parallel} clients`
const comparedWith = 'oidc-provider with everything in memory'
const sides = { '': 'ours', ', oidc-provider in memory': 'memory' } as const
record([
  { name: exchange, value: ratio, unit: '×', comparedWith, goal: { atLeast: goal } },
  ...Object.entries(sides).flatMap(([side, name]): Figure[] => [
    { name: `${exchange}${side}, requests`, value: of(name, 'perSecond'), unit: '/s' },
    { name: `${exchange}${side}, CPU`, value: of(name, 'cpuUs'), unit: 'µs' },
    { name: `${exchange}${side}, latency`, statistic: 'p99', value: of(name, 'p99Ms'), unit: 'ms' },
  ]),
])

async function start(file: string, args: readonly string[]): Promise<Server> {
  const child = fork(new URL(file, import.meta.url), args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [{ address, id, secret }] = (await once(child, 'message')) as [{ address: string; id: string; secret: string }]
  if (cpus().length > 1) execFileSync('taskset', ['-apc', '0', String(child.pid)], { stdio: 'ignore' })
  const url = new URL(address)
  return { child, address: url, id, secret, pool: new Pool(url.origin, { connections: parallel }) }
}

interface Figures {
  readonly perSecond: number
  readonly cpuUs: number
  readonly p99Ms: number
}

/** Alternately on the same core: a server that waits for its disk would otherwise lose CPU time to the other. */
async function both(): Promise<{ memory: Figures; ours: Figures }> {
  return { memory: await redeem(memory, await codesOf(memory)), ours: await redeem(ours, await codesOf(ours)) }
}

async function codesOf({ child }: Server): Promise<string[]> {
  child.send(codesOfRound)
  const [codes] = await once(child, 'message')
  return codes as string[]
}

async function redeem(server: Server, codes: string[]): Promise<Figures> {
  const { pool, address, id, secret, child } = server
  const authorization = `Basic ${Buffer.from(`${id}:${encodeURIComponent(secret)}`).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
  const tail = `&grant_type=authorization_code&redirect_uri=${encodeURIComponent(redirectUri)}`
  const took: number[] = []
  const before = cpuUsOf(child.pid)
  const started = performance.now()
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (let code = codes.pop(); code !== undefined; code = codes.pop()) {
        const at = performance.now()
        const answer = await pool.request({
          method: 'POST',
          path: address.pathname,
          headers,
          body: `code=${code}${tail}`,
        })
        const text = await answer.body.text()
        if (answer.statusCode !== 200) throw new Error(`${address} answered ${answer.statusCode} ${text}`)
        took.push(performance.now() - at)
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  const p99Ms = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? Number.NaN
  return { perSecond: took.length / seconds, cpuUs: (cpuUsOf(child.pid) - before) / took.length, p99Ms }
}
