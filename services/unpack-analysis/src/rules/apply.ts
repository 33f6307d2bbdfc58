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
    return { wrong: `A rule has calls that stand more than ${maxCallDepth} deep in each other.` }
  const compiler = new Compiler()
  try {
    for (const [index, source] of sources.entries()) {
      if (index > 0) compiler.newNamespace(`rules${index}`) // two of them may have the same names
      compiler.addSource(source)
    }
    const rules = compiler.build()
    return { matches: files.map((file) => matchesIn(rules, file)) }
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) }
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
            `0x${offset.toString(16)}:${pattern.identifier}: ${shown(file.subarray(offset, offset + length))}`,
        ),
    ),
  }))
}

function shown(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, maxShownLength))
  const isText = text.every((byte) => byte >= 0x20 && byte < 0x7f)
  return isText ? text.toString('latin1') : (text.toString('hex').match(/../g) ?? []).join(' ')
}
