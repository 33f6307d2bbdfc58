/**
 * Identification among many synthetic persons: training and loading time, latency, and agreement with brute force;
 * then without a tenth of them, with some more, and after another training.
 */
import type { TestApp } from '@icosa/testing'
import { confidenceOf, isIdentified } from '../../services/face-recognition/src/descriptors/confidence.ts'
import type { Descriptor } from '../../services/face-recognition/src/engine/look/describe.ts'
import { openMatcher } from '../../services/face-recognition/src/matching/matcher.ts'
import { minFacesForLsh } from '../../services/face-recognition/src/settings.ts'
import { type Callers, callersOf, start } from '../../services/face-recognition/src/testing/app.ts'
import {
  addPersons,
  anotherPhotoOf,
  deletePersons,
  detect,
  generator,
  idOf,
  randomDescriptor,
} from '../../services/face-recognition/src/testing/synthetic.ts'
import { dimensions } from '../../services/face-recognition/src/training/gallery.ts'
import { type Figure, latencies, quantile } from '../figures.ts'

const probesCount = 300
const addedCount = 20
const pageOfPersons = 10_000
const group = 'everybody'
const params = { largePersonGroupId: group }

interface Probe {
  readonly faceId: string
  readonly descriptor: Descriptor
  /** The person on the photo. */
  readonly person: number
}

/** All descriptors in one buffer: a million objects would take more memory than the service. */
interface Crowd {
  readonly count: number
  readonly descriptors: SharedArrayBuffer
  one(person: number): Descriptor
  some(from: number, to: number): Descriptor[]
}

function crowdOf(count: number, random: () => number): Crowd {
  const descriptors = new SharedArrayBuffer(count * dimensions * 4)
  const numbers = new Float32Array(descriptors)
  for (let person = 0; person < count; person++) numbers.set(randomDescriptor(random), person * dimensions)
  const one = (person: number) => numbers.subarray(person * dimensions, (person + 1) * dimensions)
  return { count, descriptors, one, some: (from, to) => Array.from({ length: to - from }, (_, i) => one(from + i)) }
}

interface Bench {
  readonly app: TestApp
  readonly callers: Callers
  readonly all: Crowd
  readonly probes: readonly Probe[]
}

export async function identification(count: number): Promise<Figure[]> {
  const random = generator(3)
  const all = crowdOf(count + addedCount, random)
  const indexes = Array.from({ length: probesCount }, (_, i) => (i * 7919) % count)
  const persons = [...indexes, ...Array.from({ length: addedCount }, (_, i) => count + i)]
  const descriptors = persons.map((person) => anotherPhotoOf(all.one(person), random))
  await using app = await start()
  const callers = await callersOf(app)
  await callers.largeGroups.create({ params, body: { name: 'Everybody' } })
  for (let from = 0; from < count; from += pageOfPersons)
    await addPersons(app, 'acme', group, all.some(from, Math.min(from + pageOfPersons, count)), from)
  const faceIds = await detect(app, 'acme', descriptors)
  const probes = persons.map((person, i) => ({
    faceId: faceIds[i] as string,
    descriptor: descriptors[i] as Descriptor,
    person,
  }))
  const figures = await search(all, descriptors)
  const bench = { app, callers, all, probes }
  figures.push(...(await train(bench)), ...(await ask(bench, 'identified', (person) => person < count)))

  const isDeleted = (person: number) => person < count && person % 10 === 0
  const deleted = Array.from({ length: Math.ceil(count / 10) }, (_, i) => 10 * i)
  await deletePersons(app, 'acme', group, deleted)
  await addPersons(app, 'acme', group, all.some(count, all.count), count)
  const isLearnt = (person: number) => person < count && !isDeleted(person)
  figures.push(...(await ask(bench, `a tenth deleted and ${addedCount} added`, isLearnt)))
  await train(bench)
  figures.push(...(await ask(bench, 'trained again', (person) => !isDeleted(person))))
  return figures.map((figure) => ({ ...figure, name: `${count.toLocaleString('en')} persons, ${figure.name}` }))
}

/** Search alone, without the request: in a node's threads, with the index already in memory. */
async function search({ count, descriptors }: Crowd, probes: readonly Descriptor[]): Promise<Figure[]> {
  const starts = new SharedArrayBuffer((count + 1) * 4)
  new Int32Array(starts).set(Array.from({ length: count + 1 }, (_, person) => person))
  const nobody = new Uint8Array()
  const gallery = { name: '', faces: count, descriptors, starts, ids: nobody, persons: nobody }
  const matcher = openMatcher()
  const signatures = count < minFacesForLsh ? {} : { signatures: await matcher.signatures('acme', gallery) }
  const times: number[] = []
  for (const probe of [...probes, ...probes])
    times.push(
      await timed(() =>
        matcher.nearest('acme', { ...gallery, ...signatures }, probe, { maxPersons: 1, maxDistance: 2 }),
      ),
    )
  await matcher.close()
  return latencies('search alone', quantiles(times.slice(probes.length))) // without the start of the threads
}

async function train({ app, callers: { largeGroups, comparison }, probes }: Bench): Promise<Figure[]> {
  const atFirst = megabytes()
  const before = process.cpuUsage()
  const trained = await timed(async () => {
    await largeGroups.train({ params })
    await app.jobs.drain()
  })
  const trainedBy = cpuSince(before)
  const trainedMb = megabytes()
  const loading = process.cpuUsage()
  const faceIds = [probes[0]?.faceId ?? '']
  const loaded = await timed(() => comparison.identify({ body: { faceIds, ...params } }))
  const loadedMb = megabytes()
  const { items } = await app.platform.blobs.list('face-recognition/acme/galleries/', { limit: 10 })
  return [
    { name: 'training', value: trained / 1_000, unit: 's' },
    { name: 'training, CPU', value: trainedBy / 1_000, unit: 's' },
    { name: 'size of the trained group', value: Math.max(...items.map(({ size }) => size)) / 1e6, unit: 'MB' },
    { name: 'first answer, which loads the group', value: loaded / 1_000, unit: 's' },
    { name: 'first answer, CPU', value: cpuSince(loading) / 1_000, unit: 's' },
    { name: 'memory growth by training', value: Math.max(0, trainedMb - atFirst), unit: 'MB' },
    { name: 'memory growth by loading', value: Math.max(0, loadedMb - trainedMb), unit: 'MB' },
  ]
}

/** Identifies each face once, alternating with a request that compares only two. */
async function ask(
  { callers: { comparison }, all, probes }: Bench,
  when: string,
  isKnown: (person: number) => boolean,
): Promise<Figure[]> {
  const times = { identify: [] as number[], verify: [] as number[] }
  const cpu = { identify: 0, verify: 0 }
  const answers: Candidate[] = []
  for (const { faceId } of probes) {
    const beforeVerify = process.cpuUsage()
    times.verify.push(
      await timed(() => comparison.verify({ body: { faceId1: faceId, faceId2: probes[0]?.faceId ?? '' } })),
    )
    cpu.verify += cpuSince(beforeVerify)
    const before = process.cpuUsage()
    times.identify.push(
      await timed(async () => {
        const { body } = await comparison.identify({ body: { faceIds: [faceId], ...params, confidenceThreshold: 0 } })
        answers.push(body[0]?.candidates[0] ?? nobody)
      }),
    )
    cpu.identify += cpuSince(before)
  }
  const exact = nearestTo(probes, all, isKnown)
  const outcomes = probes.map((probe, i) => ({
    isOfKnown: isKnown(probe.person),
    isRight: answers[i]?.personId === exact[i]?.personId,
    isUsuallyRight: usual(answers[i]) === usual(exact[i]),
  }))
  const rightOf = (isOfKnown: boolean) => {
    const some = outcomes.filter((outcome) => outcome.isOfKnown === isOfKnown)
    return { value: some.filter(({ isRight }) => isRight).length, unit: `of ${some.length}` }
  }
  const usually = outcomes.filter(({ isUsuallyRight }) => isUsuallyRight).length
  const learnt = new Set(
    Array.from({ length: all.count }, (_, person) => person)
      .filter(isKnown)
      .map((person) => idOf(2, person)),
  )
  const wrong = answers.filter(({ personId }) => personId !== '' && !learnt.has(personId)).length
  return [
    ...latencies(`${when}, over HTTP`, quantiles(times.identify)),
    ...latencies(`${when}, two faces compared over HTTP`, quantiles(times.verify)),
    { name: `${when}, CPU with client`, value: cpu.identify / probes.length, unit: 'ms' },
    { name: `${when}, CPU with client of two faces compared`, value: cpu.verify / probes.length, unit: 'ms' },
    { name: `${when}, known persons as by brute force`, ...rightOf(true) },
    { name: `${when}, nearest person of the others as by brute force`, ...rightOf(false) },
    { name: `${when}, equal at the default confidence`, value: usually, unit: `of ${probes.length}` },
    { name: `${when}, deleted or not learnt yet`, value: wrong, unit: '', goal: { atMost: 0 } },
  ]
}

const quantiles = (times: readonly number[]) => ({ p50: quantile(times, 0.5), p95: quantile(times, 0.95) })

const megabytes = () => Math.round(process.memoryUsage.rss() / 1e6)

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

interface Candidate {
  readonly personId: string
  readonly confidence: number
}

const nobody: Candidate = { personId: '', confidence: 0 }

/** The candidate at the default confidence threshold. */
const usual = ({ personId, confidence } = nobody) => (confidence >= isIdentified ? personId : '')

/** Brute force. Starts with the right person, so that other distances can be abandoned early. */
function nearestTo(probes: readonly Probe[], all: Crowd, isKnown: (person: number) => boolean): Candidate[] {
  const best = probes.map(({ person }) => (isKnown(person) ? person : -1))
  const least = Float64Array.from(probes, ({ descriptor, person }) =>
    isKnown(person) ? squared(descriptor, all.one(person), Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
  )
  for (let person = 0; person < all.count; person++) {
    if (!isKnown(person)) continue
    const one = all.one(person)
    for (let i = 0; i < probes.length; i++) {
      const apart = squared((probes[i] as Probe).descriptor, one, least[i] as number)
      if (apart >= (least[i] as number)) continue
      best[i] = person
      least[i] = apart
    }
  }
  return best.map((person, i) => ({
    personId: idOf(2, person),
    confidence: confidenceOf(Math.sqrt(least[i] as number)),
  }))
}

function squared(one: Descriptor, other: Descriptor, limit: number): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) {
    const apart = (one[i] as number) - (other[i] as number)
    sum += apart * apart
    if (i % 16 === 15 && sum > limit) return sum
  }
  return sum
}
