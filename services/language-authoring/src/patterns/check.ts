import type { Content } from '../content/content.ts'
import { entityNamed } from '../content/find.ts'
import { badArgument } from '../shapes/failures.ts'

const closing = { '[': ']', '(': ')', '{': '}' } as const
const maxDepth = 3

/** Refuses a pattern whose brackets do not match, or that names entities or roles that are not there. */
export function demandPattern(content: Content, pattern: string): void {
  demandBrackets(pattern)
  for (const [, inside = ''] of pattern.matchAll(/\{([^{}]*)\}/g)) {
    const [name = '', role] = inside.split(':').map((part) => part.trim())
    const entity = entityNamed(content, name) ?? badArgument(`The pattern names '${name}', which is no entity.`)
    if (role !== undefined && !entity.roles.some((one) => one.name === role))
      badArgument(`The pattern names the role '${role}', which '${name}' does not have.`)
  }
}

function demandBrackets(pattern: string): void {
  const open: string[] = []
  for (const letter of pattern) {
    if (letter in closing) open.push(closing[letter as keyof typeof closing])
    else if (Object.values(closing).includes(letter as ']') && open.pop() !== letter)
      badArgument(`The pattern has a '${letter}' that closes nothing.`)
    if (open.length > maxDepth)
      badArgument(`The pattern has brackets that stand more than ${maxDepth} deep in each other.`)
  }
  if (open.length > 0) badArgument(`The pattern lacks a '${open.at(-1)}'.`)
}
