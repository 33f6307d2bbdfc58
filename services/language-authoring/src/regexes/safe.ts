import type { Content } from '../content/content.ts'
import { ofKind } from '../content/find.ts'
import { badArgument } from '../shapes/failures.ts'

/** Loaded when the first expression comes: its library takes longer to load than all of the rest. */
const engine = () => import('../engine/hits/regexes.ts')

/** Refuses an expression that cannot be run in a time that grows with the text alone: users write it, nodes run it. */
export async function demandSafeRegex(pattern: string): Promise<void> {
  const { regexProblem } = await engine()
  const problem = regexProblem(pattern)
  if (problem !== undefined) badArgument(`regexPattern cannot be used: ${problem}.`)
}

const longest = 5_000

/** The same for those of a file: what merely cannot be run here is kept, and finds nothing. */
export async function demandRegexes(content: Content): Promise<void> {
  for (const [index, { regexPattern = '' }] of ofKind(content, 'regex').entries()) {
    const at = `${content.form.regexEntities}[${index}].regexPattern`
    if (regexPattern.length > longest) badArgument(`${at} has more than ${longest} characters.`)
    const { regexProblem } = await engine()
    if (regexProblem(regexPattern) === undefined) continue
    try {
      new RegExp(regexPattern)
    } catch (error) {
      badArgument(`${at}: ${(error as Error).message}.`)
    }
  }
}
