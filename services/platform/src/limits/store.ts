import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export const kinds = ['resources', 'requests', 'bytes'] as const
export type LimitKind = (typeof kinds)[number]

/** Limit of a tenant, set by the operator; service `*` means all together. */
export interface Limit {
  readonly tenant: string
  readonly service: string
  readonly kind: LimitKind
  readonly amount: number
}

export function listLimits(db: ReadingDb, { tenant, kind }: Partial<Limit> = {}): Promise<Limit[]> {
  return db.many(sql`
    select tenant, service, kind, amount::float8 as amount from platform.limits
    where (${tenant ?? null}::text is null or tenant = ${tenant ?? null})
      and (${kind ?? null}::text is null or kind = ${kind ?? null}) order by tenant, service, kind`)
}

/** Sets a limit; without an amount, removes it. */
export async function setLimit(
  db: Db,
  { tenant, service, kind, amount }: Omit<Limit, 'amount'> & { readonly amount: number | undefined },
): Promise<void> {
  if (amount === undefined)
    await db.run(sql`
      delete from platform.limits where tenant = ${tenant} and service = ${service} and kind = ${kind}`)
  else
    await db.run(sql`
      insert into platform.limits (tenant, service, kind, amount) values (${tenant}, ${service}, ${kind}, ${amount})
      on conflict (tenant, service, kind) do update set amount = excluded.amount`)
}
