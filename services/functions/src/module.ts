import { join } from 'node:path'
import type { ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { settings } from './settings.ts'

type Values = ValuesOf<typeof settings>

export const module: ServiceModule<Values> = {
  settings,
  async create(values, { baseUrl, region, dataDirectory }) {
    const { functionsService } = await import('./index.ts')
    return functionsService({ ...values, baseUrl, region, folder: join(dataDirectory, 'functions') })
  },
  absent: () => import('./absent.ts'),
}
