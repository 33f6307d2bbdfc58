import { Failure, invalid } from '@icosa/kernel'

export type TagMap = Readonly<Record<string, string>>

const maxTags = 50

/** Validates tags. `at` is their position in the request. */
export function checkedTags(tags: TagMap = {}, at: string): TagMap {
  const keys = Object.keys(tags)
  if (keys.length > maxTags)
    throw new Failure('invalid', `A resource has at most ${maxTags} tags.`, { code: 'LimitExceededException' })
  for (const key of keys) {
    if (key.length === 0 || key.length > 128)
      invalid([{ at, message: 'has a key that is empty or longer than 128 characters' }])
    if (key.toLowerCase().startsWith('aws:'))
      invalid([{ at: `${at}/${key}`, message: 'begins with aws:, which is reserved' }])
  }
  return tags
}
