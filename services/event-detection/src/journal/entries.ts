import type { ModelRow } from '../evaluation/subject-store.ts'
import type { Happening } from '../evaluation/work.ts'
import type { NewEntry } from './store.ts'

/** Whose entry it is. */
export interface Concerned extends Pick<ModelRow, 'tenant' | 'kind' | 'name' | 'version'> {
  readonly key: string
}

export function entryOf(
  { tenant, kind: modelKind, name: modelName, version, key }: Concerned,
  kind: NewEntry['kind'],
  at: number,
  entry: object,
  { source, ordinal }: Pick<NewEntry, 'source' | 'ordinal'> = { source: undefined, ordinal: 0 },
): NewEntry {
  return { tenant, kind, modelKind, modelName, version, key, at, entry, source, ordinal }
}

/** The same mistake is written down so often at most, of all that is evaluated in one go. */
const errorsAtOnce = 10

/** What the journal says to a model's owner about what happened to an instance. */
export function entriesOf(
  { logging, ...model }: ModelRow,
  key: string,
  { message, at, step }: Happening,
  seen: Map<string, number>,
): NewEntry[] {
  const concerned = { ...model, key }
  const source = message?.source
  const entries = step.transitions.map(({ at: _, ...transition }, ordinal) =>
    entryOf(concerned, 'transition', at, transition, { source, ordinal }),
  )
  const wants = logging === null || (logging.enabled && isNamed(logging, model.name, key))
  if (!wants) return entries
  step.errors.forEach((error, ordinal) => {
    const same = `${model.generation} ${error.path}`
    const count = (seen.get(same) ?? 0) + 1
    seen.set(same, count)
    const about = message ? { messageId: message.messageId, ...error } : error
    if (count <= errorsAtOnce) entries.push(entryOf(concerned, 'error', at, about, { source, ordinal }))
  })
  if (message && logging?.level === 'DEBUG') {
    const { inputName, messageId } = message
    entries.push(entryOf(concerned, 'message', at, { inputName, messageId }, { source, ordinal: 0 }))
  }
  return entries
}

/** Options that name detectors are about those alone. */
const isNamed = ({ detectorDebugOptions }: NonNullable<ModelRow['logging']>, name: string, key: string) =>
  detectorDebugOptions === undefined ||
  detectorDebugOptions.some(
    (one) => one.detectorModelName === name && (one.keyValue === undefined || one.keyValue === key),
  )
