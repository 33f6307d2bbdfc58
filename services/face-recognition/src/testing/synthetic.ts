import { seededRandom, type TestApp } from '@icosa/testing'
import { detectedDescriptors, persistedDescriptors, sealDescriptor } from '../descriptors/sealing.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import * as store from './synthetic-store.ts'

/** Reproducible numbers from a normal distribution. */
export function generator(seed: number): () => number {
  const random = seededRandom(seed)
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

// Measured on the descriptors of 41 faces: the norm of their centroid is 1.38, the median distance is 0.755 between persons
// and 0.406 between two photos of a person. Nothing else of real faces is in these.
const spread = 0.0472
const correlation = 0.711
const centroid = Float64Array.from({ length: 128 }, (_, i) => (i % 3 === 0 ? -0.122 : 0.122))

export function randomDescriptor(random: () => number): Descriptor {
  const descriptor = new Float32Array(centroid)
  for (let i = 0; i < descriptor.length; i++) descriptor[i] = (centroid[i] as number) + spread * random()
  return descriptor
}

export const anotherPhotoOf = (person: Descriptor, random: () => number): Descriptor =>
  person.map((value, i) => {
    const centre = centroid[i] as number
    return centre + correlation * (value - centre) + Math.sqrt(1 - correlation ** 2) * spread * random()
  })

/** Numbered ids: 00000000-0000-4000-8000-000000000007. */
export const idOf = (kind: number, index: number): string =>
  `0000000${kind}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`

const batch = 1_000

/** Inserts persons with one face each into a group, numbered from `first`. */
export async function addPersons(
  app: TestApp,
  tenant: string,
  group: string,
  all: readonly Descriptor[],
  first = 0,
): Promise<void> {
  const { database, cellVault, clock } = app.platform
  const vault = await cellVault.of(tenant)
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

/** Deletes persons as the service does, but in batches. */
export async function deletePersons(app: TestApp, tenant: string, group: string, numbers: readonly number[]) {
  const { database } = app.platform
  const collection = await store.collectionOf(database, tenant, group)
  for (let from = 0; from < numbers.length; from += batch) {
    const persons = numbers.slice(from, from + batch).map((number) => idOf(2, number))
    await store.removePersons(database, tenant, collection, persons)
  }
}

/** Inserts descriptors as detected faces; returns their ids. */
export async function detect(app: TestApp, tenant: string, all: readonly Descriptor[]): Promise<string[]> {
  const { database, cellVault, clock } = app.platform
  const vault = await cellVault.of(tenant)
  const faces = all.map((descriptor, index) => {
    const id = idOf(3, index)
    return { id, descriptor: sealDescriptor(vault, detectedDescriptors, { tenant, id }, descriptor) }
  })
  for (let from = 0; from < faces.length; from += batch)
    await store.insertDetected(database, tenant, faces.slice(from, from + batch), clock.now())
  return faces.map(({ id }) => id)
}
