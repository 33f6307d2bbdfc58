import { type Context, implement, notFound, ok } from '@icosa/kernel'
import { findModel } from '../catalog/find-model.ts'
import type { Model } from '../catalog/model-store.ts'
import { stateFromInput, toStateView } from '../engine/state.ts'
import type { DetectorState } from '../engine/types.ts'
import type { DetectorSubject } from '../evaluation/subjects.ts'
import { lockAddressed } from '../instances/addressed.ts'
import type { Instance } from '../instances/store.ts'
import * as instances from '../instances/store.ts'
import { entryOf } from '../journal/entries.ts'
import * as journal from '../journal/store.ts'
import { partitionOf } from '../mailbox/partition.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { checkIds, invalidEntry, missingEntry } from '../shapes/batch.ts'
import { seconds } from '../shapes/time.ts'
import {
  type DeleteDetectorRequest,
  type Detector,
  type DetectorSummary,
  detectors,
  type UpdateDetectorRequest,
} from './contract.ts'

type Request = DeleteDetectorRequest

export const detectorOperations = implement<typeof detectors, ServiceRuntime>(detectors, {
  async BatchUpdateDetector({ body }, context) {
    const find = await lockDetectors(context, body.detectors)
    const batchUpdateDetectorErrorEntries = []
    const changes: Change[] = []
    for (const request of body.detectors) {
      const detector = find(request)
      const problem = detector?.subject.rules.problemWith(request.state)
      const error = detector ? problem && invalidEntry(problem) : absent(request)
      if (error) batchUpdateDetectorErrorEntries.push({ messageId: request.messageId, ...error })
      else if (detector) changes.push({ ...detector, request })
    }
    await write(context, changes)
    return ok({ batchUpdateDetectorErrorEntries })
  },

  async BatchDeleteDetector({ body }, context) {
    const find = await lockDetectors(context, body.detectors)
    const existing = body.detectors.flatMap((request) => find(request)?.instance ?? [])
    await instances.remove(context.db, existing)
    const missing = body.detectors.filter((request) => !find(request))
    const batchDeleteDetectorErrorEntries = missing.map((request) => ({
      messageId: request.messageId,
      ...absent(request),
    }))
    return ok({ batchDeleteDetectorErrorEntries })
  },

  async DescribeDetector({ params, query: { keyValue = '' } }, { db, caller: { tenant } }) {
    const model = await findModel(db, tenant, 'detector', params.detectorModelName)
    const instance = await instances.find(db, { tenant, generation: model.generation, key: keyValue })
    return ok({ detector: toDetector(model, instance ?? notFound(`detector of ${model.name}`, keyValue)) })
  },

  async ListDetectors({ params, query }, { db, caller: { tenant } }) {
    const model = await findModel(db, tenant, 'detector', params.detectorModelName)
    const { items, next } = await instances.list(db, model, query)
    return ok({ detectorSummaries: items.map((instance) => toDetectorSummary(model, instance)) }, { next })
  },
})

/** Locks existing detectors. Returns a lookup function. */
async function lockDetectors({ db, caller, runtime }: Context<ServiceRuntime>, requests: readonly Request[]) {
  checkIds(
    requests.map(({ messageId }) => messageId),
    'body/detectors',
  )
  const { subjects } = runtime
  const find = await lockAddressed<DetectorSubject>(db, subjects, caller.tenant, 'detector', requests.map(addressOf))
  return (request: Request) => find(addressOf(request))
}

const addressOf = ({ detectorModelName, keyValue }: Request) => ({ modelName: detectorModelName, keyValue })
const absent = ({ detectorModelName, keyValue }: Request) => missingEntry('detector', keyValue, detectorModelName)

interface Change {
  readonly subject: DetectorSubject
  readonly instance: instances.LockedInstance
  readonly request: UpdateDetectorRequest
}

/** Sets states without triggering events. Timers that are set will fire. */
async function write({ db, clock }: Context, changes: readonly Change[]): Promise<void> {
  const now = clock.now()
  const rows = new Map<string, instances.InstanceUpdate>()
  const entries: journal.NewEntry[] = []
  for (const { subject, instance, request } of changes) {
    const { tenant, generation, key, row } = instance
    const state = stateFromInput(request.state, instance.state as DetectorState, now.getTime())
    const { stateName } = state
    const from = rows.get(`${generation} ${key}`)?.stateName ?? instance.stateName
    const dueAt = subject.rules.dueAt(state)
    const partition = partitionOf(subject.id, key)
    rows.set(`${generation} ${key}`, { tenant, generation, key, partition, stateName, state, dueAt, row })
    if (from === stateName) continue
    const transition = { from, to: stateName, eventName: 'BatchUpdateDetector', messageId: request.messageId }
    entries.push(entryOf({ ...subject, key }, 'transition', now.getTime(), transition))
  }
  await instances.write(db, [...rows.values()], now)
  await journal.write(db, entries)
}

function toDetector(model: Model, instance: Instance): Detector {
  const { stateName, variables, timers } = toStateView(instance.state as DetectorState)
  return { ...common(model, instance), state: { stateName, variables: [...variables], timers: [...timers] } }
}

const toDetectorSummary = (model: Model, instance: Omit<Instance, 'state'>): DetectorSummary => ({
  ...common(model, instance),
  state: { stateName: instance.stateName },
})

const common = ({ name, version }: Model, { key, createdAt, updatedAt }: Omit<Instance, 'state'>) => ({
  detectorModelName: name,
  ...(key !== '' && { keyValue: key }),
  detectorModelVersion: String(version),
  creationTime: seconds(createdAt),
  lastUpdateTime: seconds(updatedAt),
})
