/** A message on its way to one instance. */
export interface Entry {
  readonly modelId: string
  /** Empty where the model has no key. */
  readonly key: string
  readonly messageId: string
  readonly inputName: string
  /** When it came, in epoch milliseconds. */
  readonly at: number
  /** How many actions led to it, one to the next. */
  readonly depth: number
  /** JSON. */
  readonly payload: string
}

// ASCII has characters to separate fields, records and groups of them. JSON holds none of them, and names do not either.
const fieldEnd = '\x1f'
const recordEnd = '\x1e'
/** Separates bodies that are sent in one value. */
export const bodyEnd = '\x1d'

/** Messages as they wait in the mailbox, many in one text: rows of their own would cost more than their content. */
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
