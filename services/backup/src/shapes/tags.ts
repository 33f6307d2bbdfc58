import { Failure, invalid } from '@icosa/kernel'

export type TagMap = Readonly<Record<string, string>>

const most = 50

/** Tags as they can be kept. `at` is where they stand in the request. */
export function checkedTags(tags: TagMap = {}, at: string): TagMap {
  const keys = Object.keys(tags)
  if (keys.length > most)
    throw new Failure('invalid', `A resource has at most ${most} tags.`, { code: 'LimitExceededException' })
  for (const key of keys) {
    if (key.length === 0 || key.length > 128)
      invalid([{ at, message: 'has a key of 0 or of more than 128 characters' }])
    if (key.toLowerCase().startsWith('aws:'))
      invalid([{ at: `${at}/${key}`, message: 'begins with aws:, which is reserved' }])
  }
  return tags
}
