import { latencyIn, sized, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { distance } from '../descriptors/confidence.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import { type Callers, callersOf, start } from '../testing/app.ts'
import { addPersons, anotherPhotoOf, detect, generator, idOf, somebody } from '../testing/synthetic.ts'

// Vectors that are as far apart as descriptors of photos are, but of nobody.
const random = generator(7)
const count = sized(1_500, 100_000)
const all = Array.from({ length: count }, () => somebody(random))
const lookedFor = Array.from({ length: 100 }, (_, i) => (i * 7919) % count)
const probes = lookedFor.map((index) => anotherPhotoOf(all[index] as Descriptor, random))
const params = { personGroupId: 'everybody' }
let app: TestApp
let acme: Callers
let faceIds: string[]

beforeAll(
  async () => {
    app = await start({ indexedFrom: 1_000 })
    acme = await callersOf(app)
    await acme.groups.create({ params, body: { name: 'Everybody' } })
    await addPersons(app, 'acme', params.personGroupId, all)
    faceIds = await detect(app, 'acme', probes)
    await acme.groups.train({ params })
    await app.jobs.drain()
  },
  sized(120_000, 3_600_000),
)
afterAll(() => app[Symbol.asyncDispose]())

const best = (probe: Descriptor) => {
  const distances = all.map((one) => distance(one, probe))
  return idOf(2, distances.indexOf(Math.min(...distances)))
}

/** Who a face is taken for. */
async function identified(...ids: string[]): Promise<(string | undefined)[]> {
  const { body } = await acme.comparison.identify({ body: { faceIds: ids, ...params, confidenceThreshold: 0 } })
  return body.map(({ candidates }) => candidates[0]?.personId)
}

test('an index finds whom a comparison with everybody finds', async () => {
  const found: (string | undefined)[] = []
  const times: number[] = []
  for (const id of faceIds) {
    const began = performance.now()
    found.push(...(await identified(id)))
    times.push(performance.now() - began)
  }
  const right = found.filter((person, i) => person === best(probes[i] as Descriptor)).length
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

test(
  'whoever identifies while it is trained again and again sees one training or another, never a part',
  async () => {
    const ids = faceIds.slice(1, 11)
    const usual = await identified(...ids)
    let asked = 0
    let isOver = false
    const asking = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        expect(await identified(...ids)).toEqual(usual)
        asked += ids.length
      }
    })
    for (let round = 0; round < sized(3, 10); round++) {
      await acme.groups.train({ params })
      await app.jobs.drain()
    }
    isOver = true
    await Promise.all(asking)
    expect((await acme.groups.getTrainingStatus({ params })).body.status).toBe('succeeded')
    expect(asked).toBeGreaterThan(100)
    const { items } = await app.platform.blobs.list('face-recognition/acme/galleries/', { limit: 10 })
    expect(items).toHaveLength(2) // one gallery and its index
  },
  sized(120_000, 3_600_000),
)
