import { invalid, type ReadingDb } from '@icosa/kernel'
import type { AvatarShown } from '../shapes/contract.ts'
import { type Avatar, findAvatar } from './store.ts'

export const toAvatar = ({ uuid, anchor, style, images }: Avatar): AvatarShown => ({
  uuid,
  anchor_uuid: anchor,
  style,
  image: images.map((image) => ({ height: null, width: null, ...image })),
})

/** The avatar of a body's `avatar_uuid`, stored as its view, since avatars never change. Null removes it. */
export async function avatarChange(
  db: ReadingDb,
  tenant: string,
  uuid: string | null | undefined,
): Promise<{ readonly avatar?: AvatarShown | null }> {
  if (uuid === undefined) return {}
  if (uuid === null) return { avatar: null }
  const avatar = await findAvatar(db, tenant, uuid)
  return { avatar: toAvatar(avatar ?? invalid([{ at: 'body/avatar_uuid', message: `there is no avatar ${uuid}` }])) }
}
