/**
 * Many functions of ten tenants, of which ten are busy: cost of a deployment, of idle functions, and of called ones.
 *
 *   BENCH_FUNCTIONS=1000 scripts/postgres run node bench/functions/many.ts
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { client } from '@icosa/client'
import { functions, operations, policies, source } from '../../services/functions/src/contract.ts'
import { hello, publicPolicy, uploadSource } from '../../services/functions/src/testing/app.ts'
import { cpuUsOf, type Figure, latencies, median, quantile, record } from '../figures.ts'

const count = Number(process.env.BENCH_FUNCTIONS ?? 100)
const busy = 10
const callsPerSecond = 100 // of all busy functions together
const seconds = Number(process.env.BENCH_SECONDS ?? 20)
const asleepMs = 20 * 60_000 // longer than idle instances are kept
const folder = mkdtempSync('/tmp/fn-')

const node = fork(new URL('many-node.ts', import.meta.url), [process.env.BENCH_SANDBOXES ?? 'runsc', folder])
const [{ url, keys }] = (await once(node, 'message')) as [{ url: string; keys: string[] }]
const contract = { ...functions, ...operations, ...policies, ...source }
const tenants = keys.map((key) =>
  client(contract, { baseUrl: `${url}/functions`, headers: { authorization: `Bearer ${key}` } }),
)

/** Returns the URL of a new function. */
async function deploy(n: number): Promise<string> {
  const tenant = tenants[n % tenants.length] as (typeof tenants)[number]
  const place = { project: `shop-${n % tenants.length}`, location: 'europe-north1' }
  const code = { 'index.js': `${hello['index.js']}// ${n}\n` } // unique content
  const storageSource = await uploadSource(tenant, place, code)
  const buildConfig = { runtime: 'nodejs24', entryPoint: 'hello', source: { storageSource } }
  const query = { functionId: `function-${n}` }
  const begun = await tenant.createFunction({ params: place, query, body: { buildConfig } })
  const operation = begun.body.name.split('/').at(-1) ?? ''
  for (;;) {
    const { done, error } = (await tenant.getOperation({ params: { ...place, operation } })).body
    if (error) throw new Error(error.message)
    if (done) break
    await sleep(50)
  }
  const params = { ...place, function: `function-${n}` }
  await tenant.setIamPolicy({ params, body: publicPolicy })
  return (await tenant.getFunction({ params })).body.serviceConfig?.uri ?? ''
}

/** The node's process, and all processes below it. */
function processes(): { readonly own: number; readonly sandboxes: readonly number[] } {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one)))
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      parents.set(Number(name), Number(fields[1]))
    } catch {} // it has just ended
  const isOurs = (pid: number): boolean => {
    for (let at: number | undefined = parents.get(pid); at; at = parents.get(at)) if (at === node.pid) return true
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder) && pid !== node.pid
    } catch {
      return false
    }
  }
  return { own: node.pid as number, sandboxes: [...parents.keys()].filter(isOurs) }
}

const memoryOf = (pid: number) => {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1_024
  } catch {
    return 0 // it has just ended
  }
}
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const cpuMs = (pids: readonly number[]) =>
  total(
    pids.map((pid) => {
      try {
        return cpuUsOf(pid) / 1_000
      } catch {
        return 0 // it has just ended
      }
    }),
  )

const figures: Figure[] = []
/** Measures memory and CPU of the processes during some work. */
async function using<T>(label: string, work: () => Promise<T>): Promise<T> {
  const before = processes()
  const [own, others] = [cpuMs([before.own]), cpuMs(before.sandboxes)]
  const began = performance.now()
  const result = await work()
  const elapsed = performance.now() - began
  const percent = (ms: number) => (100 * ms) / elapsed
  figures.push(
    { name: `${label}, memory of the node`, value: memoryOf(before.own), unit: 'MiB' },
    { name: `${label}, CPU of the node`, value: percent(cpuMs([before.own]) - own), unit: '% of a core' },
    { name: `${label}, memory of sandboxes`, value: total(before.sandboxes.map(memoryOf)), unit: 'MiB' },
    { name: `${label}, CPU of sandboxes`, value: percent(cpuMs(before.sandboxes) - others), unit: '% of a core' },
  )
  return result
}

const advance = async (byMs: number) => {
  node.send(byMs)
  await once(node, 'message')
}

const agent = new Agent({ keepAlive: true })
async function call(uri: string): Promise<number> {
  const began = performance.now()
  const [reply] = await once(request(`${uri}?name=bench`, { agent }).end(), 'response')
  const body = Buffer.concat(await reply.toArray()).toString()
  if (reply.statusCode !== 200) throw new Error(`${uri} answered ${reply.statusCode}: ${body}`)
  return performance.now() - began
}

await using('nothing deployed', () => sleep(5_000))
const uris: string[] = []
const took: number[] = []
let next = 0
const began = performance.now()
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (let n = next++; n < count; n = next++) {
      const at = performance.now()
      uris[n] = await deploy(n)
      took.push(performance.now() - at)
      if (took.length % 100 === 0) {
        console.error(`${took.length} of ${count} are deployed`)
        await advance(asleepMs) // instances of the first calls are stopped
      }
    }
  }),
)
const perFunction = (performance.now() - began) / count
const deployed = `${count.toLocaleString('en')} functions`
figures.push(
  { name: `${deployed} deployed, four at a time, each`, value: perFunction, unit: 'ms' },
  { name: `${deployed} deployed, until the operation is done`, statistic: 'p50', value: median(took), unit: 'ms' },
)
await advance(asleepMs)
for (let before = -1, now = 0; before !== now; ) {
  before = now
  await sleep(10_000)
  now = processes().sandboxes.length
}
await using(`${deployed} asleep`, () => sleep(10_000))
const called = uris.slice(0, busy)
const first = await Promise.all(called.map(call))
figures.push(...latencies(`${busy} cold starts at once`, { p50: median(first), max: Math.max(...first) }))
await Promise.all(called.map((uri) => call(uri)))
const times = await using(`${busy} of ${deployed} busy`, async () => {
  const all: Promise<number>[] = []
  const from = performance.now()
  for (let n = 0; n < callsPerSecond * seconds; n++) {
    await sleep(Math.max(0, from + (n * 1_000) / callsPerSecond - performance.now()))
    all.push(call(called[n % busy] as string))
  }
  return Promise.all(all)
})
const calls = `${busy} of ${deployed} busy, ${callsPerSecond} calls a second together`
figures.push(...latencies(calls, { p50: median(times), p99: quantile(times, 0.99) }))
record(figures)
const exit = once(node, 'exit')
node.disconnect()
await exit
rmSync(folder, { recursive: true, force: true })
