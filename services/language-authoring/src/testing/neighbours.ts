import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Latency, latencyIn, type Neighbours, startTestApp } from '@icosa/testing'
import { type CorpusSize, generatedApp } from '../engine/testing/corpus.ts'
import { defaultSettings, languageAuthoring } from '../index.ts'
import { type Callers, callersOf, fileOf } from './app.ts'

export interface TrainingNeighbours extends Neighbours {
  /** Trainings that were not done when the last query was answered. */
  readonly left: number
  /** From the last deletion until no training runs. */
  readonly cancelledMs: number
  /** Maximum number of concurrent trainings. */
  readonly maxRunning: number
  /** p99 of the event loop delay, before and during the trainings. */
  readonly loopMs: { readonly quiet: number; readonly flooded: number }
}

const windowSize = 100

/** Median of the latencies of windows, so that a short load spike on the machine affects one window, not the result. */
function inWindows(...parts: readonly (readonly number[])[]): Latency {
  const windows = parts.flatMap((durations) => {
    const count = Math.max(1, Math.floor(durations.length / windowSize))
    return Array.from({ length: count }, (_, nth) =>
      latencyIn(durations.slice((nth * durations.length) / count, ((nth + 1) * durations.length) / count)),
    )
  })
  return { p50: latencyIn(windows.map(({ p50 }) => p50)).p50, p99: latencyIn(windows.map(({ p99 }) => p99)).p50 }
}

const probedSize: CorpusSize = { intents: 10, utterances: 10, entities: 2 }

/**
 * Measures a tenant's prediction latency before, during and after another tenant's concurrent trainings on the same node,
 * which end with the deletion of its apps.
 */
export async function trainingNeighbours(
  trainings: number,
  probes: number,
  size: CorpusSize,
): Promise<TrainingNeighbours> {
  const worker = { concurrency: 32, background: true }
  await using app = await startTestApp({ services: [languageAuthoring(defaultSettings)], worker })
  const acme = await callersOf(app, 'acme')
  const evil = await callersOf(app, 'evil')
  const { appId } = await importApp(acme, 'Probed', probedSize, 1)
  await trainApp(acme, appId)
  await acme.apps.publish({ params: { appId }, body: { versionId: '0.1' } })
  const sentences = generatedApp({ ...probedSize, utterances: 40 }, 2).utterances.map(({ text }) => text)
  const params = { appId, slotName: 'production' }
  const running = () => Number(/^icosa_pool_language_training_running (\d+)$/m.exec(app.platform.metrics.text())?.[1])
  const loop = monitorEventLoopDelay({ resolution: 5 })
  const loopMs = () => {
    const late = loop.percentile(99) / 1e6 - 5
    loop.reset()
    return Math.max(0, late)
  }
  let maxRunning = 0
  let count = 0
  const probe = async (times: number) => {
    const durations: number[] = []
    for (let nth = 0; nth < times; nth++) {
      const query = `${sentences[count % sentences.length]} ${count++}`
      const startedAt = performance.now()
      await acme.prediction.getSlotPrediction({ params, body: { query } })
      durations.push(performance.now() - startedAt)
      maxRunning = Math.max(maxRunning, running())
    }
    return durations
  }

  await probe(10)
  loop.enable()
  const before = await probe(probes / 2)
  const quietLoop = loopMs()
  const apps = await Promise.all(
    Array.from({ length: trainings }, (_, nth) => importApp(evil, `Trained ${nth}`, size, nth)),
  )
  for (const at of apps) await evil.training.trainVersion({ params: at })
  while (running() === 0) await probe(1)
  loop.reset()
  const flooded = await probe(probes)
  const floodedLoop = loopMs()
  loop.disable()
  const states = await Promise.all(apps.map((at) => statusOf(evil, at)))
  await Promise.all(apps.map((at) => evil.apps.delete({ params: at })))
  const startedAt = performance.now()
  while (running() > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const cancelledMs = performance.now() - startedAt
  const after = await probe(probes / 2)
  return {
    quiet: inWindows(before, after),
    flooded: inWindows(flooded),
    left: states.filter((state) => state !== 'UpToDate').length,
    cancelledMs,
    maxRunning,
    loopMs: { quiet: quietLoop, flooded: floodedLoop },
  }
}

export async function importApp({ apps }: Callers, appName: string, size: CorpusSize, seed: number) {
  const { body: appId } = await apps.import({ query: { appName }, body: fileOf(generatedApp(size, seed)) })
  return { appId, versionId: '0.1' }
}

const statusOf = async ({ training }: Callers, params: { readonly appId: string; readonly versionId: string }) =>
  (await training.getStatus({ params })).body[0]?.details.status

/** Waits until a worker has trained it. */
export async function trainApp(calls: Callers, appId: string): Promise<void> {
  const params = { appId, versionId: '0.1' }
  await calls.training.trainVersion({ params })
  for (;;) {
    const status = await statusOf(calls, params)
    if (status === 'UpToDate') return
    if (status === 'Fail') throw new Error(`The training of ${appId} failed.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
