import type { TestApp } from '@icosa/testing'
import { detectedDescriptors, persistedDescriptors, sealDescriptor } from '../descriptors/sealing.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import * as store from './synthetic-store.ts'

/** Numbers from -1 to 1 that are the same every time, most of them small. */
export function generator(seed: number): () => number {
  let state = seed
  const uniform = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

/** As far from each other as descriptors of two persons are: 0.9 or so. */
export const somebody = (random: () => number): Descriptor => Float32Array.from({ length: 128 }, () => 0.056 * random())

/** As far as those of two photos of one person: 0.4 or so. */
export const anotherPhotoOf = (one: Descriptor, random: () => number): Descriptor =>
  one.map((value) => value + 0.025 * random())

/** Numbered ids: 00000000-0000-4000-8000-000000000007. */
export const idOf = (kind: number, index: number): string =>
  `0000000${kind}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`

const batch = 1_000

/** Puts persons with one face each into a group, without photos. Answers the faces. */
export async function addPersons(app: TestApp, tenant: string, personGroupId: string, all: readonly Descriptor[]) {
  const { database, vault, clock } = app.platform
  const collection = await store.collectionOf(database, tenant, personGroupId)
  for (let from = 0; from < all.length; from += batch) {
    const faces = all.slice(from, from + batch).map((descriptor, i) => {
      const id = idOf(1, from + i)
      const sealed = sealDescriptor(vault, persistedDescriptors, { tenant, id }, descriptor)
      return { id, person: idOf(2, from + i), descriptor: sealed }
    })
    await store.insertPersons(database, tenant, collection, faces, clock.now())
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
