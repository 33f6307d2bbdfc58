import type { Content } from '../content/content.ts'
import { ofKind } from '../content/find.ts'
import { badArgument } from '../shapes/failures.ts'

/** Loaded on first use: its library takes longer to load than everything else. */
const engine = () => import('../engine/hits/regexes.ts')

/** Refuses an expression that cannot be matched in linear time, since users write it and nodes run it. */
export async function demandSafeRegex(pattern: string): Promise<void> {
  const { regexProblem } = await engine()
  const problem = regexProblem(pattern)
  if (problem !== undefined) badArgument(`regexPattern cannot be used: ${problem}.`)
}

const maxLength = 5_000

/** Validates the expressions of a file: unsupported ones are kept, and find nothing. */
export async function demandRegexes(content: Content): Promise<void> {
  for (const [index, { regexPattern = '' }] of ofKind(content, 'regex').entries()) {
    const at = `${content.form.regexEntities}[${index}].regexPattern`
    if (regexPattern.length > maxLength) badArgument(`${at} has more than ${maxLength} characters.`)
    const { regexProblem } = await engine()
    if (regexProblem(regexPattern) === undefined) continue
    try {
      new RegExp(regexPattern)
    } catch (error) {
      badArgument(`${at}: ${(error as Error).message}.`)
    }
  }
}
