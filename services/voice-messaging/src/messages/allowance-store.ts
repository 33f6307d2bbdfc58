import { type Db, sql } from '@icosa/kernel'

export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** Token bucket: takes one message, and returns the remaining allowance. Below 0, the message is over the limit. */
export async function spend(db: Db, tenant: string, { perSecond, burst }: Rate, now: Date): Promise<number> {
  const { messages } = await db.one<{ messages: number }>(sql`
    insert into voice_messaging.allowances as old (tenant, messages, at) values (${tenant}, ${burst - 1}, ${now})
    on conflict (tenant) do update set at = greatest(old.at, ${now}), messages = -1 + least(${burst}::double precision,
      old.messages + ${perSecond}::double precision * greatest(0, extract(epoch from ${now} - old.at)))
    returning messages`)
  return messages
}
