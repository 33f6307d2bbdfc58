import { type Db, sql } from '@icosa/kernel'

interface ModuleKey {
  readonly tenant: string
  readonly id: string
}

export interface PinRow {
  readonly hash: Buffer | null
  readonly failures: number
}

/** Serializes the attempts on a module, so that each is counted. */
export function lock(db: Db, { tenant, id }: ModuleKey): Promise<PinRow | undefined> {
  return db.maybe(sql`
    select pin_hash as hash, pin_failures as failures from hardware_security_modules.modules
    where tenant = ${tenant} and id = ${id} for update`)
}

export async function setFailures(db: Db, { tenant, id }: ModuleKey, failures: number): Promise<void> {
  await db.run(sql`
    update hardware_security_modules.modules set pin_failures = ${failures} where tenant = ${tenant} and id = ${id}`)
}

export async function setPin(db: Db, { tenant, id }: ModuleKey, hash: Buffer): Promise<void> {
  await db.run(sql`
    update hardware_security_modules.modules set pin_hash = ${hash}, pin_failures = 0
    where tenant = ${tenant} and id = ${id}`)
}
