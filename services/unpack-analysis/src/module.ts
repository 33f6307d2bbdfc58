import { join } from 'node:path'
import type { ServiceModule } from '@icosa/module'
import { sandbox, unicorn } from './needs.ts'
import { settings, type UnpackValues } from './settings.ts'

export const module: ServiceModule<UnpackValues> = {
  settings,
  create: async (values, { scratchDirectory }) =>
    (await import('./index.ts')).unpackAnalysis({ ...values, state: join(scratchDirectory, 'sandbox') }),
  absent: () => import('./absent.ts'),
  needs: [unicorn, sandbox],
  commands: { unpack: async () => (await import('./commands/unpack.ts')).unpack },
}
