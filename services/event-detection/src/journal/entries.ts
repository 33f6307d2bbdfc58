import type { ModelRow } from '../evaluation/subject-store.ts'
import type { TriggerResult } from '../evaluation/work.ts'
import type { NewEntry } from './store.ts'

/** Identifies an instance by its model. */
export interface InstanceRef extends Pick<ModelRow, 'tenant' | 'kind' | 'name' | 'version'> {
  readonly key: string
}

export function entryOf(
  { tenant, kind: modelKind, name: modelName, version, key }: InstanceRef,
  kind: NewEntry['kind'],
  at: number,
  entry: object,
  { source, ordinal }: Pick<NewEntry, 'source' | 'ordinal'> = { source: undefined, ordinal: 0 },
): NewEntry {
  return { tenant, kind, modelKind, modelName, version, key, at, entry, source, ordinal }
}

/** Limit of identical errors per turn. */
const maxRepeatedErrors = 10

/** Journal entries of a result, according to the logging options. */
export function entriesOf(
  { logging, ...model }: ModelRow,
  key: string,
  { message, at, step }: TriggerResult,
  errorCounts: Map<string, number>,
): NewEntry[] {
  const instance = { ...model, key }
  const source = message?.source
  const entries = step.transitions.map(({ at: _, ...transition }, ordinal) =>
    entryOf(instance, 'transition', at, transition, { source, ordinal }),
  )
  const isLogged = logging === null || (logging.enabled && isSelected(logging, model.name, key))
  if (!isLogged) return entries
  step.errors.forEach((error, ordinal) => {
    const errorKey = `${model.generation} ${error.path}`
    const count = (errorCounts.get(errorKey) ?? 0) + 1
    errorCounts.set(errorKey, count)
    const content = message ? { messageId: message.messageId, ...error } : error
    if (count <= maxRepeatedErrors) entries.push(entryOf(instance, 'error', at, content, { source, ordinal }))
  })
  if (message && logging?.level === 'DEBUG') {
    const { inputName, messageId } = message
    entries.push(entryOf(instance, 'message', at, { inputName, messageId }, { source, ordinal: 0 }))
  }
  return entries
}

/** `detectorDebugOptions` restrict logging to the listed detectors. */
const isSelected = ({ detectorDebugOptions }: NonNullable<ModelRow['logging']>, name: string, key: string) =>
  detectorDebugOptions === undefined ||
  detectorDebugOptions.some(
    (option) => option.detectorModelName === name && (option.keyValue === undefined || option.keyValue === key),
  )
