import type { Caller } from '@icosa/kernel'
import { serviceName } from '../names.ts'

/** Operations of a publishable key, limited to public content. */
export const publicOperations = [
  'listContributions',
  'getContribution',
  'listRefinements',
  'listRefinementTypes',
  'listAssignments',
  'getAssignment',
  'listTags',
  'getTag',
  'listTagSets',
  'getTagSet',
  'listArtifactFormats',
  'describePublicAccess',
] as const

type Allows = Caller['allows']

const permission = (operation: string) => `${serviceName}:${operation}`
const permissions: ReadonlySet<string> = new Set(publicOperations.map(permission))

/** Publishable keys, which web pages reveal, may describe public access but not moderate. */
export const isPublicKey = (allows: Allows): boolean =>
  allows(permission('describePublicAccess')) && !allows(permission('moderateContribution'))

export const allowsPublic: Allows = (requested) => permissions.has(requested)
