import { type Database, type ResourcesOf, sql } from '@icosa/kernel'
import { thingId, thingType } from '../../services/backup/src/testing/things.ts'

export interface Filling {
  readonly tenant: string
  readonly vault: string
  readonly points: number
  /** Number of points due for deletion. */
  readonly due: number
  readonly now: Date
}

/** One point per second, of a hundred resources; the due ones are the oldest. */
export async function fillPoints(database: Database, { tenant, vault, points, due, now }: Filling): Promise<void> {
  await database.run(sql`
    insert into backup.recovery_points (tenant, id, vault, resource_arn, resource_key, resource_type, resource_name, status,
      attempt, snapshot, bytes, metadata, resource_tags, tags, role_arn, created_at, completed_at,
      delete_after_days, delete_at)
    select ${tenant}, gen_random_uuid(), ${vault}, 'arn:aws:backup:us-east-1:123456789012:things/' || n % 100,
      'arn:aws:backup:us-east-1:123456789012:things/' || n % 100, ${thingType}, 'thing-' || n % 100, 'COMPLETED',
      gen_random_uuid(), md5(n::text) || md5(n::text), 1000, '{"name":"thing"}', '{"stage":"live"}',
      '{}', 'arn:aws:iam::123456789012:role/any', ${now}::timestamptz - n * interval '1 second',
      ${now}::timestamptz - n * interval '1 second', 35,
      case when n > ${points - due}::int then ${now}::timestamptz else ${now}::timestamptz + interval '1 day' end
    from generate_series(1, ${points}::int) n`)
  await database.script('analyze backup.recovery_points')
}

export function sizeOfPoints(database: Database): Promise<{ readonly bytes: number; readonly rows: number }> {
  return database.one(sql`
    select pg_total_relation_size('backup.recovery_points')::float8 as bytes,
      (select count(*)::int from backup.recovery_points) as rows`)
}

export async function fillResources(registry: ResourcesOf, count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    await registry.put({ id: thingId(`thing-${n}`), type: thingType, name: `thing-${n}`, tags: { stage: 'live' } })
}
