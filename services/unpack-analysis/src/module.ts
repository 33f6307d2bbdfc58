import { join } from 'node:path'
import type { ServiceModule } from '@icosa/module'
import { sandbox, unicorn } from './needs.ts'
import { settings, type UnpackValues } from './settings.ts'

export const module: ServiceModule<UnpackValues> = {
  settings,
  create: async (values, { scratchDirectory }) =>
    (await import('./index.ts')).unpackAnalysis({ ...values, state: join(scratchDirectory, 'sandbox') }),
  async inspect(values, { hasDevelopmentDatabase }) {
    if (values.anonymous === 'closed' || hasDevelopmentDatabase) return []
    const [cpu, megabytes] = [values.cpuMs / 1_000, values.bytes / 2 ** 20]
    return [
      `open to callers without a key, each with ${cpu} s of CPU and ${megabytes} MB an hour; ICOSA_UNPACK_ANONYMOUS=closed demands keys.`,
    ]
  },
  gaps: () => import('./unsupported.ts'),
  needs: [unicorn, sandbox],
  commands: { unpack: async () => (await import('./commands/unpack.ts')).unpack },
}
