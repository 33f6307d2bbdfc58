import { join, resolve } from 'node:path'
import type { ServiceModule } from '@icosa/module'
import { needs } from './needs.ts'
import { settings, type Values } from './settings.ts'

export const module: ServiceModule<Values> = {
  settings,
  async create(values, { scratchDirectory }) {
    const { sqlVirtualMachines } = await import('./index.ts')
    const folder = values.folder ?? join(scratchDirectory, 'machines') // unused on a node without machines
    return sqlVirtualMachines({ ...values, folder: resolve(folder) })
  },
  gaps: () => import('./unsupported.ts'),
  tenancy: () => import('./tenancy.ts'),
  needs,
}
