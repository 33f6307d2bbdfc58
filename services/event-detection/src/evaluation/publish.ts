import type { Catalog } from '../catalog/catalog.ts'
import type { Effect } from '../engine/types.ts'
import { type Envelope, envelopeOf } from '../mailbox/route.ts'
import { contentOf, destinationsOf } from '../messages/read.ts'

/** Maximum chain of messages caused by messages, to stop loops. */
const maxDepth = 10

/** Turns an action into messages for the models that read its input, or returns an error message. */
export function publish(
  { inputs }: Catalog,
  { id: messageId, target, payload }: Effect,
  { at, depth }: { readonly at: number; readonly depth: number },
): readonly Envelope[] | string {
  const inputName = String(target.inputName)
  if (depth >= maxDepth) return `Messages have triggered each other ${maxDepth} times: the models feed each other.`
  const input = inputs.get(inputName)
  if (!input) return `There is no input '${inputName}'.`
  const content = contentOf(payload)
  if (typeof content === 'string') return content
  const destinations = destinationsOf(input, content)
  if (typeof destinations === 'string') return destinations
  const message = { messageId, inputName, at, depth: depth + 1, payload: content.text }
  return destinations.map((destination) => envelopeOf({ ...destination, ...message }))
}
