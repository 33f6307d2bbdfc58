import type { Catalog } from '../catalog/catalog.ts'
import type { Effect } from '../engine/types.ts'
import { type Letter, letterOf } from '../mailbox/route.ts'
import { contentOf, destinationsOf } from '../messages/read.ts'

/** How often messages may lead to one another: models that feed each other must come to an end. */
const deepest = 10

/** Turns an action into messages for the models that read its input, or says why it cannot. */
export function publish(
  { inputs }: Catalog,
  { id: messageId, target, payload }: Effect,
  { at, depth }: { readonly at: number; readonly depth: number },
): readonly Letter[] | string {
  const inputName = String(target.inputName)
  if (depth >= deepest) return `Messages have led to one another ${deepest} times: the models feed each other.`
  const input = inputs.get(inputName)
  if (!input) return `There is no input '${inputName}'.`
  const content = contentOf(payload)
  if (typeof content === 'string') return content
  const destinations = destinationsOf(input, content)
  if (typeof destinations === 'string') return destinations
  const message = { messageId, inputName, at, depth: depth + 1, payload: content.text }
  return destinations.map((destination) => letterOf({ ...destination, ...message }))
}
