import { expect, test } from 'vitest'
import { type Conditions, demandConditions, isUnchanged } from './conditions.ts'

/** Outcomes of a read and of a change in this state. */
function outcomes(conditions: Conditions, etag: string | undefined): [read: string, change: string] {
  const outcome = (work: () => string) => {
    try {
      return work()
    } catch (error) {
      return (error as { kind?: string }).kind ?? 'crash'
    }
  }
  return [
    outcome(() => (isUnchanged(conditions, etag) ? 'unchanged' : 'sent')),
    outcome(() => {
      demandConditions(conditions, etag)
      return 'changed'
    }),
  ]
}

const fits: [string, string] = ['sent', 'changed']
const fails: [string, string] = ['preconditionFailed', 'preconditionFailed']
const known: [string, string] = ['unchanged', 'preconditionFailed']

test.each<[header: string, etag: string | undefined, ifMatch: [string, string], ifNoneMatch: [string, string]]>([
  ['"a"', '"a"', fits, known],
  ['"b"', '"a"', fails, fits],
  [' "b" , "a" ', '"a"', fits, known],
  [', "b",, "a",', '"a"', fits, known],
  ['"b", "c"', '"a"', fails, fits],
  ['"bc", "de"', '"de"', fits, known],
  ['*', '"a"', fits, known],
  [' * ', '"a"', fits, known],
  ['"*"', '"a"', fails, fits],
  // If-Match compares strongly, If-None-Match weakly.
  ['W/"a"', '"a"', fails, known],
  ['"a"', 'W/"a"', fails, known],
  ['W/"a"', 'W/"a"', fails, known],
  ['W/"b", "a"', '"a"', fits, known],
  // Quoted text is opaque.
  ['"a,b"', '"a,b"', fits, known],
  ['"b, a"', '"a"', fails, fits],
  ['"W/a"', '"a"', fails, fits],
  ['""', '""', fits, known],
  // No resource, or one without an ETag.
  ['"a"', undefined, fails, fits],
  ['*', undefined, fails, fits],
  ['"a"', '', fails, fits],
  ['""', '', fails, fits],
  ['*', '', fits, known],
])('%s for the state %s', (header, etag, ifMatch, ifNoneMatch) => {
  expect(outcomes({ 'if-match': header }, etag)).toEqual(ifMatch)
  expect(outcomes({ 'if-none-match': header }, etag)).toEqual(ifNoneMatch)
})

test.each(['', 'a', '"a', 'a"', '"a" "b"', '*, "a"', 'w/"a"', 'W/a', "'a'", `"a"${','.repeat(50_000)}b`])(
  'a malformed list of ETags is refused: %.20s',
  (header) => {
    expect(outcomes({ 'if-match': header }, '"a"')).toEqual(['invalid', 'invalid'])
    expect(outcomes({ 'if-none-match': header }, '"a"')).toEqual(['invalid', 'invalid'])
    expect(() => isUnchanged({ 'if-match': header }, '"a"')).toThrow('headers/if-match must be')
  },
)

test('no condition always holds, and of two both must hold', () => {
  expect(outcomes({}, '"a"')).toEqual(fits)
  expect(outcomes({}, undefined)).toEqual(fits)
  expect(outcomes({ 'if-match': '"a"', 'if-none-match': '"b"' }, '"a"')).toEqual(fits)
  expect(outcomes({ 'if-match': '"a"', 'if-none-match': '"a"' }, '"a"')).toEqual(known)
  expect(outcomes({ 'if-match': '"b"', 'if-none-match': '"a"' }, '"a"')).toEqual(fails)
})
