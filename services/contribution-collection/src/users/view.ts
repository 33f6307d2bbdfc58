import type { UserRow } from './store.ts'

export const toUser = ({ id, username, displayName, bio, registeredAt }: UserRow) => ({
  id,
  ...(username !== null && { username }),
  ...(displayName !== null && { displayName }),
  ...(bio !== null && { bio }),
  registered: registeredAt.toISOString(),
})
