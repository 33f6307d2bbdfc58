import { type Db, sql } from '@icosa/kernel'

export interface Usage {
  readonly cpuMs: number
  readonly bytes: number
}

/** Adds to a caller's usage in an hour. Returns false if that would exceed `max`. */
export async function reserve(db: Db, tenant: string, hour: Date, amount: Usage, max: Usage): Promise<boolean> {
  if (amount.cpuMs > max.cpuMs || amount.bytes > max.bytes) return false
  const row = await db.maybe(sql`
    insert into unpack_analysis.usage as used (tenant, hour, cpu_ms, bytes)
    values (${tenant}, ${hour}, ${amount.cpuMs}, ${amount.bytes})
    on conflict (tenant, hour) do update
      set cpu_ms = used.cpu_ms + excluded.cpu_ms, bytes = used.bytes + excluded.bytes
      where used.cpu_ms + excluded.cpu_ms <= ${max.cpuMs} and used.bytes + excluded.bytes <= ${max.bytes}
    returning tenant`)
  return row !== undefined
}

/** Returns the unused part of a reservation. */
export async function refund(db: Db, tenant: string, hour: Date, amount: Usage): Promise<void> {
  await db.run(sql`
    update unpack_analysis.usage set cpu_ms = cpu_ms - ${amount.cpuMs}, bytes = bytes - ${amount.bytes}
    where tenant = ${tenant} and hour = ${hour}`)
}
