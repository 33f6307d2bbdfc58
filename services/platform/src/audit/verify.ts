import type { Database, ReadingDb } from '@icosa/kernel'
import { asOfNow } from '../tenants/export-store.ts'
import { type Check, chainChecker, type Head, type Problem } from './chain.ts'
import * as store from './store.ts'

export interface Verified {
  readonly tenant: string
  readonly rows: number
  readonly head: Head | undefined
  readonly problems: readonly Problem[]
}

export interface Verification extends Check {
  readonly tenant?: string | undefined
}

const pageSize = 1_000

/** Every chain, from its oldest row to its end, as it is at one moment. */
export function verifyAudit(database: Database, verification: Verification): Promise<Verified[]> {
  return database.transaction(async (db) => {
    await asOfNow(db)
    return verified(db, verification)
  })
}

async function verified(db: ReadingDb, { tenant, ...check }: Verification): Promise<Verified[]> {
  const heads = new Map((await store.heads(db, tenant)).map((head) => [head.tenant, head]))
  const kept = (check.ends ?? []).map((end) => end.tenant).filter((one) => tenant === undefined || one === tenant)
  const tenants = [...new Set([...heads.keys(), ...(await store.tenantsWithRows(db, tenant)), ...kept])].sort()
  const all: Verified[] = []
  for (const one of tenants) {
    const head = heads.get(one)
    const checker = chainChecker(one, check)
    let after = 0
    for (;;) {
      const rows = await store.rowsAfter(db, one, after, pageSize)
      for (const row of rows) checker.add(row)
      const last = rows.at(-1)
      if (!last || rows.length < pageSize) break
      after = last.number
    }
    const { problems, count } = checker.end(head)
    all.push({ tenant: one, rows: count, head, problems })
  }
  return all
}
