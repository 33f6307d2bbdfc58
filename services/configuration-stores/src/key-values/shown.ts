import { named, type Static, Type } from '@icosa/contract'
import { Failure, invalid, isStorable } from '@icosa/kernel'
import type { Call } from '../data-plane/call.ts'
import type { Content, Identity, Revision } from './store.ts'

export const fields = ['etag', 'key', 'label', 'content_type', 'value', 'tags', 'locked', 'last_modified']

/** A key-value as the data plane shows it. */
export function shown({ key, label, value, contentType, tags, locked, etag, changedAt }: Revision) {
  return {
    etag,
    key,
    label: label === '' ? null : label,
    content_type: contentType,
    value,
    tags,
    locked,
    last_modified: changedAt.toISOString(),
  }
}

export const NewContent = named('KeyValueContent', {
  value: Type.Optional(Type.Nullable(Type.String())),
  content_type: Type.Optional(Type.Nullable(Type.String())),
  tags: Type.Optional(Type.Nullable(Type.Record(Type.Nullable(Type.String())))),
})
export interface NewContent extends Static<typeof NewContent> {}

/** Which key-value a request means. */
export function readIdentity({ params, query }: Call): Identity {
  const { key = '' } = params
  const label = query.one('label') ?? ''
  demandText('key', key)
  if (key === '' || key === '.' || key === '..' || key.includes('%'))
    invalid([{ at: 'path/key', message: 'cannot be . or .. and has no % in it' }])
  if (label === '\0') return { key, label: '' }
  demandText('label', label)
  return { key, label }
}

const mostBytes = 10_240

export function readContent({ key, label }: Identity, content: NewContent): Omit<Content, 'locked'> {
  const { value = null, content_type: contentType = null } = content
  const tags = content.tags ?? {}
  const texts = [value, contentType, ...Object.entries(tags).flat()].filter((text) => text !== null)
  for (const text of texts) demandText('body', text)
  const bytes = [key, label, ...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (bytes > mostBytes)
    throw new Failure(
      'tooLarge',
      `The key-value has ${bytes} bytes with its key, label and tags, of at most ${mostBytes}.`,
    )
  return { value, contentType, tags }
}

/** What PostgreSQL could not keep, or not give back as it was. */
function demandText(at: string, text: string): void {
  if (!isStorable(text)) invalid([{ at, message: 'has a character that is none: U+0000 or half of a pair' }])
}
