/**
 * Cost of apps of given sizes on a node, over HTTP: training, memory, predictions with and without datetimeV2; many
 * published apps of which some are queried; training during predictions. BENCH_PARTS=sizes,many,trainings selects
 * parts, BENCH_INTENTS=50,500, BENCH_APPS=1000 and BENCH_PROBES=2000 set sizes.
 * `scripts/postgres run node bench/language/sizes.ts`
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { client } from '@icosa/client'
import { contracts, prediction } from '../../services/language-authoring/src/contract.ts'
import { type CorpusSize, generatedApp } from '../../services/language-authoring/src/engine/testing/corpus.ts'
import { trainingNeighbours } from '../../services/language-authoring/src/testing/neighbours.ts'
import { cpuUsOf, type Figure, latencies, quantile, record } from '../figures.ts'
import type { Request, Started } from './node.ts'

const parts = new Set((process.env.BENCH_PARTS ?? 'sizes,many,trainings').split(','))
const intentCounts = (process.env.BENCH_INTENTS ?? '50,500').split(',').map(Number)
const probes = Number(process.env.BENCH_PROBES ?? 2_000)
const appCount = Number(process.env.BENCH_APPS ?? 1_000)

const spread = (name: string, took: readonly number[]) =>
  latencies(name, { p50: quantile(took, 0.5), p95: quantile(took, 0.95) })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Asked {
  readonly took: number
  readonly intent: string
  readonly entities: readonly string[]
}

class Node implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly modelsMb: number
  readonly #apps
  readonly #training
  readonly #prediction

  static async start(): Promise<Node> {
    const child = fork(new URL('./node.ts', import.meta.url))
    const [started] = (await once(child, 'message')) as [Started]
    return new Node(child, started)
  }

  private constructor(child: ChildProcess, { url, key, modelsMb }: Started) {
    this.#child = child
    this.modelsMb = modelsMb
    const target = { baseUrl: `${url}/language-authoring`, headers: { 'Vendor-Subscription-Key': key } }
    this.#apps = client(contracts.Apps, target)
    this.#training = client(contracts.Training, target)
    this.#prediction = client(prediction, target)
  }

  async tell(request: Request): Promise<number> {
    this.#child.send(request)
    const [{ bytes }] = (await once(this.#child, 'message')) as [{ bytes: number }]
    return bytes
  }

  /** Current or peak memory. */
  memoryMb(what: 'VmRSS' | 'VmHWM'): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')
    return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  }

  cpuSeconds(): number {
    return cpuUsOf(this.#child.pid) / 1e6
  }

  async import(name: string, document: object): Promise<string> {
    const body = { mediaType: 'application/json', content: Buffer.from(JSON.stringify(document)) }
    return (await this.#apps.import({ query: { appName: name }, body })).body
  }

  async train(appId: string): Promise<void> {
    const params = { appId, versionId: '0.1' }
    await this.#training.trainVersion({ params })
    for (;;) {
      const status = (await this.#training.getStatus({ params })).body[0]?.details.status
      if (status === 'Fail') throw new Error(`The training of ${appId} has failed.`)
      if (status === 'UpToDate') break
      await pause(200)
    }
    await this.#apps.publish({ params: { appId }, body: { versionId: '0.1' } })
  }

  async ask(appId: string, query: string): Promise<Asked> {
    const began = performance.now()
    const { body } = await this.#prediction.getSlotPrediction({
      params: { appId, slotName: 'production' },
      body: { query },
    })
    const { topIntent, entities } = body.prediction
    return { took: performance.now() - began, intent: topIntent, entities: Object.keys(entities) }
  }

  async [Symbol.asyncDispose]() {
    const exit = once(this.#child, 'exit')
    this.#child.disconnect()
    await exit
  }
}

/** Queries unseen sentences of the same kind after a warm-up; apps alternate, so that all have the same load. */
async function askAll(node: Node, apps: readonly string[], size: CorpusSize) {
  const all = generatedApp({ ...size, utterances: size.utterances + 2 }).utterances.filter((_, nth) => nth % 7 === 3)
  const answers = apps.map((): (Asked & { readonly expected: string })[] => [])
  for (const { text, intent: expected } of all.slice(0, 320))
    for (const [nth, app] of apps.entries()) answers[nth]?.push({ ...(await node.ask(app, text)), expected })
  return answers.map((each) => each.slice(20))
}

const tookOf = (answers: readonly Asked[] = []) => answers.map(({ took }) => took)

async function measureSize(intents: number): Promise<Figure[]> {
  const size = { intents, utterances: 30, entities: intents / 10 }
  const document = generatedApp(size)
  await using node = await Node.start()
  const idleMb = node.memoryMb('VmRSS')
  const plain = await node.import('Plain', document)
  const [began, cpu] = [performance.now(), node.cpuSeconds()]
  await node.train(plain)
  const [seconds, cpuSeconds] = [(performance.now() - began) / 1_000, node.cpuSeconds() - cpu]
  const peakMb = node.memoryMb('VmHWM')
  const modelMb = (await node.tell({ do: 'model bytes', of: plain })) / 2 ** 20
  const timed = await node.import('Timed', generatedApp({ intents: 2, utterances: 1, entities: 0 }))
  await node.tell({ do: 'publish with', of: plain, to: timed, prebuilt: 'datetimeV2' })
  const [without = [], withTimes = []] = await askAll(node, [plain, timed], size)
  const [again] = await askAll(node, [timed], size)
  const right = without.filter(({ intent, expected }) => intent === expected).length / without.length
  const times = withTimes.filter(({ entities }) => entities.includes('datetimeV2')).length
  if (times === 0) throw new Error('No time was found in any sentence.')
  const figures: Figure[] = [
    ...spread('prediction', tookOf(without)),
    ...spread('prediction with datetimeV2', tookOf(withTimes)),
    ...spread('prediction with datetimeV2, repeated sentences', tookOf(again)),
    { name: 'right predictions of unseen sentences', value: 100 * right, unit: '%' },
    { name: 'training', value: seconds, unit: 's' },
    { name: 'training, CPU', value: cpuSeconds, unit: 's' },
    { name: 'model', value: modelMb, unit: 'MiB' },
    { name: 'memory of the idle node', value: idleMb, unit: 'MiB' },
    { name: 'peak memory while training', value: peakMb, unit: 'MiB' },
  ]
  return figures.map((figure) => ({ ...figure, name: `${intents} intents x 30 utterances, ${figure.name}` }))
}

/** Trains a few models; each app has its own blob with one of them. */
async function measureMany(): Promise<Figure[]> {
  const contents = 10
  const hot = 50
  const size = { intents: 50, utterances: 10, entities: 5 }
  await using node = await Node.start()
  const idleMb = node.memoryMb('VmRSS')
  const sources: string[] = []
  for (let nth = 0; nth < contents; nth++) sources.push(await node.import(`Source ${nth}`, generatedApp(size, nth)))
  await Promise.all(sources.map((id) => node.train(id)))
  const trainedMb = node.memoryMb('VmRSS')
  const modelMb = (await node.tell({ do: 'model bytes', of: sources[0] as string })) / 2 ** 20
  const small = generatedApp({ intents: 2, utterances: 1, entities: 0 })
  const apps: string[] = []
  for (let nth = 0; nth < appCount; nth++) apps.push(await node.import(`App ${nth}`, small))
  await node.tell({ do: 'publish copies', of: sources, to: apps })
  const sentences = generatedApp({ ...size, utterances: 12 }, 3).utterances.map(({ text }) => text)
  let count = 0
  const ask = async (app: string) => (await node.ask(app, `${sentences[count % sentences.length]} ${count++}`)).took
  const first: number[] = []
  for (const app of apps) first.push(await ask(app))
  const allMb = node.memoryMb('VmRSS')
  const [often, seldom]: [number[], number[]] = [[], []]
  for (const app of apps.slice(0, hot)) await ask(app)
  for (let nth = 0; nth < 3_000; nth++) {
    const isHot = nth % 20 > 0
    const app = apps[isHot ? (nth * 7) % hot : hot + ((nth * 13) % Math.max(1, appCount - hot))] as string
    const took = await ask(app)
    ;(isHot ? often : seldom).push(took)
  }
  const figures: Figure[] = [
    ...spread('first prediction of each app', first),
    ...spread(`predictions of the ${hot} busy apps`, often),
    ...spread('predictions of the others, 1 in 20', seldom),
    { name: 'size of each model', value: modelMb, unit: 'MiB' },
    { name: 'memory of the idle node', value: idleMb, unit: 'MiB' },
    { name: 'memory after training', value: trainedMb, unit: 'MiB' },
    { name: 'memory when each app was asked once', value: allMb, unit: 'MiB' },
    { name: 'memory at the end', value: node.memoryMb('VmRSS'), unit: 'MiB' },
    { name: 'peak memory', value: node.memoryMb('VmHWM'), unit: 'MiB' },
    { name: 'limit of all models in memory', value: node.modelsMb, unit: 'MiB' },
  ]
  return figures.map((figure) => ({ ...figure, name: `${appCount.toLocaleString('en')} apps, ${figure.name}` }))
}

const figures: Figure[] = []
if (parts.has('sizes')) for (const intents of intentCounts) figures.push(...(await measureSize(intents)))
if (parts.has('many')) figures.push(...(await measureMany()))
if (parts.has('trainings')) {
  const measured = await trainingNeighbours(20, probes, { intents: 50, utterances: 30, entities: 5 })
  const { quiet, flooded, loopMs } = measured
  const comparedWith = 'that without trainings'
  figures.push(
    { name: 'p99 beside 20 trainings', value: flooded.p99 / quiet.p99, unit: '×', comparedWith, goal: { atMost: 2 } },
    ...latencies('prediction beside 20 trainings', flooded),
    ...latencies('prediction without trainings', quiet),
    { name: 'event loop delay beside 20 trainings', statistic: 'p99', value: loopMs.flooded, unit: 'ms' },
    { name: 'event loop delay without trainings', statistic: 'p99', value: loopMs.quiet, unit: 'ms' },
    { name: 'concurrent trainings', statistic: 'max', value: measured.maxRunning, unit: '' },
    { name: 'trainings left when probes ended', value: measured.left, unit: 'of 20' },
    { name: 'trainings stopped after deletion', value: measured.cancelledMs, unit: 'ms' },
  )
}
record(figures)
