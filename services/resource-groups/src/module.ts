import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  create: async (values, { region }) => (await import('./index.ts')).resourceGroups({ ...values, region }),
}
