/**
 * Checks a permission, which names an operation: `resource-groups:CreateGroup`. Credentials carry patterns with `*` as
 * wildcard: `*`, `backup:*`, `backup:List*`.
 */
export type Allows = (permission: string) => boolean

export function permissionsOf(patterns: readonly string[]): Allows {
  const expressions = patterns.map(toExpression)
  const cache = new Map<string, boolean>()
  return (permission) => {
    let allowed = cache.get(permission)
    if (allowed === undefined) {
      allowed = expressions.some((expression) => expression.test(permission))
      cache.set(permission, allowed)
    }
    return allowed
  }
}

/** Its operations see the whole cell. Only patterns that name it grant them: `*` is everything of one tenant. */
export const operatorService = 'operator'

/** Whether a pattern grants operations of operators. */
export const isForOperators = (pattern: string): boolean => pattern.startsWith(`${operatorService}:`)

const patternSyntax = /^[\w.:*-]{1,200}$/

export function isPattern(text: string): boolean {
  return patternSyntax.test(text) && (text === '*' || text.includes(':'))
}

function toExpression(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^${isForOperators(pattern) ? '' : `(?!${operatorService}:)`}${escaped}$`)
}
