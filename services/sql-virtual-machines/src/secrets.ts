import { type SealedColumn, sealingContext, type Vault } from '@icosa/kernel'
import { newPassword } from '@icosa/tokens/passwords/scram'
import type { Login } from './hosting/roles.ts'

/** A machine's owner password, and the sign-in that the caller requested. */
export interface MachineSecrets {
  readonly admin: string
  readonly login?: Login | undefined
}

/** A group's owner password, and those of its machines and monitor for each other. */
export interface GroupSecrets {
  readonly admin: string
  readonly monitor: string
  readonly replication: string
}

export const machineSecrets: SealedColumn = {
  table: 'sql_virtual_machines.machines',
  column: 'secrets',
  context: 'sql-virtual-machines/machine/{id}',
}
export const groupSecrets: SealedColumn = {
  table: 'sql_virtual_machines.groups',
  column: 'secrets',
  context: 'sql-virtual-machines/group/{id}',
}

type Sealing = Pick<Vault, 'seal' | 'open'>

export const sealMachine = (vault: Sealing, id: string, secrets: MachineSecrets) =>
  vault.seal(JSON.stringify(secrets), sealingContext(machineSecrets, { id }))
export const openMachine = (vault: Sealing, id: string, sealed: Uint8Array): MachineSecrets =>
  JSON.parse(vault.open(sealed, sealingContext(machineSecrets, { id })))

export const newGroupSecrets = (): GroupSecrets => ({
  admin: newPassword(),
  monitor: newPassword(),
  replication: newPassword(),
})
export const sealGroup = (vault: Sealing, id: string, secrets: GroupSecrets) =>
  vault.seal(JSON.stringify(secrets), sealingContext(groupSecrets, { id }))
export const openGroup = (vault: Sealing, id: string, sealed: Uint8Array): GroupSecrets =>
  JSON.parse(vault.open(sealed, sealingContext(groupSecrets, { id })))
