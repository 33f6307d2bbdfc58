import { Failure, invalid, isStorable } from '@icosa/kernel'
import type { KeyValueContent } from './contract.ts'
import type { Content, Identity } from './store.ts'

export interface IdentityInput {
  readonly params: { readonly key: string }
  readonly query: { readonly label?: string }
}

/** Parses the key and label of a request. */
export function readIdentity({ params: { key }, query: { label = '' } }: IdentityInput): Identity {
  demandText('key', key)
  if (key === '' || key === '.' || key === '..' || key.includes('%'))
    invalid([{ at: 'path/key', message: 'must not be . or .. and must not contain %' }])
  if (label === '\0') return { key, label: '' }
  demandText('label', label)
  return { key, label }
}

const maxBytes = 10_240

export function readContent({ key, label }: Identity, content: KeyValueContent): Omit<Content, 'locked'> {
  const { value = null, content_type: contentType = null } = content
  const tags = content.tags ?? {}
  const texts = [value, contentType, ...Object.entries(tags).flat()].filter((text) => text !== null)
  for (const text of texts) demandText('body', text)
  const bytes = [key, label, ...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (bytes > maxBytes)
    throw new Failure(
      'tooLarge',
      `The key-value has ${bytes} bytes with its key, label and tags; the limit is ${maxBytes}.`,
    )
  return { value, contentType, tags }
}

/** Refuses text that PostgreSQL cannot store. */
function demandText(at: string, text: string): void {
  if (!isStorable(text)) invalid([{ at, message: 'has an invalid character: U+0000 or half of a surrogate pair' }])
}
