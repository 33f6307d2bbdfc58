import { randomBytes } from 'node:crypto'
import { type Database, openDatabase, type SealedColumn, sealedColumnsOf, sql } from '@icosa/kernel'
import { createTestDatabase } from '@icosa/testing'
import { dataKeys, type OpenedVault, openVault } from '@icosa/tokens'
import { type Rotation, rotate } from '../master-key/rotate.ts'

export const [old, fresh, other] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
export const idOf = (key: Uint8Array) => dataKeys.masterKeysOf([key])[0].id

/** A database with secrets of a tenant, and rotations that do not wait for nodes. */
export interface Secrets extends AsyncDisposable {
  readonly url: string
  readonly database: Database
  readonly sealed: readonly SealedColumn[]
  open(...masterKeys: Uint8Array[]): Promise<OpenedVault>
  /** Adds signing secrets as they were before tenants had keys of their own, with row ids numbered from `first` on. */
  add(vault: OpenedVault, count: number, first?: number): Promise<void>
  /** Decrypts all secrets; returns them by row id. */
  read(vault: OpenedVault): Promise<Map<string, string>>
  rotate(masterKeys: readonly Uint8Array[], more?: Partial<Rotation>): ReturnType<typeof rotate>
}

export async function openSecrets(): Promise<Secrets> {
  const testDatabase = await createTestDatabase([])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 6, onError: () => {} })
  const sealed = sealedColumnsOf([])
  await database.run(sql`insert into icosa.tenants (id, created_at) values ('ada', now())`)
  return {
    url: testDatabase.url,
    database,
    sealed,
    open: (...masterKeys) => openVault(database, { masterKeys, sealed: () => sealed }),
    async add(vault, count, first = 0) {
      const ids = Array.from({ length: count }, (_, n) => `AKI${first + n}`)
      const secrets = ids.map((id) => vault.seal(`${id} ${randomBytes(20).toString('base64')}`, id))
      await database.run(sql`
        insert into icosa.credentials (id, tenant, name, signing_secret, permissions, created_at)
        select id, 'ada', '', secret, '{*}', now() from unnest(${ids}::text[], ${secrets}::bytea[]) as made (id, secret)`)
    },
    async read(vault) {
      const rows = await database.many<{ id: string; sealed: Buffer }>(
        sql`select id, signing_secret as sealed from icosa.credentials order by id`,
      )
      const ada = await vault.of('ada')
      return new Map(rows.map(({ id, sealed: text }) => [id, ada.open(text, id)]))
    },
    rotate: (masterKeys, more) =>
      rotate({
        database,
        masters: dataKeys.masterKeysOf(masterKeys),
        sealed,
        learnMs: 0,
        onProgress: () => {},
        onRemark: () => {},
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      await database.close()
      await testDatabase[Symbol.asyncDispose]()
    },
  }
}
