import { expect, test } from 'vitest'
import type { Descriptor } from '../engine/look/describe.ts'
import { anotherPhotoOf, generator, somebody } from '../testing/synthetic.ts'
import { dimensions } from '../training/gallery.ts'
import { boundOf, nearest, type Search } from './nearest.ts'
import { openScan, type Range } from './scan.ts'
import { sketchesOf } from './sketches.ts'

const random = generator(11)
const scan = openScan()

/** Persons with some faces each, as threads get them. */
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
  return { descriptors, starts, sketches: sketchesOf(descriptors, starts), persons: { from: 0, to: persons.length } }
}

const within = Number.POSITIVE_INFINITY
const find = (search: Omit<Search, 'bound'>) => nearest({ ...search, bound: boundOf(search.within) }, scan)

test('with sketches, the same are found at the same distances as without', () => {
  const everybody = Array.from({ length: 20_000 }, () => somebody(random))
  const gallery = galleryOf(everybody.map((one) => [one]))
  for (let i = 0; i < 50; i++) {
    const probe = anotherPhotoOf(everybody[i * 397] as Descriptor, random)
    const [found] = find({ ...gallery, probe, most: 1, within })
    expect(found).toEqual(find({ ...gallery, sketches: undefined, probe, most: 1, within })[0])
    expect(find({ ...gallery, probe, most: 1, within: (found?.distance ?? 0) - 1e-6 })).toEqual([])
  }
})

test('each of the nearest persons is found once, though others have more faces near', () => {
  const friends = Array.from({ length: 20 }, () => somebody(random))
  const photos = friends.map((one) => Array.from({ length: 248 }, () => anotherPhotoOf(one, random)))
  const others = Array.from({ length: 10_000 }, () => [somebody(random)])
  const gallery = galleryOf([...photos, ...others])
  const probe = anotherPhotoOf(friends[3] as Descriptor, random)
  const found = find({ ...gallery, probe, most: 5, within })
  expect(found).toHaveLength(5)
  const exact = find({ ...gallery, sketches: undefined, probe, most: 5, within })
  expect(found[0]).toEqual(exact[0])
  expect(Math.floor((found[0]?.face ?? 0) / 248)).toBe(3)
  const persons = found.map(({ face }) => (face < 20 * 248 ? Math.floor(face / 248) : face))
  expect(new Set(persons).size).toBe(5)
})

test('where all are alike, somebody is found, and any number of persons', () => {
  const one = somebody(random)
  const gallery = galleryOf(Array.from({ length: 12_000 }, () => [one]))
  expect(find({ ...gallery, probe: one, most: 12_000, within })).toHaveLength(12_000)
  expect(find({ ...gallery, probe: one, most: 3, within: 0 })).toMatchObject([{}, {}, {}])
  expect(find({ ...gallery, probe: one, most: 3, within: -1 })).toEqual([])
})

test('what is found in the parts of a gallery is what is found in the whole', () => {
  const persons = Array.from({ length: 12_000 }, (_, i) => Array.from({ length: 1 + (i % 3) }, () => somebody(random)))
  const gallery = galleryOf(persons)
  const parts = [0, 1, 5_000, 12_000].map((from, i, all) => ({ from, to: all[i + 1] ?? from })).slice(0, -1)
  for (const person of [0, 1, 4_999, 5_000, 11_999])
    for (const most of [1, 5]) {
      const probe = anotherPhotoOf(persons[person]?.at(-1) as Descriptor, random)
      const bound = boundOf(within)
      const found = parts.flatMap((part) => nearest({ ...gallery, persons: part, probe, most, within, bound }, scan))
      const best = found.toSorted((p, q) => p.distance - q.distance).slice(0, most)
      expect(best).toEqual(find({ ...gallery, sketches: undefined, probe, most, within }))
    }
})

test('a part looks no farther than the farthest that another one has found', () => {
  const everybody = Array.from({ length: 24_000 }, () => somebody(random))
  const gallery = galleryOf(everybody.map((one) => [one]))
  const probe = anotherPhotoOf(everybody[0] as Descriptor, random)
  const [first, second] = [0, 12_000].map((from) => ({ from, to: from + 12_000 })) as [Range, Range]
  const bound = boundOf(within)
  const search = { ...gallery, probe, most: 1, within }
  expect(find({ ...search, persons: second })).toHaveLength(1)
  expect(nearest({ ...search, persons: first, bound }, scan)).toMatchObject([{ face: 0 }])
  expect(nearest({ ...search, persons: second, bound }, scan)).toEqual([])
})
