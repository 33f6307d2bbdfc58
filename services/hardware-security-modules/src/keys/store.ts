import { type Db, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'
import type { KeySpec } from '../token/keys.ts'
import type { Grant } from './contract.ts'
import type { Curve, KeyOperation, KeyType } from './names.ts'
import type { SealedMaterial } from './sealed.ts'

export interface Row extends KeySpec {
  readonly name: string
  readonly id: string
  readonly type: KeyType
  readonly size: number | undefined
  readonly curve: Curve | undefined
  readonly operations: readonly KeyOperation[]
  readonly imported: boolean
  readonly access: readonly Grant[]
  readonly publicKey: string | null
  readonly createdAt: Date
}

interface ModuleKey {
  readonly tenant: string
  readonly id: string
}

type StoredRow = Omit<Row, 'size' | 'curve'> & { readonly size: number | null; readonly curve: Curve | null }

const columns = sql`name, id, type, size, curve, operations, exportable, imported, access, public_key as "publicKey",
  created_at as "createdAt"`

const toRow = ({ size, curve, ...row }: StoredRow): Row => ({
  ...row,
  size: size ?? undefined,
  curve: curve ?? undefined,
})

/** Returns undefined if the name is taken. */
export async function insert(db: Db, { tenant, id }: ModuleKey, key: Row, material: Buffer): Promise<Row | undefined> {
  const { name, type, size = null, curve = null, operations, exportable, imported, access, publicKey, createdAt } = key
  const row = await db.maybe<StoredRow>(sql`
    insert into hardware_security_modules.keys (tenant, module, name, id, type, size, curve, operations, exportable,
      imported, access, public_key, material, created_at)
    values (${tenant}, ${id}, ${name}, ${key.id}, ${type}, ${size}, ${curve}, ${JSON.stringify(operations)},
      ${exportable}, ${imported}, ${JSON.stringify(access)}, ${publicKey}, ${material}, ${createdAt})
    on conflict do nothing returning ${columns}`)
  return row && toRow(row)
}

/** Keeps the module from being deleted until the transaction ends. Returns false if it is being deleted. */
export async function lockModule(db: Db, { tenant, id }: ModuleKey): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 from hardware_security_modules.modules where tenant = ${tenant} and id = ${id} and state = 'Succeeded'
    for share`)
  return row !== undefined
}

export async function count(db: ReadingDb, { tenant, id }: ModuleKey): Promise<number> {
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from hardware_security_modules.keys where tenant = ${tenant} and module = ${id}`)
  return row.count
}

export async function find(db: ReadingDb, { tenant, id }: ModuleKey, name: string): Promise<Row | undefined> {
  const row = await db.point<StoredRow>(sql`
    select ${columns} from hardware_security_modules.keys
    where tenant = ${tenant} and module = ${id} and name = ${name}`)
  return row && toRow(row)
}

export async function setAccess(
  db: Db,
  { tenant, id }: ModuleKey,
  name: string,
  access: readonly Grant[],
): Promise<Row | undefined> {
  const row = await db.maybe<StoredRow>(sql`
    update hardware_security_modules.keys set access = ${JSON.stringify(access)}
    where tenant = ${tenant} and module = ${id} and name = ${name} returning ${columns}`)
  return row && toRow(row)
}

export async function remove(db: Db, { tenant, id }: ModuleKey, name: string): Promise<{ id: string } | undefined> {
  return db.maybe(sql`
    delete from hardware_security_modules.keys where tenant = ${tenant} and module = ${id} and name = ${name}
    returning id`)
}

export function material(db: ReadingDb, { tenant, id }: ModuleKey, key: string): Promise<SealedMaterial | undefined> {
  return db.maybe(sql`
    select id, material from hardware_security_modules.keys
    where tenant = ${tenant} and module = ${id} and id = ${key}`)
}

const pageSize = 100

export function list(db: ReadingDb, { tenant, id }: ModuleKey, token: string | undefined): Promise<Page<Row>> {
  return readPage<Row>(
    { limit: pageSize, token, query: ['keys', tenant, id], at: 'query/after' },
    ({ name }) => [name],
    async ([after] = [''], limit) =>
      (
        await db.many<StoredRow>(sql`
          select ${columns} from hardware_security_modules.keys
          where tenant = ${tenant} and module = ${id} and name > ${after} order by name limit ${limit}`)
      ).map(toRow),
  )
}
