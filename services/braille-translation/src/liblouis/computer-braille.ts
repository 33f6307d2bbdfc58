import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const INCLUDE = /^include\s+(\S+)/
const SWITCH = /^(?:noback\s+)?(?:compbrl|literal)\s+(\S+)/

const switches = new Map<string, RegExp | undefined>()

/**
 * What makes a table write a whole word in computer braille (`www.`, `.com`, `://`), or undefined when nothing does.
 * liblouis 3.24 goes back to the start of the word for it, and in some tables to the start of an earlier one, again and
 * again without end. A word that is given to it alone has no earlier one.
 */
export function computerBrailleSwitch(path: string): RegExp | undefined {
  if (!switches.has(path)) {
    const found = collect(path, new Set(), new Set())
    switches.set(path, found.size === 0 ? undefined : new RegExp([...found].map(RegExp.escape).join('|'), 'iu'))
  }
  return switches.get(path)
}

function collect(path: string, seen: Set<string>, found: Set<string>): Set<string> {
  if (seen.has(path)) return found
  seen.add(path)
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const included = INCLUDE.exec(line)?.[1]
    if (included !== undefined) collect(join(dirname(path), included), seen, found)
    const trigger = SWITCH.exec(line)?.[1]
    if (trigger !== undefined) found.add(unescaped(trigger))
  }
  return found
}

function unescaped(operand: string): string {
  return operand.replace(/\\x([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
