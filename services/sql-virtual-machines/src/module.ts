import { join, resolve } from 'node:path'
import type { ServiceModule } from '@icosa/module'
import { needs } from './needs.ts'
import { settings, type Values } from './settings.ts'

export const module: ServiceModule<Values> = {
  settings,
  async create(values, { dataDirectory }) {
    const { sqlVirtualMachines } = await import('./index.ts')
    return sqlVirtualMachines({ ...values, folder: resolve(join(dataDirectory, 'machines')) })
  },
  absent: () => import('./absent.ts'),
  tenancy: () => import('./tenancy.ts'),
  needs,
}
