import { RE2JS } from 're2js'
import type { AppDocument } from '../document.ts'
import type { WorkBudget } from '../work.ts'
import type { Hit } from './hit.ts'

const maxLength = 5000
/** Limits the time per character of a text. */
const maxInstructions = 2000
const maxHits = 100

export interface RegexProblem {
  entity: string
  message: string
}

/**
 * Returns why an expression is refused, if it is. RE2 matches in linear time, so it does not support lookaround and
 * backreferences.
 */
export function regexProblem(pattern: string): string | undefined {
  const compiled = compile(pattern)
  return compiled instanceof RE2JS ? undefined : compiled
}

/** Returns the expression, or an error message. */
function compile(pattern: string): RE2JS | string {
  if (pattern.length > maxLength) return `the expression is longer than ${maxLength} characters`
  try {
    // .NET also allows group names in quotes.
    const compiled = RE2JS.compile(pattern.replaceAll(/\(\?'(\w+)'/g, '(?<$1>'), RE2JS.CASE_INSENSITIVE)
    return compiled.programSize() > maxInstructions ? 'the expression repeats too much' : compiled
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export class Regexes {
  readonly #compiled: { name: string; expression: RE2JS }[] = []
  readonly problems: RegexProblem[] = []

  constructor(app: Pick<AppDocument, 'regex_entities'>) {
    for (const { name, regexPattern } of app.regex_entities) {
      const compiled = compile(regexPattern)
      if (compiled instanceof RE2JS) this.#compiled.push({ name, expression: compiled })
      else this.problems.push({ entity: name, message: compiled })
    }
  }

  find(text: string, work?: WorkBudget): Hit[] {
    const hits: Hit[] = []
    for (const { name, expression } of this.#compiled) {
      const matcher = expression.matcher(text)
      const size = expression.programSize()
      for (let count = 0, from = 0; count < maxHits; count++) {
        work?.spend(size * (text.length - from))
        if (!matcher.find()) break
        const [start, end] = [matcher.start(), matcher.end()]
        from = end
        if (end > start) hits.push({ model: name, kind: 'regex', type: name, start, end, source: 'model' })
      }
    }
    return hits
  }
}
