import type { Socket } from 'node:net'
import { egressEntry, openEgress } from '@icosa/fetch/egress'
import type { OnStop, Platform } from '@icosa/kernel'
import { metadataHosts, metadataServer } from '../identities/metadata.ts'
import { accountTokens } from '../identities/tokens.ts'
import type { Revision } from '../revision.ts'
import type { FunctionsSettings } from '../settings.ts'
import { addressText, platformAddresses, platformHost, toPlatform } from './platform.ts'
import { egressRules } from './policies.ts'

export interface Network {
  /** Public address of the platform, `host:port`, which may be on the loopback of the node, but not of a function. */
  readonly platform: string
  /** Takes the outbound connections of an instance. */
  accept(revision: Revision, report: (line: string) => void): (socket: Socket) => void
  /** Takes those of a build, which reach a registry of the operator and nothing else. */
  acceptBuild(tenant: string, registry: string, report: (line: string) => void): (socket: Socket) => void
}

/** Hosts of the files that an index lists. */
const fileHosts: Readonly<Record<string, readonly string[]>> = { 'pypi.org': ['files.pythonhosted.org:443'] }

export const egressDefaults = {
  egressAllow: ['public'],
  egressDeny: ['public:25'],
  egressPolicies: {},
  egressConnections: 200,
  egressBytesPerSecond: 16 * 2 ** 20,
} as const

/** The network of all instances on a node. */
export function openNetwork(settings: FunctionsSettings, platform: Platform, onStop: OnStop): Network {
  const { baseUrl, domain, nameServers } = settings
  const egress = openEgress({
    maxConnections: settings.egressConnections ?? egressDefaults.egressConnections,
    bytesPerSecond: settings.egressBytesPerSecond ?? egressDefaults.egressBytesPerSecond,
    nameServers,
  })
  onStop(() => egress.close())
  const rulesOf = egressRules({
    egressAllow: settings.egressAllow ?? egressDefaults.egressAllow,
    egressDeny: settings.egressDeny ?? egressDefaults.egressDeny,
    egressPolicies: settings.egressPolicies ?? egressDefaults.egressPolicies,
  })
  const platformAt = platformAddresses(baseUrl, domain)
  const tokens = accountTokens(platform, baseUrl, ({ hostname, port, protocol }) =>
    Boolean(platformAt(hostname, Number(port) || (protocol === 'https:' ? 443 : 80))),
  )
  const own = { [platformHost]: toPlatform(baseUrl) }
  const hostsOf = (revision: Revision) => {
    if (revision.serviceAccount === undefined) return own
    const metadata = metadataServer(tokens, revision)
    return { ...own, ...Object.fromEntries(metadataHosts.map((host) => [host, metadata])) }
  }
  return {
    platform: addressText(baseUrl),
    acceptBuild(tenant, registry, report) {
      const rules = {
        allow: (fileHosts[new URL(registry).hostname] ?? []).map((host) => egressEntry(host, '')),
        deny: [],
      }
      const client = { tenant, rules, platformAt: platformAddresses(registry, undefined), report }
      return (socket) => egress.accept(socket, client)
    },
    accept(revision, report) {
      const client = {
        ...{ tenant: revision.tenant, rules: rulesOf(revision.egress) },
        ...{ platformAt, hosts: hostsOf(revision), report },
      }
      return (socket) => egress.accept(socket, client)
    },
  }
}
