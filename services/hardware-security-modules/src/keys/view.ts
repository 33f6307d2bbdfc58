import type { Key } from './contract.ts'
import type { Row } from './store.ts'

export function toKey(row: Row): Key {
  const { name, type, size, curve, operations, exportable, access, imported, publicKey, createdAt } = row
  return {
    name,
    type,
    ...(size !== undefined && { size }),
    ...(curve !== undefined && { curve }),
    operations: [...operations],
    exportable,
    access: access.map(({ caller, operations: granted }) => ({ caller, operations: [...granted] })),
    imported,
    ...(publicKey !== null && { publicKey }),
    createdAt: createdAt.toISOString(),
  }
}
