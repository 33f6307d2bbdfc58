import { seededRandom, type TestApp } from '@icosa/testing'
import { detectedDescriptors, persistedDescriptors, sealDescriptor } from '../descriptors/sealing.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import * as store from './synthetic-store.ts'

/** Numbers from -1 to 1 that are the same every time, most of them small. */
export function generator(seed: number): () => number {
  const random = seededRandom(seed)
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

// As the networks here describe 41 faces in photos that packages ship: their middle is 1.38 from zero, two persons are 0.755
// apart and two photos of one person 0.406, both in the median. Nothing else of real faces is in these.
const spread = 0.0472
const likeness = 0.711
const middle = Float64Array.from({ length: 128 }, (_, i) => (i % 3 === 0 ? -0.122 : 0.122))

export function somebody(random: () => number): Descriptor {
  const one = new Float32Array(middle)
  for (let i = 0; i < one.length; i++) one[i] = (middle[i] as number) + spread * random()
  return one
}

export const anotherPhotoOf = (one: Descriptor, random: () => number): Descriptor =>
  one.map((value, i) => {
    const centre = middle[i] as number
    return centre + likeness * (value - centre) + Math.sqrt(1 - likeness ** 2) * spread * random()
  })

/** Numbered ids: 00000000-0000-4000-8000-000000000007. */
export const idOf = (kind: number, index: number): string =>
  `0000000${kind}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`

const batch = 1_000

/** Puts persons with one face each into a group, without photos, numbered from `first` on. */
export async function addPersons(
  app: TestApp,
  tenant: string,
  group: string,
  all: readonly Descriptor[],
  first = 0,
): Promise<void> {
  const { database, vault, clock } = app.platform
  const collection = await store.collectionOf(database, tenant, group)
  for (let from = 0; from < all.length; from += batch) {
    const faces = all.slice(from, from + batch).map((descriptor, i) => {
      const id = idOf(1, first + from + i)
      const sealed = sealDescriptor(vault, persistedDescriptors, { tenant, id }, descriptor)
      return { id, person: idOf(2, first + from + i), descriptor: sealed }
    })
    await store.insertPersons(database, tenant, collection, faces, clock.now())
  }
}

/** Deletes them as the service does, but many at once. */
export async function deletePersons(app: TestApp, tenant: string, group: string, numbers: readonly number[]) {
  const { database } = app.platform
  const collection = await store.collectionOf(database, tenant, group)
  for (let from = 0; from < numbers.length; from += batch) {
    const persons = numbers.slice(from, from + batch).map((number) => idOf(2, number))
    await store.removePersons(database, tenant, collection, persons)
  }
}

/** Makes face ids of descriptors, as if they had been detected. */
export async function detect(app: TestApp, tenant: string, all: readonly Descriptor[]): Promise<string[]> {
  const { database, vault, clock } = app.platform
  const faces = all.map((descriptor, index) => {
    const id = idOf(3, index)
    return { id, descriptor: sealDescriptor(vault, detectedDescriptors, { tenant, id }, descriptor) }
  })
  for (let from = 0; from < faces.length; from += batch)
    await store.insertDetected(database, tenant, faces.slice(from, from + batch), clock.now())
  return faces.map(({ id }) => id)
}
