import type { FunctionsSettings } from '../settings.ts'

/** Part of a configuration that is up to the operator. */
export interface Offer {
  /** Egress policies. */
  readonly connectors: readonly string[]
  /** Whether builds of a runtime run anything that reads variables. */
  readonly hasBuildVariables: (runtime: string) => boolean
}

export const offerOf = ({ egressPolicies = {}, pythonIndex, buildScripts = false }: FunctionsSettings): Offer => ({
  connectors: Object.keys(egressPolicies),
  hasBuildVariables: (runtime) => (runtime.startsWith('python') ? pythonIndex !== undefined : buildScripts),
})
