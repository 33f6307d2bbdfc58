import { type ReadingDb, sql } from '@icosa/kernel'
import type { RevisionRow } from '../deploy/store.ts'
import type { Place } from '../functions/store.ts'
import type { PolicyRow } from '../policies/store.ts'

export interface TargetRow {
  readonly tenant: string
  /** Full name of the function. */
  readonly name: string
  readonly state: string
  readonly policy: PolicyRow['policy']
  readonly revision: RevisionRow | null
}

const columns = sql`f.tenant, concat('projects/', f.subscription_key, '/locations/', f.location, '/functions/', f.name_key) as name,
  f.state, f.policy, case when r.id is null then null else jsonb_build_object('id', r.id,
  'project', r.project, 'location', r.location, 'function', r.function, 'number', r.number, 'artifact', r.artifact,
  'source', r.source, 'desired', r.desired) end as revision`

export function findByAddress(db: ReadingDb, address: string): Promise<TargetRow | undefined> {
  return db.maybe(sql`
    select ${columns} from functions.functions f left join functions.revisions r
      on r.tenant = f.tenant and r.id = f.revision
    where f.address = ${address}`)
}

export function findByPlace(db: ReadingDb, tenant: string, place: Place): Promise<TargetRow | undefined> {
  return db.maybe(sql`
    select ${columns} from functions.functions f left join functions.revisions r
      on r.tenant = f.tenant and r.id = f.revision
    where f.tenant = ${tenant} and f.subscription_key = ${place.project} and f.location = ${place.location}
      and f.name_key = ${place.function}`)
}
