import { type Answer, type Call, jsonReader } from '../data-plane/call.ts'
import { failed, holds } from '../data-plane/conditions.ts'
import { readSelect } from '../data-plane/query.ts'
import { mementoHeaders, readAsOf } from '../data-plane/time.ts'
import { absent } from './absent.ts'
import { answerWith, change, demandUnlocked, headersOf } from './change.ts'
import { fields, NewContent, readContent, readIdentity } from './shown.ts'
import * as store from './store.ts'

export async function getKeyValue(call: Call): Promise<Answer> {
  const { platform, headers } = call
  const identity = readIdentity(call)
  const select = readSelect(call.query, fields)
  const asOf = readAsOf(headers)
  const found = asOf
    ? store.find(platform.database, call.store, identity, asOf)
    : call.findKeyValue(call.store, identity)
  const revision = (await found) ?? absent(identity)
  const state = holds(headers, revision.etag)
  if (state === 'mismatch') failed()
  if (state === 'unchanged') return { status: 304, headers: headersOf(revision), sequence: revision.number }
  const answer = answerWith(revision, select)
  const links = asOf && { link: `</kv/${encodeURIComponent(revision.key)}>; rel="original"` }
  return { ...answer, headers: { ...answer.headers, ...mementoHeaders(asOf), ...links } }
}

const readBody = jsonReader(NewContent)

export async function putKeyValue(call: Call): Promise<Answer> {
  const identity = readIdentity(call)
  const content = readContent(identity, readBody(call))
  const { after } = await change(call, identity, (current) => {
    demandUnlocked(current)
    return { ...content, locked: false }
  })
  return answerWith(after ?? absent(identity))
}

/** Answers what was deleted. */
export async function deleteKeyValue(call: Call): Promise<Answer> {
  const { before } = await change(call, readIdentity(call), (current) => {
    demandUnlocked(current)
    return current ? 'delete' : 'leave'
  })
  return before ? answerWith(before) : { status: 204 }
}

const lockedAs = (locked: boolean) => async (call: Call) => {
  const identity = readIdentity(call)
  const { after } = await change(call, identity, (current) => {
    if (!current) return absent(identity)
    return current.locked === locked ? 'leave' : { ...contentOf(current), locked }
  })
  return answerWith(after ?? absent(identity))
}

const contentOf = ({ value, contentType, tags }: store.Revision) => ({ value, contentType, tags })

export const lockKeyValue = lockedAs(true)
export const unlockKeyValue = lockedAs(false)
