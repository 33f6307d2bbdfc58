import type { ServiceModule } from '@icosa/module'

export const module: ServiceModule = {
  create: async () => (await import('./index.ts')).apiDiagnostics,
  gaps: () => import('./unsupported.ts'),
}
