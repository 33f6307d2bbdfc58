import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const INCLUDE = /^include\s+(\S+)/
const SWITCH = /^(?:noback\s+)?(?:compbrl|literal)\s+(\S+)/

const switches = new Map<string, RegExp | undefined>()

/**
 * Matches triggers by which a table writes a whole word in computer braille (`www.`, `.com`, `://`); undefined if it has none.
 * liblouis 3.24 then returns to the start of the word, in some tables to that of an earlier one, in an endless loop. In a
 * word translated alone there is no earlier one.
 */
export function computerBrailleSwitch(path: string): RegExp | undefined {
  if (!switches.has(path)) {
    const triggers = collect(path, new Set(), new Set())
    switches.set(path, triggers.size === 0 ? undefined : new RegExp([...triggers].map(RegExp.escape).join('|'), 'iu'))
  }
  return switches.get(path)
}

function collect(path: string, visited: Set<string>, triggers: Set<string>): Set<string> {
  if (visited.has(path)) return triggers
  visited.add(path)
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const include = INCLUDE.exec(line)?.[1]
    if (include !== undefined) collect(join(dirname(path), include), visited, triggers)
    const trigger = SWITCH.exec(line)?.[1]
    if (trigger !== undefined) triggers.add(unescaped(trigger))
  }
  return triggers
}

function unescaped(operand: string): string {
  return operand.replace(/\\x([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
