import { type Db, sql } from '@icosa/kernel'

export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** Takes one message out of what an account may send. Answers how many it may send still: below 0, this one not. */
export async function spend(db: Db, tenant: string, { perSecond, burst }: Rate, now: Date): Promise<number> {
  const { messages } = await db.one<{ messages: number }>(sql`
    insert into voice_messaging.allowances as old (tenant, messages, at) values (${tenant}, ${burst - 1}, ${now})
    on conflict (tenant) do update set at = greatest(old.at, ${now}), messages = -1 + least(${burst}::double precision,
      old.messages + ${perSecond}::double precision * greatest(0, extract(epoch from ${now} - old.at)))
    returning messages`)
  return messages
}
