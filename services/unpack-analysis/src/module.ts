import { join } from 'node:path'
import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { settings } from './settings.ts'

export const module: ServiceModule<ValuesOf<typeof settings>> = {
  settings,
  create: async (values, { dataDirectory }) =>
    (await import('./index.ts')).unpackAnalysis({ ...values, state: join(dataDirectory, 'sandbox') }),
  absent: () => import('./absent.ts'),
}
