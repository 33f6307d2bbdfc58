import { invalid } from '@icosa/kernel'
import { serviceName } from '../names.ts'

const reading = ['get*', 'list*', 'verifyToken']
const contributing = ['createContribution', 'createMedia', 'flagContribution', 'likeContribution', 'createFormResponse']

/** What a token of a scope may do, as patterns of operations. `full` is all that the original has. */
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

/** Refuses words that are no scopes. */
export function checkScopes(words: readonly string[], at: string): Scope[] {
  const wrong = words.filter((word) => !isScope(word))
  if (wrong.length > 0 || words.length === 0)
    invalid([{ at, message: `must be some of ${scopes.join(', ')}, not '${wrong.join(' ')}'` }])
  return words.filter(isScope)
}

/** Of those that were asked for, what a user may have: whoever may do everything may do less. */
export const grantable = (has: readonly string[], asked: readonly string[]): string[] =>
  has.includes('full') ? [...asked] : asked.filter((scope) => has.includes(scope))
