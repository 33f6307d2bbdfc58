import type { ReadingContext } from '@icosa/kernel'
import { badArgument, collectionNotFound, notTrained, trainingNotFinished } from '../collections/failures.ts'
import type { Kind } from '../collections/names.ts'
import * as collections from '../collections/store.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import type { Limits } from '../matching/matcher.ts'
import * as faces from '../persisted-faces/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { type Gallery, idAt } from '../training/gallery.ts'

type Chosen = { readonly [param: string]: unknown }

/** The one of several kinds that a request names: `personGroupId` or `largePersonGroupId`. */
export async function chosen({ db, caller }: ReadingContext, body: Chosen, ...kinds: readonly Kind[]) {
  const [kind, another] = kinds.filter(({ param }) => body[param] !== undefined)
  if (!kind || another) badArgument(`Send exactly one of ${kinds.map(({ param }) => param).join(' and ')}.`)
  const id = body[kind.param] as string
  const collection = (await collections.find(db, caller.tenant, kind, id)) ?? collectionNotFound(kind, id)
  return { kind, collection }
}

/** What was learnt of it last. A training that goes on changes nothing until it is done. */
export async function galleryOf(context: ReadingContext<ServiceRuntime>, kind: Kind, known: collections.Collection) {
  const { runtime, db, caller } = context
  let collection = known
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
 * Of each face that is looked for, the nearest persons of a gallery, or faces of a list, without those that were deleted since
 * it was trained. One query asks for all of them who is still there.
 */
export async function matches(
  context: ReadingContext<ServiceRuntime>,
  collection: collections.Collection,
  gallery: Gallery,
  probes: readonly Descriptor[],
  { maxPersons, maxDistance }: Limits,
  searched = maxPersons,
): Promise<Match[][]> {
  const { runtime, db, caller } = context
  const search = async (probe: Descriptor) => {
    const near = await runtime.matcher.nearest(caller.tenant, gallery, probe, { maxPersons: searched, maxDistance })
    return near.map(({ face, distance }) => ({
      face: idAt(gallery.ids, face),
      person: idAt(gallery.persons, face),
      distance,
    }))
  }
  const found = await Promise.all(probes.map(search))
  const known = found.flat()
  const there = known.length === 0 ? new Set() : await faces.existing(db, caller.tenant, collection.uid, known)
  const results = found.map(async (all, index) => {
    const left = all.filter(({ face }) => there.has(face))
    if (left.length >= maxPersons || all.length < searched) return left.slice(0, maxPersons)
    const probe = probes[index] as Descriptor
    const limits = { maxPersons, maxDistance }
    return (await matches(context, collection, gallery, [probe], limits, 4 * searched))[0] as Match[]
  })
  return Promise.all(results)
}
