/** A message to one instance. */
export interface Entry {
  readonly modelId: string
  /** Empty if the model has no key. */
  readonly key: string
  readonly messageId: string
  readonly inputName: string
  /** Time of arrival, in epoch milliseconds. */
  readonly at: number
  /** Number of actions in the causal chain. */
  readonly depth: number
  /** JSON. */
  readonly payload: string
}

// ASCII separators of fields, records and groups, which neither JSON nor names contain.
const fieldEnd = '\x1f'
const recordEnd = '\x1e'
/** Separates bodies in one parameter. */
export const bodyEnd = '\x1d'

/** Many messages share a row, since one row each would cost more than the content. */
export function encodeEntry({ modelId, key, messageId, inputName, at, depth, payload }: Entry): string {
  return `${modelId}\x1f${key}\x1f${messageId}\x1f${inputName}\x1f${at}\x1f${depth}\x1f${payload}`
}

export const joinEntries = (encoded: readonly string[]) => encoded.join(recordEnd)

export const decodeEntries = (body: string): Entry[] => body.split(recordEnd).map(decodeEntry)

function decodeEntry(record: string): Entry {
  const [modelId = '', key = '', messageId = '', inputName = '', at = '', depth = '', payload = ''] =
    record.split(fieldEnd)
  return { modelId, key, messageId, inputName, at: Number(at), depth: Number(depth), payload }
}
