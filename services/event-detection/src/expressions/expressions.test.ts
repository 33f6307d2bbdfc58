import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readsOf, updateInputs } from '../engine/inputs.ts'
import { compile, type Scope } from './compile.ts'
import { parse } from './parse.ts'
import { readPayload } from './payload.ts'
import { referencesOf } from './references.ts'
import type { Value } from './value.ts'

type Expected = Value | { readonly problem: string } | { readonly syntax: string; readonly at?: number }

interface Table {
  readonly message: string
  readonly variables: Readonly<Record<string, Value>>
  readonly elapsed: readonly string[]
  readonly cases: Readonly<Record<string, readonly (readonly [string, Expected])[]>>
}

const table = JSON.parse(readFileSync(new URL('testing/cases.json', import.meta.url), 'utf8')) as Table

/** Evaluates with the values that a detector would store. */
function evaluateText(text: string): unknown {
  const parsed = parse(text)
  if (!parsed.node) return { syntax: parsed.problem, at: parsed.at }
  const scope: Scope = {
    variables: table.variables,
    inputs: updateInputs({}, readsOf(referencesOf(parsed.node).inputs), 'In', readPayload(table.message)),
    currentInput: 'In',
    timeout: (timerName) => table.elapsed.includes(timerName),
  }
  return compile(parsed.node)(scope)
}

function matcher(expected: Expected): unknown {
  if (typeof expected !== 'object' || expected === null || 'decimal' in expected) return expected
  if ('problem' in expected) return expect.objectContaining({ problem: expect.stringContaining(expected.problem) })
  const { syntax, at = expect.any(Number) } = expected
  return { syntax: expect.stringContaining(syntax), at }
}

for (const [group, cases] of Object.entries(table.cases)) {
  describe(group, () => {
    test.each(cases)('%s', (text, expected) => {
      expect(evaluateText(text)).toEqual(matcher(expected))
    })
  })
}

test('the table has at least 150 cases', () => {
  const count = Object.values(table.cases).flat().length
  console.log(`${count} expressions with their values`)
  expect(count).toBeGreaterThanOrEqual(150)
})

test('a message preserves how its numbers are written', () => {
  const payload = readPayload('{"a":20.0,"b":20,"c":1e2,"d":0.5,"e":[-0.0],"f":"20.0","g":12345678901234567890}')
  expect(JSON.stringify(payload)).toBe(
    '{"a":20.0,"b":20,"c":1e2,"d":0.5,"e":[-0.0],"f":"20.0","g":12345678901234567000}',
  )
})

test('length, nesting and result size are limited', () => {
  expect(parse(`${'1+'.repeat(300)}1`, 512)).toEqual({ problem: 'is longer than 512 characters', at: 513 })
  expect(parse('('.repeat(200))).toMatchObject({ problem: expect.stringContaining('nested') })
  expect(parse("'${".repeat(200))).toMatchObject({ problem: expect.stringContaining('nested') })
  expect(parse('!'.repeat(200))).toMatchObject({ problem: expect.stringContaining('nested') })
  const long = 'x'.repeat(8_192)
  const parsed = parse('$variable.long + $variable.long')
  if (!parsed.node) throw new Error(parsed.problem)
  const scope: Scope = { variables: { long }, inputs: {}, currentInput: undefined, timeout: () => false }
  expect(compile(parsed.node)(scope)).toEqual({ problem: 'the text is longer than 8192 characters' })
})
