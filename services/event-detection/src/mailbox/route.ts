import type { Catalog } from '../catalog/catalog.ts'
import type { Message, MessageError } from '../messages/contract.ts'
import { destinationsOf, readContent } from '../messages/read.ts'
import { refused } from '../shapes/batch.ts'
import { partitionCount, partitionOf } from './partition.ts'
import { type Entry, encodeEntry, joinEntries } from './segment.ts'
import type { Segment } from './store.ts'

/** Messages of a request as a catalog routes them. */
export interface Routed {
  readonly catalog: Catalog
  readonly letters: readonly Letter[]
  readonly errors: readonly MessageError[]
}
/** A message on its way to one instance, as it is written. */
export interface Letter {
  readonly partition: number
  readonly text: string
}

export const letterOf = (entry: Entry): Letter => ({
  partition: partitionOf(entry.modelId, entry.key),
  text: encodeEntry(entry),
})

export function route(catalog: Catalog, messages: readonly Message[], at: number): Routed {
  const letters: Letter[] = []
  const errors: MessageError[] = []
  for (const { messageId, inputName, payload } of messages) {
    const wrong = routeOne(catalog, { messageId, inputName, payload }, at, letters)
    if (wrong) errors.push({ messageId, ...wrong })
  }
  return { catalog, letters, errors }
}

function routeOne(
  { inputs }: Catalog,
  { messageId, inputName, payload }: Message,
  at: number,
  letters: Letter[],
): Omit<MessageError, 'messageId'> | undefined {
  const input = inputs.get(inputName)
  if (!input) return { errorCode: 'ResourceNotFoundException', errorMessage: `There is no input '${inputName}'.` }
  const content = readContent(payload)
  if (typeof content === 'string') return refused(content)
  const destinations = destinationsOf(input, content)
  if (typeof destinations === 'string') return refused(destinations)
  for (const { modelId, key } of destinations)
    letters.push(letterOf({ modelId, key, messageId, inputName, at, depth: 0, payload: content.text }))
}

const maxSegmentLength = 250

/** Letters of a tenant by partition, in the order in which they came. */
export function segmentsOf(tenant: string, all: readonly (readonly Letter[])[]): Segment[] {
  const buckets = Array.from({ length: partitionCount }, (): string[] => [])
  for (const letters of all) for (const { partition, text } of letters) buckets[partition]?.push(text)
  const segments: Segment[] = []
  buckets.forEach((texts, partition) => {
    for (let start = 0; start < texts.length; start += maxSegmentLength) {
      const some = texts.slice(start, start + maxSegmentLength)
      segments.push({ tenant, partition, messages: some.length, body: joinEntries(some) })
    }
  })
  return segments
}
