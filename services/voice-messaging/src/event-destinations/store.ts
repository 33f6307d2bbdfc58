import { randomUUID } from 'node:crypto'
import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Destination } from './destination.ts'

export interface Row extends Destination {
  readonly name: string
}

const columns = sql`name, enabled, event_types as "eventTypes", kind, arn, role_arn as "roleArn"`
const at = (tenant: string, set: string, name: string) =>
  sql`tenant = ${tenant} and set_name = ${set} and name = ${name}`

/** Ordered by name. */
export function list(db: ReadingDb, tenant: string, set: string, limit: number): Promise<Row[]> {
  return db.many(sql`
    select ${columns} from voice_messaging.event_destinations where tenant = ${tenant} and set_name = ${set}
    order by name limit ${limit}`)
}

/** Returns false if the name is taken. */
export async function insert(
  db: Db,
  tenant: string,
  set: string,
  { name, enabled, eventTypes, kind, arn, roleArn }: Row,
  now: Date,
): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into voice_messaging.event_destinations (tenant, set_name, name, id, enabled, event_types, kind, arn,
      role_arn, created_at, updated_at)
    values (${tenant}, ${set}, ${name}, ${randomUUID()}, ${enabled}, ${eventTypes}, ${kind}, ${arn}, ${roleArn}, ${now},
      ${now})
    on conflict do nothing`)
  return inserted === 1
}

/** Identifies the chain of jobs that delivers to a destination; jobs of an earlier one stop. */
export interface Assignment {
  readonly tenant: string
  readonly destination: string
  readonly delivery: string
}

export function change(
  db: Db,
  tenant: string,
  set: string,
  { name, enabled, eventTypes, kind, arn, roleArn }: Row,
  now: Date,
): Promise<Assignment | undefined> {
  return db.maybe(sql`
    update voice_messaging.event_destinations set enabled = ${enabled}, event_types = ${eventTypes}, kind = ${kind},
      arn = ${arn}, role_arn = ${roleArn}, delivery = ${randomUUID()}, updated_at = ${now}
    where ${at(tenant, set, name)} returning tenant, id as destination, delivery`)
}

export async function remove(db: Db, tenant: string, set: string, name: string): Promise<boolean> {
  return (await db.run(sql`delete from voice_messaging.event_destinations where ${at(tenant, set, name)}`)) === 1
}
