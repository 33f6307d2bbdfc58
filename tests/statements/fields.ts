import { isDeepStrictEqual } from 'node:util'
import type { Answer, Node } from './statements.ts'

type Expected = Readonly<Record<string, unknown>>

export const isText = (value: unknown) => typeof value === 'string' && value.length > 0
export const isWhole = (value: unknown) => Number.isInteger(value)
/** Whether a value is a Unix time in seconds, within an hour of now. */
export const isRecent = (value: unknown) => typeof value === 'number' && Math.abs(Date.now() / 1000 - value) < 3_600

const isAsExpected = (value: unknown, expected: unknown) =>
  typeof expected === 'function' ? expected(value) === true : isDeepStrictEqual(value, expected)

/** One statement for each field of a shape: its expected value, or a check. */
export function fieldStatements(holds: Node['holds']) {
  return (of: string, shape: unknown, expected: Expected) => {
    const fields = (shape ?? {}) as Expected
    for (const [name, wanted] of Object.entries(expected))
      holds(`${of} has ${name}`, isAsExpected(fields[name], wanted), { [name]: fields[name], shape })
  }
}

/** Whether a signed service answered with an exception of this name. */
export const isException = ({ status, headers }: Answer, name: string) =>
  status >= 400 && headers.get('x-amzn-errortype') === name
