import { setImmediate as nextTurn } from 'node:timers/promises'
import { latencyIn, sized, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { distance } from '../descriptors/confidence.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import { type Callers, callersOf, start } from '../testing/app.ts'
import { addPersons, anotherPhotoOf, deletePersons, detect, generator, idOf, somebody } from '../testing/synthetic.ts'

// Vectors that are as far apart as descriptors of photos are, but of nobody.
const random = generator(7)
const count = sized(1_500, 100_000)
const all = Array.from({ length: count }, () => somebody(random))
const lookedFor = Array.from({ length: 100 }, (_, i) => (i * 7919) % count)
const probes = lookedFor.map((index) => anotherPhotoOf(all[index] as Descriptor, random))
const newcomers = Array.from({ length: 10 }, () => somebody(random))
const photosOfNewcomers = newcomers.map((one) => anotherPhotoOf(one, random))
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

const best = (probe: Descriptor, isThere = (_: number) => true) => {
  let nearest = { person: -1, apart: Number.POSITIVE_INFINITY }
  for (const [person, one] of all.entries()) {
    const apart = isThere(person) ? distance(one, probe) : Number.POSITIVE_INFINITY
    if (apart < nearest.apart) nearest = { person, apart }
  }
  return idOf(2, nearest.person)
}

/** Of how many of the probes the best was found. The server is in this process, and has its turn after each of them. */
async function rightOf(
  found: readonly (string | undefined)[],
  of: readonly number[],
  isThere?: (_: number) => boolean,
) {
  let right = 0
  for (const i of of) {
    await nextTurn()
    if (found[i] === best(probes[i] as Descriptor, isThere)) right++
  }
  return right
}

/** Who a face is taken for. */
async function identified(...ids: string[]): Promise<(string | undefined)[]> {
  const { body } = await acme.comparison.identify({ body: { faceIds: ids, ...params, confidenceThreshold: 0 } })
  return body.map(({ candidates }) => candidates[0]?.personId)
}

test('locality-sensitive hashing finds whom an exhaustive comparison finds', async () => {
  const found: (string | undefined)[] = []
  const times: number[] = []
  for (const id of faceIds) {
    const began = performance.now()
    found.push(...(await identified(id)))
    times.push(performance.now() - began)
  }
  const right = await rightOf(found, [...found.keys()])
  const { p50, p99 } = latencyIn(times.slice(1))
  console.log(
    `among ${count} synthetic faces: ${right} of ${found.length} as by brute force; p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms through HTTP`,
  )
  expect(right / found.length).toBeGreaterThanOrEqual(0.99)
}, 120_000)

test('who is deleted is not found, and whoever is next is', async () => {
  const [first = '', second = ''] = await everyCandidate(faceIds[0] as string)
  await acme.persons.delete({ params: { ...params, personId: first } })
  expect(await identified(faceIds[0] as string)).toEqual([second])
  await app.jobs.drain()
  expect(await identified(faceIds[0] as string)).toEqual([second])
}, 120_000)

async function everyCandidate(faceId: string): Promise<string[]> {
  const { body } = await acme.comparison.identify({
    body: { faceIds: [faceId], ...params, confidenceThreshold: 0, maxNumOfCandidatesReturned: 5 },
  })
  return body[0]?.candidates.map(({ personId }) => personId) ?? []
}

test('whoever identifies while it is trained again and again sees one training or another, never a part', async () => {
  const [goal, rounds] = [sized(1_000, 1_000_000), sized(3, 10)]
  const ids = faceIds.slice(1, 11)
  const usual = await identified(...ids)
  let asked = 0
  let whileTrained = 0
  let isOver = false
  const asking = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      expect(await identified(...ids)).toEqual(usual)
      asked += ids.length
    }
  })
  const began = performance.now()
  for (let round = 1; round <= rounds; round++) {
    const before = asked
    await acme.groups.train({ params })
    await app.jobs.drain()
    whileTrained += asked - before
    await expect.poll(() => asked, { timeout: 3_600_000 }).toBeGreaterThanOrEqual((goal * round) / rounds)
    const seconds = (performance.now() - began) / 1000
    console.log(
      `${asked} identifications in ${seconds.toFixed(0)} s, ${whileTrained} of them while one of ${round} trainings went on`,
    )
  }
  isOver = true
  await Promise.all(asking)
  expect((await acme.groups.getTrainingStatus({ params })).body.status).toBe('succeeded')
  const { items } = await app.platform.blobs.list('face-recognition/acme/galleries/', { limit: 10 })
  expect(items).toHaveLength(1)
}, 7_200_000)

test('of a tenth that is deleted nobody is found, the others are, and who was added only after a training', async () => {
  const isDeleted = (person: number) => person % 10 === 0
  const deleted = Array.from({ length: Math.ceil(count / 10) }, (_, i) => 10 * i)
  const [byCall, ...others] = deleted.filter((person) => person !== 0)
  await acme.persons.delete({ params: { ...params, personId: idOf(2, byCall as number) } })
  await deletePersons(app, 'acme', params.personGroupId, [0, ...others])
  await app.clock.advance(1_000)
  await addPersons(app, 'acme', params.personGroupId, newcomers, count)
  const look = async (when: string) => {
    const found = (await Promise.all(faceIds.map((id) => identified(id)))).flat()
    const gone = new Set(deleted.map((person) => idOf(2, person)))
    expect(
      found.filter((person) => gone.has(person as string)),
      when,
    ).toEqual([])
    const rest = lookedFor.flatMap((person, i) => (isDeleted(person) ? [] : [i]))
    const right = await rightOf(found, rest, (person) => !isDeleted(person))
    expect(right / rest.length, when).toBeGreaterThanOrEqual(0.99)
  }
  const ofNewcomers = newcomers.map((_, i) => idOf(2, count + i))
  await look('at once')
  await app.jobs.drain()
  await look('when what was learnt was rewritten')
  expect((await identified(...newFaceIds)).filter((person) => ofNewcomers.includes(person as string))).toEqual([])
  await acme.groups.train({ params })
  await app.jobs.drain()
  await look('after another training')
  expect(await identified(...newFaceIds)).toEqual(ofNewcomers)
}, 600_000)
