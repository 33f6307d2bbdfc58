import { type ExpiringCache, expiringCache, type Platform } from '@icosa/kernel'
import type { Serving } from '../functions/desired.ts'
import { invokersOf } from '../policies/access.ts'
import type { PolicyRow } from '../policies/store.ts'
import type { Revision } from '../revision.ts'
import { toRevision } from './revision.ts'
import { findByAddress } from './store.ts'

/** Function at an address. */
export interface Target {
  readonly tenant: string
  readonly invokers: ReadonlySet<string>
  readonly policy: PolicyRow['policy']
  /** Full name of the function. */
  readonly name: string
  /** Undefined if none was ever deployed. */
  readonly revision: Revision | undefined
  readonly serving: Pick<Serving, 'ingressSettings' | 'securityLevel'> | undefined
}

/** Cache by address. Changes take effect within a second. */
export function targetsOf({
  database,
  cellVault,
  clock,
  keys,
}: Pick<Platform, 'database' | 'cellVault' | 'clock' | 'keys'>): ExpiringCache<Target | undefined> {
  return expiringCache<Target | undefined>({
    name: 'functions targets',
    forMs: 1_000,
    limit: 10_000,
    async find(address) {
      const row = await findByAddress(database.reading, address)
      if (!row || row.state === 'DELETING') return undefined
      const { tenant, policy, revision } = row
      return {
        tenant,
        policy,
        name: row.name,
        invokers: invokersOf(policy.bindings, { now: clock.now(), resource: row.name }),
        revision: revision ? await toRevision({ db: database.reading, cellVault, keys }, tenant, revision) : undefined,
        serving: revision?.desired.serviceConfig,
      }
    },
  })
}
