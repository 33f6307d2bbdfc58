import { extensions, named, Type } from '@icosa/contract'
import { resourceFields } from '@icosa/dialects/arm'
import { api } from '../databases/contract.ts'

const { get, put, inGroup } = api

const address = Type.String({ pattern: '^[0-9a-fA-F.:]{2,45}$', description: 'An IP address.' })
const FirewallRule = named('FirewallRule', {
  ...resourceFields,
  properties: named('FirewallRuleProperties', { startIpAddress: address, endIpAddress: address }),
})

/** Beyond the specification. */
export const firewallRules = extensions({
  listByServer: get(inGroup('/servers/{serverName}/firewallRules'), {
    summary: 'List the firewall rules of a server: it has none.',
    replies: { 200: named('FirewallRuleListResult', { value: Type.Array(FirewallRule) }) },
  }),
  createOrUpdate: put(inGroup('/servers/{serverName}/firewallRules/{firewallRuleName}'), {
    summary: 'Reject a firewall rule: the SQL host controls from where clients may connect.',
    body: Type.Object({ properties: Type.Object({ startIpAddress: address, endIpAddress: address }) }),
    replies: { 200: FirewallRule, 201: FirewallRule },
  }),
})
