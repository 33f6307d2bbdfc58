import { hash } from 'node:crypto'
import { type Context, Failure, sql } from '@icosa/kernel'

/** A request that names itself, so that its retry can be told from another request. */
export interface NamedRequest {
  /** `backup:CreateFramework`. */
  readonly operation: string
  /** Clients make one up for every call; without one, every request is another. */
  readonly token: string | undefined
  /** All that the request asks for, but the token. */
  readonly content: unknown
}

const keptMs = 24 * 3_600_000

/**
 * Does the work once for a token and content, within a day; a retry gets the answer of the first. It is part of the
 * transaction of the work, so a second request that comes meanwhile waits for the first one's answer.
 */
export async function once<T>(
  { db, caller: { tenant }, clock }: Context,
  { operation, token, content }: NamedRequest,
  work: () => Promise<T>,
): Promise<T> {
  if (token === undefined) return work()
  const now = clock.now()
  const contentHash = hash('sha256', JSON.stringify(content), 'buffer')
  await db.run(sql`
    delete from icosa.idempotent_replies
    where tenant = ${tenant} and created_at < ${new Date(now.getTime() - keptMs)}`)
  const isFirst = await db.run(sql`
    insert into icosa.idempotent_replies (tenant, operation, token, content_hash, reply, created_at)
    values (${tenant}, ${operation}, ${token}, ${contentHash}, 'null', ${now})
    on conflict do nothing`)
  if (isFirst === 1) {
    const reply = await work()
    await db.run(sql`
      update icosa.idempotent_replies set reply = ${JSON.stringify(reply)}
      where tenant = ${tenant} and operation = ${operation} and token = ${token}`)
    return reply
  }
  const earlier = await db.one<{ contentHash: Buffer; reply: T }>(sql`
    select content_hash as "contentHash", reply from icosa.idempotent_replies
    where tenant = ${tenant} and operation = ${operation} and token = ${token}`)
  if (!earlier.contentHash.equals(contentHash))
    throw new Failure(
      'invalid',
      'The token was used before for a request that asked for something else: take a new one.',
    )
  return earlier.reply
}
