import { type EgressEntry, type EgressRules, egressEntry } from '@icosa/fetch/egress'
import type { RevisionEgress } from '../revision.ts'

export interface EgressPolicies {
  readonly egressAllow: readonly string[]
  readonly egressDeny: readonly string[]
  /** Destinations by policy. */
  readonly egressPolicies: Readonly<Record<string, readonly string[]>>
}

/** Name of a policy: `warehouse`, or `projects/P/locations/L/connectors/warehouse`. */
export const policyName = (connector: string): string =>
  /^projects\/[^/]+\/locations\/[^/]+\/connectors\/([^/]+)$/.exec(connector)?.[1] ?? connector

/** Parses the operator's rules once. Returns those of a revision. */
export function egressRules(settings: EgressPolicies): (egress: RevisionEgress) => EgressRules {
  const entries = (texts: readonly string[], setting: string) =>
    texts.filter((text) => text !== 'none').map((text) => egressEntry(text, setting))
  const allow = entries(settings.egressAllow, 'ICOSA_FUNCTIONS_EGRESS_ALLOW')
  const deny = entries(settings.egressDeny, 'ICOSA_FUNCTIONS_EGRESS_DENY')
  const policies = new Map<string, EgressEntry[]>()
  for (const [name, texts] of Object.entries(settings.egressPolicies))
    policies.set(name, entries(texts, 'ICOSA_FUNCTIONS_EGRESS_POLICIES'))
  return ({ connector, allTraffic }) => {
    // A policy that the operator has removed opens nothing.
    const own = connector === undefined ? [] : (policies.get(policyName(connector)) ?? [])
    return { allow: allTraffic ? own : [...allow, ...own], deny }
  }
}
