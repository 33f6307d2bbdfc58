import type { OnStop, Platform } from '@icosa/kernel'
import { openStatements, type Statements } from '@icosa/statements'
import { type Clusters, openClusters } from './clusters/clusters.ts'
import type { Hosting } from './hosting/host.ts'
import type { MachinesSettings } from './settings.ts'

export interface ServiceRuntime {
  readonly clusters: Clusters
  /** Undefined on a node without machines. */
  readonly hosting: Hosting | undefined
  readonly statements: Statements
}

export const startWith =
  (settings: MachinesSettings) =>
  async (platform: Platform, onStop: OnStop): Promise<ServiceRuntime> => {
    const clusters = openClusters(platform)
    onStop(() => clusters.close())
    const statements = openStatements()
    if (!settings.offersRoom) return { clusters, hosting: undefined, statements }
    const { openHosting } = await import('./hosting/host.ts')
    const hosting = await openHosting(settings, platform, clusters)
    onStop(() => hosting.close())
    return { clusters, hosting, statements }
  }
