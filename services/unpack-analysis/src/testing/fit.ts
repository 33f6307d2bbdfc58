import { isElf } from '../engine/magic.ts'
import type { Analysis } from '../engine/report.ts'
import { elfFactsOf, elfTextOf } from './linux/facts.ts'
import { factsOf, textOf } from './pe-facts.ts'
import type { PackedSample } from './samples.ts'

/** Which properties of the original were restored. */
export interface Fit {
  readonly entry: boolean
  readonly code: boolean
  readonly imports: boolean
}

export const solved: Fit = { entry: true, code: true, imports: true }

export function fitOf({ original, addsImports }: PackedSample, { unpacked }: Analysis): Fit {
  if (!unpacked) return { entry: false, code: false, imports: false }
  const [facts, expected] = isElf(original)
    ? [elfFactsOf(unpacked, elfTextOf(original)), elfFactsOf(original)]
    : [factsOf(unpacked, textOf(original)), factsOf(original)]
  return {
    entry: facts.entry === expected.entry,
    code: facts.code === expected.code,
    imports:
      expected.imports.every((name) => facts.imports.includes(name)) &&
      (addsImports === true || facts.imports.length === expected.imports.length),
  }
}

/** Known unsolved samples. */
export const unsolved: Readonly<Record<string, Fit>> = {
  'stolen bytes, jumped to by a register': { entry: false, code: false, imports: true },
}
