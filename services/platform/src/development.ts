import { Failure } from '@icosa/kernel'
import { UsageError } from '@icosa/module'
import type { Fault, FaultRequest } from './faults/contract.ts'
import type { Snapshot, SnapshotAction, SnapshotChanges } from './snapshots/contract.ts'
import type { TenantEndpoint } from './tenants/contract.ts'

/** Controls of `icosa dev`, whose process controls the node: faults, snapshots, tenants and waiting jobs. */
export interface Controls {
  readonly faults: {
    /** Refuses faults that could never happen. */
    add(request: FaultRequest): ActiveFault
    list(): readonly ActiveFault[]
    /** Removes one fault, or all. Returns how many. */
    clear(id?: string): number
  }
  readonly snapshots: SnapshotControls
  /** Every API with the credentials of a tenant, which are created unless the tenant is that of development mode. */
  endpoints(tenant: string, permissions?: readonly string[]): Promise<readonly TenantEndpoint[]>
  /** Waits until no job is due. Returns whether this happened before the signal aborted. */
  settle(signal: AbortSignal): Promise<boolean>
}

/** A fault, whose optional fields may be present and undefined. */
export type ActiveFault = { readonly [Name in keyof Fault]: Fault[Name] | undefined }

export interface SnapshotControls {
  list(): Promise<readonly Snapshot[]>
  delete(name: string): Promise<void>
  compare(from: string, to: string): Promise<SnapshotChanges>
  /** The running action, or the last one. */
  action(): SnapshotAction | undefined
  /** Prepares an action. Refuses it while another runs. */
  request(kind: SnapshotAction['kind'], name: string): Promise<SnapshotAction>
  /** Begins the requested action. The node stops for it, so its reply must be written first. */
  proceed(): void
}

export function required(controls: Controls | undefined): Controls {
  if (controls) return controls
  throw new Failure('preconditionFailed', 'Only `icosa dev` has this operation.')
}

/** Runs work of the controls, whose errors are those of the command line. */
export async function refusing<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof UsageError ? new Failure('invalid', error.message) : error
  }
}
