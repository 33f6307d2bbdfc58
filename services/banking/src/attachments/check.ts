import { invalid, type ReadingDb } from '@icosa/kernel'
import { ownAttachments } from './store.ts'

/** Rejects attachments in a body that are not the user's. */
export async function checkAttachments(
  db: ReadingDb,
  tenant: string,
  user: string,
  attachments: readonly { readonly id: number }[] = [],
): Promise<void> {
  if (attachments.length === 0) return
  const ids = attachments.map(({ id }) => id)
  const own = await ownAttachments(db, tenant, user, ids)
  const missing = ids.find((id) => !own.has(id))
  if (missing !== undefined) invalid([{ at: 'body/attachment', message: `there is no attachment ${missing}` }])
}
