import type { TenantRule } from '@icosa/kernel'
import { serviceName } from './names.ts'

const inPath = (folder: string): TenantRule => ({
  sources: [{ in: 'path', pattern: `/${folder}/([^/]+)/?`, gives: 'tenant' }],
})

/** The names of users are unique across tenants, but only bodies contain them. */
const signIn: TenantRule = { otherwise: 'home' }

/** Where requests name their tenant. */
export const tenantRules: Readonly<Record<string, TenantRule>> = {
  // Preflight requests carry no credentials, and every cell answers them equally.
  [`/${serviceName}`]: { sources: [{ in: 'header', name: 'authorization', gives: 'credential' }], otherwise: 'any' },
  [`/${serviceName}/token`]: signIn,
  [`/${serviceName}/media/:tenant/:id`]: inPath('media'),
  [`/${serviceName}/exports/:tenant/:id`]: inPath('exports'),
  [`/${serviceName}/feeds`]: inPath('feeds'),
  [`/${serviceName}/pages`]: inPath('pages'),
  [`/${serviceName}/desk`]: {
    sources: [
      { in: 'cookie', name: 'contributions_desk', gives: 'credential' },
      { in: 'cookie', name: '__Host-contributions_desk', gives: 'credential' },
    ],
    ...signIn,
  },
}
