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

/** Verifies every chain from its oldest row to its head, in one snapshot. */
export function verifyAudit(database: Database, verification: Verification): Promise<Verified[]> {
  return database.transaction(async (db) => {
    await asOfNow(db)
    return verified(db, verification)
  })
}

async function verified(db: ReadingDb, { tenant, ...check }: Verification): Promise<Verified[]> {
  const heads = new Map((await store.heads(db, tenant)).map((head) => [head.tenant, head]))
  const recorded = (check.ends ?? []).map((end) => end.tenant).filter((id) => tenant === undefined || id === tenant)
  const tenants = [...new Set([...heads.keys(), ...(await store.tenantsWithRows(db, tenant)), ...recorded])].sort()
  const chains: Verified[] = []
  for (const id of tenants) {
    const head = heads.get(id)
    const checker = chainChecker(id, check)
    let after = 0
    for (;;) {
      const rows = await store.rowsAfter(db, id, after, pageSize)
      for (const row of rows) checker.add(row)
      const last = rows.at(-1)
      if (!last || rows.length < pageSize) break
      after = last.number
    }
    const { problems, count } = checker.end(head)
    chains.push({ tenant: id, rows: count, head, problems })
  }
  return chains
}
