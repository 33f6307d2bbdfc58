import { Compiler, type Rules } from '@virustotal/yara-x'
import { callDepth } from './count.ts'
import type { Applied, Match } from './tasks.ts'

interface ScanResult {
  readonly matches?: readonly {
    readonly identifier: string
    readonly patterns?: readonly {
      readonly identifier: string
      readonly matches?: readonly { readonly offset: number; readonly length: number }[]
    }[]
  }[]
}

const maxMatches = 200
const maxShownLength = 64
const maxCallDepth = 6

export function apply(sources: readonly string[], files: readonly Uint8Array[]): Applied {
  if (sources.some((source) => callDepth(source) > maxCallDepth))
    return { error: `A rule has calls nested more than ${maxCallDepth} deep.` }
  const compiler = new Compiler()
  try {
    for (const [index, source] of sources.entries()) {
      if (index > 0) compiler.newNamespace(`rules${index}`) // names may repeat
      compiler.addSource(source)
    }
    const rules = compiler.build()
    return { matches: files.map((file) => matchesIn(rules, file)) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

function matchesIn(rules: Rules, file: Uint8Array): Match[] {
  const scanner = rules.scanner()
  scanner.setMaxMatchesPerPattern(maxMatches)
  const { matches = [] } = scanner.scan(file) as ScanResult
  return matches.map(({ identifier, patterns = [] }) => ({
    rule: identifier,
    string_information: patterns.flatMap((pattern) =>
      (pattern.matches ?? [])
        .slice(0, maxMatches)
        .map(
          ({ offset, length }) =>
            `0x${offset.toString(16)}:${pattern.identifier}: ${format(file.subarray(offset, offset + length))}`,
        ),
    ),
  }))
}

function format(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, maxShownLength))
  const isText = text.every((byte) => byte >= 0x20 && byte < 0x7f)
  return isText ? text.toString('latin1') : (text.toString('hex').match(/../g) ?? []).join(' ')
}
