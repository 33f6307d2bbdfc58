import { type SealedColumn, sealingContext, type Vault } from '@icosa/kernel'
import type { Files } from '../token/files.ts'

export const materialColumn: SealedColumn = {
  table: 'hardware_security_modules.keys',
  column: 'material',
  context: 'hardware security module {module} key {id}',
}

export interface SealedMaterial {
  readonly id: string
  readonly material: Buffer
}

export const sealMaterial = (vault: Vault, module: string, id: string, files: Files): Buffer =>
  vault.seal(JSON.stringify(files), sealingContext(materialColumn, { module, id }))

export const openMaterial = (vault: Vault, module: string, { id, material }: SealedMaterial): Files =>
  JSON.parse(vault.open(material, sealingContext(materialColumn, { module, id })))
