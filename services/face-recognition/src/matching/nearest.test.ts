import { expect, test } from 'vitest'
import type { Descriptor } from '../engine/look/describe.ts'
import { anotherPhotoOf, generator, randomDescriptor } from '../testing/synthetic.ts'
import { dimensions } from '../training/gallery.ts'
import { boundOf, nearest, type Search } from './nearest.ts'
import { openScan, type Range } from './scan.ts'
import { signaturesOf } from './signatures.ts'

const random = generator(11)
const scan = openScan()

/** Lays out the faces of persons in shared memory, as threads get them. */
function galleryOf(persons: readonly (readonly Descriptor[])[]) {
  const faces = persons.flat()
  const descriptors = new SharedArrayBuffer(faces.length * dimensions * 4)
  for (const [index, face] of faces.entries()) new Float32Array(descriptors).set(face, index * dimensions)
  const starts = new SharedArrayBuffer((persons.length + 1) * 4)
  let next = 0
  for (const [index, { length }] of [...persons, []].entries()) {
    new Int32Array(starts)[index] = next
    next += length
  }
  return {
    descriptors,
    starts,
    signatures: signaturesOf(descriptors, starts),
    persons: { from: 0, to: persons.length },
  }
}

const maxDistance = Number.POSITIVE_INFINITY
const find = (search: Omit<Search, 'bound'>) => nearest({ ...search, bound: boundOf(search.maxDistance) }, scan)

test('the index finds the same faces at the same distances as an exhaustive search', () => {
  const persons = Array.from({ length: 20_000 }, () => randomDescriptor(random))
  const gallery = galleryOf(persons.map((face) => [face]))
  for (let i = 0; i < 50; i++) {
    const probe = anotherPhotoOf(persons[i * 397] as Descriptor, random)
    const [match] = find({ ...gallery, probe, maxPersons: 1, maxDistance })
    expect(match).toEqual(find({ ...gallery, signatures: undefined, probe, maxPersons: 1, maxDistance })[0])
    expect(find({ ...gallery, probe, maxPersons: 1, maxDistance: (match?.distance ?? 0) - 1e-6 })).toEqual([])
  }
})

test('each of the nearest persons is found once, even if others have more faces nearby', () => {
  const friends = Array.from({ length: 20 }, () => randomDescriptor(random))
  const photos = friends.map((friend) => Array.from({ length: 248 }, () => anotherPhotoOf(friend, random)))
  const others = Array.from({ length: 10_000 }, () => [randomDescriptor(random)])
  const gallery = galleryOf([...photos, ...others])
  const probe = anotherPhotoOf(friends[3] as Descriptor, random)
  const matches = find({ ...gallery, probe, maxPersons: 5, maxDistance })
  expect(matches).toHaveLength(5)
  const exact = find({ ...gallery, signatures: undefined, probe, maxPersons: 5, maxDistance })
  expect(matches[0]).toEqual(exact[0])
  expect(Math.floor((matches[0]?.face ?? 0) / 248)).toBe(3)
  const persons = matches.map(({ face }) => (face < 20 * 248 ? Math.floor(face / 248) : face))
  expect(new Set(persons).size).toBe(5)
})

test('identical faces are found, for any number of persons', () => {
  const face = randomDescriptor(random)
  const gallery = galleryOf(Array.from({ length: 12_000 }, () => [face]))
  expect(find({ ...gallery, probe: face, maxPersons: 12_000, maxDistance })).toHaveLength(12_000)
  expect(find({ ...gallery, probe: face, maxPersons: 3, maxDistance: 0 })).toMatchObject([{}, {}, {}])
  expect(find({ ...gallery, probe: face, maxPersons: 3, maxDistance: -1 })).toEqual([])
})

test('searching the parts of a gallery finds the same as searching the whole', () => {
  const persons = Array.from({ length: 12_000 }, (_, i) =>
    Array.from({ length: 1 + (i % 3) }, () => randomDescriptor(random)),
  )
  const gallery = galleryOf(persons)
  const parts = [0, 1, 5_000, 12_000].map((from, i, all) => ({ from, to: all[i + 1] ?? from })).slice(0, -1)
  for (const person of [0, 1, 4_999, 5_000, 11_999])
    for (const maxPersons of [1, 5]) {
      const probe = anotherPhotoOf(persons[person]?.at(-1) as Descriptor, random)
      const bound = boundOf(maxDistance)
      const search = { ...gallery, probe, maxPersons, maxDistance }
      const matches = parts.flatMap((part) => nearest({ ...search, persons: part, bound }, scan))
      const best = matches.toSorted((p, q) => p.distance - q.distance).slice(0, maxPersons)
      expect(best).toEqual(find({ ...search, signatures: undefined }))
    }
})

test('a part searches no farther than the worst result of another one', () => {
  const persons = Array.from({ length: 24_000 }, () => randomDescriptor(random))
  const gallery = galleryOf(persons.map((face) => [face]))
  const probe = anotherPhotoOf(persons[0] as Descriptor, random)
  const [first, second] = [0, 12_000].map((from) => ({ from, to: from + 12_000 })) as [Range, Range]
  const bound = boundOf(maxDistance)
  const search = { ...gallery, probe, maxPersons: 1, maxDistance }
  expect(find({ ...search, persons: second })).toHaveLength(1)
  expect(nearest({ ...search, persons: first, bound }, scan)).toMatchObject([{ face: 0 }])
  expect(nearest({ ...search, persons: second, bound }, scan)).toEqual([])
})
