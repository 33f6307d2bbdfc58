/**
 * A permission names an operation: `resource-groups:CreateGroup`. A credential carries patterns, in which `*`
 * stands for any text: `*`, `backup:*`, `backup:List*`.
 */
export type Allows = (permission: string) => boolean

export function permissionsOf(patterns: readonly string[]): Allows {
  const expressions = patterns.map(toExpression)
  const known = new Map<string, boolean>()
  return (permission) => {
    let allowed = known.get(permission)
    if (allowed === undefined) {
      allowed = expressions.some((expression) => expression.test(permission))
      known.set(permission, allowed)
    }
    return allowed
  }
}

const patternSyntax = /^[\w.:*-]{1,200}$/

export function isPattern(text: string): boolean {
  return patternSyntax.test(text) && (text === '*' || text.includes(':'))
}

function toExpression(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^${escaped}$`)
}
