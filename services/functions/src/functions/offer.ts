import type { FunctionsSettings } from '../settings.ts'

/** Part of a configuration that is up to the operator. */
export interface Offer {
  /** Egress policies. */
  readonly connectors: readonly string[]
  readonly workerPools: readonly string[]
  /** Whether builds of a runtime run anything that reads variables. */
  readonly hasBuildVariables: (runtime: string) => boolean
}

export const offerOf = ({
  egressPolicies = {},
  workerPools = {},
  pythonIndex,
  buildScripts = false,
}: FunctionsSettings): Offer => ({
  connectors: Object.keys(egressPolicies),
  workerPools: Object.keys(workerPools),
  hasBuildVariables: (runtime) => (runtime.startsWith('python') ? pythonIndex !== undefined : buildScripts),
})
