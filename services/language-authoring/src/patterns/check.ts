import type { Content } from '../content/content.ts'
import { entityNamed } from '../content/find.ts'
import { badArgument } from '../shapes/failures.ts'

const closing = { '[': ']', '(': ')', '{': '}' } as const
const maxDepth = 3

/** Refuses a pattern with unbalanced brackets, or with unknown entities or roles. */
export function demandPattern(content: Content, pattern: string): void {
  demandBrackets(pattern)
  for (const [, inside = ''] of pattern.matchAll(/\{([^{}]*)\}/g)) {
    const [name = '', role] = inside.split(':').map((part) => part.trim())
    const entity = entityNamed(content, name) ?? badArgument(`The pattern names '${name}', which is not an entity.`)
    if (role !== undefined && !entity.roles.some((other) => other.name === role))
      badArgument(`The pattern names the role '${role}', which '${name}' does not have.`)
  }
}

function demandBrackets(pattern: string): void {
  const open: string[] = []
  for (const letter of pattern) {
    if (letter in closing) open.push(closing[letter as keyof typeof closing])
    else if (Object.values(closing).includes(letter as ']') && open.pop() !== letter)
      badArgument(`The pattern has an unmatched '${letter}'.`)
    if (open.length > maxDepth) badArgument(`The pattern has brackets nested more than ${maxDepth} deep.`)
  }
  if (open.length > 0) badArgument(`The pattern needs another '${open.at(-1)}'.`)
}
