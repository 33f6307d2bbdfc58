import type { Blobs, CellVault, Database } from '@icosa/kernel'
import type { ServiceTenancy } from '../tenants/delete.ts'
import type { Cell, Move } from './contract.ts'

/** The directory of cells. */
export interface CellDirectory {
  cells(): Promise<readonly Cell[]>
  moves(): Promise<readonly Move[]>
}

export interface OperatorRuntime {
  readonly directory: CellDirectory
  readonly database: Database
  readonly cellVault: CellVault
  readonly blobs: Blobs
  /** Age at which records of the audit log are deleted. */
  readonly auditDays: number
  /** What services keep of tenants outside their rows and blobs. */
  tenancies(): Promise<readonly ServiceTenancy[]>
}
