import type { ReadingContext } from '@icosa/kernel'
import { badArgument, collectionNotFound, notTrained, trainingNotFinished } from '../collections/failures.ts'
import type { Kind } from '../collections/names.ts'
import * as collections from '../collections/store.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import type { Limits } from '../matching/matcher.ts'
import * as faces from '../persisted-faces/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { type Gallery, idAt } from '../training/gallery.ts'

type Body = { readonly [param: string]: unknown }

/** Finds the collection that a request names, by `personGroupId` or `largePersonGroupId`, for example. */
export async function collectionIn({ db, caller }: ReadingContext, body: Body, ...kinds: readonly Kind[]) {
  const [kind, second] = kinds.filter(({ param }) => body[param] !== undefined)
  if (!kind || second) badArgument(`Send exactly one of ${kinds.map(({ param }) => param).join(' and ')}.`)
  const id = body[kind.param] as string
  const collection = (await collections.find(db, caller.tenant, kind, id)) ?? collectionNotFound(kind, id)
  return { kind, collection }
}

/** Gallery of the last successful training; one in progress has no effect yet. */
export async function galleryOf(context: ReadingContext<ServiceRuntime>, kind: Kind, row: collections.Collection) {
  const { runtime, db, caller } = context
  let collection = row
  for (let attempt = 1; ; attempt++) {
    const { id, gallery, galleryFaces, trainingStatus } = collection
    if (gallery === null || galleryFaces === null)
      return trainingStatus === 'running' ? trainingNotFinished(kind, id) : notTrained(kind, id)
    try {
      return await runtime.galleries.get(context, gallery, galleryFaces)
    } catch (error) {
      // A training may have replaced it since.
      collection = (await collections.find(db, caller.tenant, kind, id)) ?? collectionNotFound(kind, id)
      if (attempt === 3 || collection.gallery === gallery) throw error
    }
  }
}

export interface Match {
  /** The nearest face of a person; in a list, the face. */
  readonly face: string
  readonly person: string
  readonly distance: number
}

/**
 * Finds the nearest persons of a gallery, or faces of a list, for each probe, without those deleted since the training. One
 * query checks all of them.
 */
export async function matches(
  context: ReadingContext<ServiceRuntime>,
  collection: collections.Collection,
  gallery: Gallery,
  probes: readonly Descriptor[],
  { maxPersons, maxDistance }: Limits,
  searchSize = maxPersons,
): Promise<Match[][]> {
  const { runtime, db, caller } = context
  const search = async (probe: Descriptor) => {
    const near = await runtime.matcher.nearest(caller.tenant, gallery, probe, { maxPersons: searchSize, maxDistance })
    return near.map(({ face, distance }) => ({
      face: idAt(gallery.ids, face),
      person: idAt(gallery.persons, face),
      distance,
    }))
  }
  const candidates = await Promise.all(probes.map(search))
  const flat = candidates.flat()
  const existing = flat.length === 0 ? new Set() : await faces.existing(db, caller.tenant, collection.uid, flat)
  const results = candidates.map(async (all, index) => {
    const remaining = all.filter(({ face }) => existing.has(face))
    if (remaining.length >= maxPersons || all.length < searchSize) return remaining.slice(0, maxPersons)
    const probe = probes[index] as Descriptor
    const limits = { maxPersons, maxDistance }
    return (await matches(context, collection, gallery, [probe], limits, 4 * searchSize))[0] as Match[]
  })
  return Promise.all(results)
}
