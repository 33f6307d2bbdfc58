import type { ServiceModule } from '@icosa/module'

export const module: ServiceModule = {
  create: async () => (await import('./index.ts')).roboticsStatistics,
  absent: () => import('./absent.ts'),
}
