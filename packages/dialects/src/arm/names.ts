import { type Detail, invalid } from '@icosa/kernel'

/** How names are compared. In one place, so that PostgreSQL's idea of lower case never meets JavaScript's. */
export const keyOf = (name: string) => name.toLowerCase()

export interface NameRule {
  readonly pattern: RegExp
  /** Goes on after the name of the parameter: 'has 5 to 50 letters'. */
  readonly message: string
}

const group: NameRule = { pattern: /^[^/\p{C}]{1,90}$/u, message: 'has 1 to 90 printable characters other than /' }

/** For names that no rule of their service narrows further. */
export const plainName = (longest: number): NameRule => ({
  pattern: new RegExp(`^[\\w.-]{1,${longest}}$`),
  message: `has 1 to ${longest} letters, digits, . _ -`,
})

/**
 * Refuses names in a path that cannot be, so that the rest of a service need not think of them. The dialect sees to the
 * subscription, and to the resource group as long as a service has no rule for it.
 */
export function nameChecker(
  rules: Readonly<Record<string, NameRule>>,
): <Params extends object>(params: Params) => Params {
  const all: Readonly<Record<string, NameRule>> = { resourceGroupName: group, ...rules }
  return (params) => {
    const wrong = Object.entries(params).flatMap(([part, name]): Detail[] => {
      const rule = all[part]
      return !rule || rule.pattern.test(String(name)) ? [] : [{ at: `path/${part}`, message: rule.message }]
    })
    if (wrong.length > 0) invalid(wrong)
    return params
  }
}
