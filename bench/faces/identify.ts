/** Identification among many synthetic faces: how long to train and load, how fast, and how often as by brute force. */
import { latencyIn } from '@icosa/testing'
import { distance } from '../../services/face-recognition/src/descriptors/confidence.ts'
import type { Descriptor } from '../../services/face-recognition/src/engine/look/describe.ts'
import { callersOf, start } from '../../services/face-recognition/src/testing/app.ts'
import {
  addPersons,
  anotherPhotoOf,
  detect,
  generator,
  idOf,
  somebody,
} from '../../services/face-recognition/src/testing/synthetic.ts'

const probesCount = 300

export async function identification(count: number): Promise<void> {
  const random = generator(3)
  const all = Array.from({ length: count }, () => somebody(random))
  const lookedFor = Array.from({ length: probesCount }, (_, i) => (i * 7919) % count)
  const probes = lookedFor.map((index) => anotherPhotoOf(all[index] as Descriptor, random))
  await using app = await start()
  const { largeGroups, comparison } = await callersOf(app)
  const params = { largePersonGroupId: 'everybody' }
  await largeGroups.create({ params, body: { name: 'Everybody' } })
  await addPersons(app, 'acme', params.largePersonGroupId, all)
  const faceIds = await detect(app, 'acme', probes)

  const trained = await timed(async () => {
    await largeGroups.train({ params })
    await app.jobs.drain()
  })
  const identify = async (faceId = '') => {
    const { body } = await comparison.identify({ body: { faceIds: [faceId], ...params, confidenceThreshold: 0 } })
    return body[0]?.candidates[0]?.personId
  }
  const loaded = await timed(() => identify(faceIds[0]))
  const times: number[] = []
  let right = 0
  for (const [index, faceId] of faceIds.entries()) {
    const began = performance.now()
    const found = await identify(faceId)
    times.push(performance.now() - began)
    if (found === idOf(2, nearestTo(probes[index] as Descriptor, all))) right++
  }
  const { items } = await app.platform.blobs.list('face-recognition/acme/galleries/', { limit: 10 })
  const megabytes = items.map(({ size }) => `${(size / 1e6).toFixed(0)} MB`).join(' and ')
  const { p50, p99 } = latencyIn(times)
  console.log(
    `${count} synthetic faces: trained in ${seconds(trained)}, blobs ${megabytes}, first answer ${seconds(loaded)}; ` +
      `then p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms through HTTP; ${right} of ${probesCount} as by brute force; ` +
      `memory ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
  )
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function nearestTo(probe: Descriptor, all: readonly Descriptor[]): number {
  let best = { index: -1, distance: Number.POSITIVE_INFINITY }
  for (const [index, one] of all.entries()) {
    const apart = distance(probe, one)
    if (apart < best.distance) best = { index, distance: apart }
  }
  return best.index
}
