import { Failure, implement, ok, type ReadingContext, type Resource } from '@icosa/kernel'
import { badArgument } from '../collections/failures.ts'
import { faceList, largeFaceList, largePersonGroup, personGroup } from '../collections/names.ts'
import { confidenceOf, distance, distanceAt, isIdentified, isSame, samePerson } from '../descriptors/confidence.ts'
import { openDescriptor, persistedDescriptors } from '../descriptors/sealing.ts'
import { type DetectedDescriptor, detectedFaces, differentModels } from '../detection/detected.ts'
import type { Limits } from '../matching/matcher.ts'
import * as faces from '../persisted-faces/store.ts'
import { personNotFound } from '../persons/handlers.ts'
import * as persons from '../persons/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { collectionIn, galleryOf, type Match, matches } from './chosen.ts'
import {
  comparison as contract,
  type FindSimilarRequest,
  type IdentifyRequest,
  type VerifyRequest,
} from './contract.ts'

type Reading = ReadingContext<ServiceRuntime>

const defaultSimilar = 20

/** Distance to the nearest of a person's faces. */
async function distanceToPerson(context: Reading, faceId: string, body: VerifyRequest): Promise<number> {
  const { db, caller } = context
  const { collection } = await collectionIn(context, body, personGroup, largePersonGroup)
  const { personId = badArgument('Send the personId, too.') } = body
  if (!(await persons.find(db, caller.tenant, collection.uid, personId))) personNotFound(personId)
  const {
    model,
    faces: [probe],
  } = await detectedFaces(context, [faceId])
  if (model !== collection.recognitionModel) differentModels()
  const rows = await faces.sealed(db, caller.tenant, collection.uid, personId)
  if (rows.length === 0) badArgument(`The person '${personId}' has no faces: add some.`)
  const vault = await context.tenantVault()
  const distances = rows.map(({ id, descriptor }) => {
    const persisted = openDescriptor(vault, persistedDescriptors, { tenant: caller.tenant, id }, descriptor)
    return distance((probe as DetectedDescriptor).descriptor, persisted)
  })
  return Math.min(...distances)
}

async function distanceOf(context: Reading, body: VerifyRequest, mayIdentify: () => void): Promise<number> {
  const { faceId1, faceId2, faceId } = body
  if (faceId !== undefined) {
    mayIdentify()
    return distanceToPerson(context, faceId, body)
  }
  if (faceId1 === undefined || faceId2 === undefined)
    badArgument('Send faceId1 and faceId2, or faceId, personId and the group of the person.')
  const [first, second] = (await detectedFaces(context, [faceId1, faceId2])).faces
  return distance((first as DetectedDescriptor).descriptor, (second as DetectedDescriptor).descriptor)
}

async function identify(context: Reading, body: IdentifyRequest) {
  const { maxNumOfCandidatesReturned: maxPersons = 1, confidenceThreshold: threshold = isIdentified } = body
  const { kind, collection } = await collectionIn(context, body, personGroup, largePersonGroup)
  const gallery = await galleryOf(context, kind, collection)
  const { model, faces: probes } = await detectedFaces(context, body.faceIds)
  if (model !== collection.recognitionModel) differentModels()
  const descriptors = probes.map(({ descriptor }) => descriptor)
  const limits = { maxPersons, maxDistance: distanceAt(threshold) }
  const results = await matches(context, collection, gallery, descriptors, limits)
  return probes.map(({ id }, index) => ({
    faceId: id,
    candidates: (results[index] as Match[]).map(({ person, distance: apart }) => ({
      personId: person,
      confidence: confidenceOf(apart),
    })),
  }))
}

/** Compares a face with other detected faces. */
async function similarDetected(context: Reading, { faceId, faceIds = [] }: FindSimilarRequest) {
  const {
    faces: [probe, ...others],
  } = await detectedFaces(context, [faceId, ...faceIds])
  return others.map(({ id, descriptor }) => ({
    faceId: id,
    distance: distance((probe as DetectedDescriptor).descriptor, descriptor),
  }))
}

/** Searches the faces of a small list, or the gallery of a large one. */
async function similarPersisted(context: Reading, body: FindSimilarRequest, limits: Limits) {
  const { db, caller } = context
  const { kind, collection } = await collectionIn(context, body, faceList, largeFaceList)
  const gallery = kind === largeFaceList ? await galleryOf(context, kind, collection) : undefined
  const {
    model,
    faces: [probe],
  } = await detectedFaces(context, [body.faceId])
  if (model !== collection.recognitionModel) differentModels()
  const { descriptor } = probe as DetectedDescriptor
  if (gallery) {
    const [near = []] = await matches(context, collection, gallery, [descriptor], limits)
    return near.map(({ face, distance: apart }) => ({ persistedFaceId: face, distance: apart }))
  }
  const rows = await faces.sealed(db, caller.tenant, collection.uid)
  const vault = await context.tenantVault()
  return rows.map(({ id, descriptor: sealed }) => ({
    persistedFaceId: id,
    distance: distance(descriptor, openDescriptor(vault, persistedDescriptors, { tenant: caller.tenant, id }, sealed)),
  }))
}

export interface ComparisonOptions {
  /** Whether the operator allows comparing faces with persons. */
  readonly identification: boolean
}

export function comparison({ identification }: ComparisonOptions): Resource<ServiceRuntime> {
  const mayIdentify = () => {
    if (identification) return
    throw new Failure('forbidden', 'The operator of this platform has switched identification off.', {
      code: 'IdentificationDisabled',
    })
  }
  return implement<typeof contract, ServiceRuntime>(contract, {
    async verify({ body }, context) {
      const confidence = confidenceOf(await distanceOf(context, body, mayIdentify))
      return ok({ isIdentical: confidence >= isSame, confidence })
    },

    async identify({ body }, context) {
      mayIdentify()
      return ok(await identify(context, body))
    },

    async findSimilar({ body }, context) {
      const { faceIds, maxNumOfCandidatesReturned: maxPersons = defaultSimilar, mode = 'matchPerson' } = body
      const maxDistance = mode === 'matchPerson' ? samePerson : Number.POSITIVE_INFINITY
      const limits = { maxPersons, maxDistance }
      const isList = body.faceListId !== undefined || body.largeFaceListId !== undefined
      if (faceIds && isList) badArgument('Send faceIds or a list, not both.')
      const similar = faceIds ? await similarDetected(context, body) : await similarPersisted(context, body, limits)
      const near = similar.filter(({ distance: apart }) => apart <= maxDistance)
      return ok(
        near
          .toSorted((p, q) => p.distance - q.distance)
          .slice(0, maxPersons)
          .map(({ distance: apart, ...face }) => ({ ...face, confidence: confidenceOf(apart) })),
      )
    },

    async group({ body: { faceIds } }, context) {
      const { faces: probes } = await detectedFaces(context, [...new Set(faceIds)])
      const groups = await context.runtime.matcher.groups(
        context.caller.tenant,
        probes.map(({ descriptor }) => descriptor),
        samePerson,
      )
      const ids = groups.map((indices) => indices.map((index) => (probes[index] as DetectedDescriptor).id))
      const messyGroup = ids.filter(({ length }) => length === 1).flat()
      return ok({
        groups: ids.filter(({ length }) => length > 1),
        ...(messyGroup.length > 0 && { messyGroup }),
      })
    },
  })
}
