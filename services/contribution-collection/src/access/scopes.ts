import { invalid } from '@icosa/kernel'
import { serviceName } from '../names.ts'

const reading = ['get*', 'list*', 'verifyToken']
const contributing = ['createContribution', 'createMedia', 'flagContribution', 'likeContribution', 'createFormResponse']

/** Operation patterns that each scope permits. The original has only `full`. */
const operations = {
  full: ['*'],
  read: reading,
  contribute: [...reading, ...contributing, 'deleteContribution', 'linkProfile'],
  moderate: [...reading, 'moderateContribution', 'deleteContribution', 'previewNotification'],
  manage: [
    ...reading,
    'createAssignment',
    'deleteAssignment',
    'createTag*',
    'createForm',
    'deleteForm',
    'createSubscription',
    'deleteSubscription',
    'previewNotification',
    'createExport',
    'summarizeExport',
  ],
}
type Scope = keyof typeof operations

export const scopes = Object.keys(operations) as Scope[]
const isScope = (text: string): text is Scope => Object.hasOwn(operations, text)

export const permissionsOfScopes = (granted: readonly string[]): string[] => [
  ...new Set(
    granted.filter(isScope).flatMap((scope) => operations[scope].map((pattern) => `${serviceName}:${pattern}`)),
  ),
]

export function checkScopes(words: readonly string[], at: string): Scope[] {
  const wrong = words.filter((word) => !isScope(word))
  if (wrong.length > 0 || words.length === 0)
    invalid([{ at, message: `must be one or more of ${scopes.join(', ')}, not '${wrong.join(' ')}'` }])
  return words.filter(isScope)
}

/** The requested scopes that a user may have: `full` includes all others. */
export const grantable = (own: readonly string[], requested: readonly string[]): string[] =>
  own.includes('full') ? [...requested] : requested.filter((scope) => own.includes(scope))
