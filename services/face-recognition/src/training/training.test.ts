import { setImmediate as nextTurn } from 'node:timers/promises'
import { latencyIn, sized, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { distance } from '../descriptors/confidence.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import { type Callers, callersOf, start } from '../testing/app.ts'
import {
  addPersons,
  anotherPhotoOf,
  deletePersons,
  detect,
  generator,
  idOf,
  randomDescriptor,
} from '../testing/synthetic.ts'

// Synthetic vectors, distributed like descriptors of photos.
const random = generator(7)
const count = sized(1_500, 100_000)
const all = Array.from({ length: count }, () => randomDescriptor(random))
const probedPersons = Array.from({ length: 100 }, (_, i) => (i * 7919) % count)
const probes = probedPersons.map((index) => anotherPhotoOf(all[index] as Descriptor, random))
const newcomers = Array.from({ length: 10 }, () => randomDescriptor(random))
const photosOfNewcomers = newcomers.map((person) => anotherPhotoOf(person, random))
const params = { personGroupId: 'everybody' }
let app: TestApp
let acme: Callers
let faceIds: string[]
let newFaceIds: string[]

beforeAll(async () => {
  app = await start({ minFacesForLsh: 1_000 })
  acme = await callersOf(app)
  await acme.groups.create({ params, body: { name: 'Everybody' } })
  await addPersons(app, 'acme', params.personGroupId, all)
  const ids = await detect(app, 'acme', [...probes, ...photosOfNewcomers])
  faceIds = ids.slice(0, probes.length)
  newFaceIds = ids.slice(probes.length)
  await acme.groups.train({ params })
  await app.jobs.drain()
})
afterAll(() => app[Symbol.asyncDispose]())

const best = (probe: Descriptor, exists = (_: number) => true) => {
  let nearest = { person: -1, apart: Number.POSITIVE_INFINITY }
  for (const [person, descriptor] of all.entries()) {
    const apart = exists(person) ? distance(descriptor, probe) : Number.POSITIVE_INFINITY
    if (apart < nearest.apart) nearest = { person, apart }
  }
  return idOf(2, nearest.person)
}

/** Counts the probes whose best match was found. Yields to the server, which is in this process, after each. */
async function countCorrect(
  results: readonly (string | undefined)[],
  indices: readonly number[],
  exists?: (_: number) => boolean,
) {
  let correct = 0
  for (const i of indices) {
    await nextTurn()
    if (results[i] === best(probes[i] as Descriptor, exists)) correct++
  }
  return correct
}

/** Returns the best candidate of each face. */
async function identify(...ids: string[]): Promise<(string | undefined)[]> {
  const { body } = await acme.comparison.identify({ body: { faceIds: ids, ...params, confidenceThreshold: 0 } })
  return body.map(({ candidates }) => candidates[0]?.personId)
}

test('locality-sensitive hashing finds the same persons as an exhaustive comparison', async () => {
  const results: (string | undefined)[] = []
  const times: number[] = []
  for (const id of faceIds) {
    const startedAt = performance.now()
    results.push(...(await identify(id)))
    times.push(performance.now() - startedAt)
  }
  const correct = await countCorrect(results, [...results.keys()])
  const { p50, p99 } = latencyIn(times.slice(1))
  console.log(
    `among ${count} synthetic faces: ${correct} of ${results.length} as by brute force; p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms through HTTP`,
  )
  expect(correct / results.length).toBeGreaterThanOrEqual(0.99)
}, 120_000)

test('a deleted person is replaced by the next candidate', async () => {
  const [first = '', second = ''] = await everyCandidate(faceIds[0] as string)
  await acme.persons.delete({ params: { ...params, personId: first } })
  expect(await identify(faceIds[0] as string)).toEqual([second])
  await app.jobs.drain()
  expect(await identify(faceIds[0] as string)).toEqual([second])
}, 120_000)

async function everyCandidate(faceId: string): Promise<string[]> {
  const { body } = await acme.comparison.identify({
    body: { faceIds: [faceId], ...params, confidenceThreshold: 0, maxNumOfCandidatesReturned: 5 },
  })
  return body[0]?.candidates.map(({ personId }) => personId) ?? []
}

test('identification during repeated trainings sees one training or another, never a part', async () => {
  const [goal, rounds] = [sized(1_000, 1_000_000), sized(3, 10)]
  const ids = faceIds.slice(1, 11)
  const expected = await identify(...ids)
  let identifications = 0
  let duringTraining = 0
  let isOver = false
  const clients = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      expect(await identify(...ids)).toEqual(expected)
      identifications += ids.length
    }
  })
  const startedAt = performance.now()
  for (let round = 1; round <= rounds; round++) {
    const before = identifications
    await acme.groups.train({ params })
    await app.jobs.drain()
    duringTraining += identifications - before
    await expect.poll(() => identifications, { timeout: 3_600_000 }).toBeGreaterThanOrEqual((goal * round) / rounds)
    const seconds = (performance.now() - startedAt) / 1000
    console.log(
      `${identifications} identifications in ${seconds.toFixed(0)} s, ${duringTraining} of them during one of ${round} trainings`,
    )
  }
  isOver = true
  await Promise.all(clients)
  expect((await acme.groups.getTrainingStatus({ params })).body.status).toBe('succeeded')
  const { items } = await app.platform.blobs.list('face-recognition/acme/galleries/', { limit: 10 })
  expect(items).toHaveLength(1)
}, 7_200_000)

test('deleted persons are not found, the others are, and added ones only after a training', async () => {
  const isDeleted = (person: number) => person % 10 === 0
  const deleted = Array.from({ length: Math.ceil(count / 10) }, (_, i) => 10 * i)
  const [deletedByCall, ...others] = deleted.filter((person) => person !== 0)
  await acme.persons.delete({ params: { ...params, personId: idOf(2, deletedByCall as number) } })
  await deletePersons(app, 'acme', params.personGroupId, [0, ...others])
  await app.clock.advance(1_000)
  await addPersons(app, 'acme', params.personGroupId, newcomers, count)
  const check = async (when: string) => {
    const results = (await Promise.all(faceIds.map((id) => identify(id)))).flat()
    const deletedIds = new Set(deleted.map((person) => idOf(2, person)))
    expect(
      results.filter((person) => deletedIds.has(person as string)),
      when,
    ).toEqual([])
    const rest = probedPersons.flatMap((person, i) => (isDeleted(person) ? [] : [i]))
    const correct = await countCorrect(results, rest, (person) => !isDeleted(person))
    expect(correct / rest.length, when).toBeGreaterThanOrEqual(0.99)
  }
  const ofNewcomers = newcomers.map((_, i) => idOf(2, count + i))
  await check('immediately')
  await app.jobs.drain()
  await check('after the gallery was rewritten')
  expect((await identify(...newFaceIds)).filter((person) => ofNewcomers.includes(person as string))).toEqual([])
  await acme.groups.train({ params })
  await app.jobs.drain()
  await check('after another training')
  expect(await identify(...newFaceIds)).toEqual(ofNewcomers)
}, 600_000)
