import { readFileSync } from 'node:fs'

/** One operation of the specification. */
export interface SpecifiedOperation {
  readonly service: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly success: readonly number[]
}

/** The 376 operations of the specification, from our own table. */
export function specifiedOperations(): SpecifiedOperation[] {
  const lines = readFileSync(new URL('operations.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
  return lines.map((line) => {
    const [service = '', name = '', method = '', path = '', success = ''] = line.split('\t')
    return { service, name, method, path, success: success.split(' ').map(Number) }
  })
}
