import type { Catalog } from '../catalog/catalog.ts'
import type { Message, MessageError } from '../messages/contract.ts'
import { destinationsOf, readContent } from '../messages/read.ts'
import { invalidEntry } from '../shapes/batch.ts'
import { partitionCount, partitionOf } from './partition.ts'
import { type Entry, encodeEntry, joinEntries } from './segment.ts'
import type { Segment } from './store.ts'

/** Messages of a request, routed by a catalog. */
export interface Routed {
  readonly catalog: Catalog
  readonly envelopes: readonly Envelope[]
  readonly errors: readonly MessageError[]
}
/** An encoded message to one instance. */
export interface Envelope {
  readonly partition: number
  readonly text: string
}

export const envelopeOf = (entry: Entry): Envelope => ({
  partition: partitionOf(entry.modelId, entry.key),
  text: encodeEntry(entry),
})

export function route(catalog: Catalog, messages: readonly Message[], at: number): Routed {
  const envelopes: Envelope[] = []
  const errors: MessageError[] = []
  for (const { messageId, inputName, payload } of messages) {
    const error = routeMessage(catalog, { messageId, inputName, payload }, at, envelopes)
    if (error) errors.push({ messageId, ...error })
  }
  return { catalog, envelopes, errors }
}

function routeMessage(
  { inputs }: Catalog,
  { messageId, inputName, payload }: Message,
  at: number,
  envelopes: Envelope[],
): Omit<MessageError, 'messageId'> | undefined {
  const input = inputs.get(inputName)
  if (!input) return { errorCode: 'ResourceNotFoundException', errorMessage: `There is no input '${inputName}'.` }
  const content = readContent(payload)
  if (typeof content === 'string') return invalidEntry(content)
  const destinations = destinationsOf(input, content)
  if (typeof destinations === 'string') return invalidEntry(destinations)
  for (const { modelId, key } of destinations)
    envelopes.push(envelopeOf({ modelId, key, messageId, inputName, at, depth: 0, payload: content.text }))
}

const maxSegmentLength = 250

/** Groups messages of a tenant by partition, in order of arrival. */
export function segmentsOf(tenant: string, lists: readonly (readonly Envelope[])[]): Segment[] {
  const buckets = Array.from({ length: partitionCount }, (): string[] => [])
  for (const envelopes of lists) for (const { partition, text } of envelopes) buckets[partition]?.push(text)
  const segments: Segment[] = []
  buckets.forEach((texts, partition) => {
    for (let start = 0; start < texts.length; start += maxSegmentLength) {
      const chunk = texts.slice(start, start + maxSegmentLength)
      segments.push({ tenant, partition, messages: chunk.length, body: joinEntries(chunk) })
    }
  })
  return segments
}
