import { having, ignoring, named, readOnly, Type, writable } from '@icosa/contract'
import { expect, test } from 'vitest'
import { closed, ignoredRemover } from './fields.ts'
import { formReader, lazyValidator } from './validate.ts'

const Part = named('Part', { id: readOnly(Type.Optional(Type.String())), size: Type.Integer() })
const Whole = having(
  writable(named('Whole', { id: readOnly(Type.String()), name: Type.Optional(Type.String()), 'a/b': Type.Integer() })),
  {
    parts: Type.Optional(Type.Array(writable(Part))),
    other: Type.Optional(Type.Nullable(ignoring(named('Other', { color: Type.String() }), ['tone']))),
    tags: Type.Optional(Type.Record(Type.String())),
  },
)

const problems = lazyValidator(closed(Whole), 'body')

test('read-only and ignored fields are removed at every depth', () => {
  const sent = {
    id: 'x',
    'a/b': 1,
    parts: [{ id: '1', size: 2 }],
    other: { color: 'red', tone: 'dark' },
    tags: { id: 'mine' },
  }
  const read = ignoredRemover(Whole)(sent)
  expect(read).toEqual({ 'a/b': 1, parts: [{ size: 2 }], other: { color: 'red' }, tags: { id: 'mine' } })
  expect(problems(read)).toEqual([])
  expect(ignoredRemover(named('Plain', { a: Type.String() }))(sent)).toBe(sent)
})

test('any other unknown field is refused with its path and the closest name', () => {
  expect(problems({ 'a/b': 1, nmae: 'x', parts: [{ size: 1, seize: 2 }] })).toEqual([
    { at: 'body/nmae', message: "is unknown; did you mean 'name'?" },
    { at: 'body/parts/0/seize', message: "is unknown; did you mean 'size'?" },
  ])
  expect(problems({ 'a/b': 1, qqqqqqqq: 1 })).toEqual([{ at: 'body/qqqqqqqq', message: 'is unknown' }])
  expect(problems({ 'a/b': 1, other: { color: 'red', clor: 1 } })).toContainEqual({
    at: 'body/other/clor',
    message: "is unknown; did you mean 'color'?",
  })
})

test('forms refuse unknown fields, too', () => {
  const read = formReader(ignoring(named('Form', { text: Type.String() }), ['utm_source']))
  expect(read({ text: 'x', utm_source: 'mail' })).toEqual({ text: 'x' })
  expect(() => read({ text: 'x', txet: 'y' })).toThrow(
    expect.objectContaining({ details: [{ at: 'body/txet', message: "is unknown; did you mean 'text'?" }] }),
  )
})
