import type { Caller } from '@icosa/kernel'
import { serviceName } from '../names.ts'

/** What a public key may read; all of it is of what is public. */
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

/** Whether a credential is for web pages, where everybody can read it: it may describe public access, and not moderate. */
export const isPublicKey = (allows: Allows): boolean =>
  allows(permission('describePublicAccess')) && !allows(permission('moderateContribution'))

export const allowsPublic: Allows = (asked) => permissions.has(asked)
