import { expect, test } from 'vitest'
import { type Dialect, operationsOf } from '../operation.ts'
import { named, Type } from '../schema.ts'
import type { Panel } from './panel.ts'
import { resolveServicePanels, resolveViews, viewedOperations } from './resolve.ts'

const dialect: Dialect = {
  name: 'test',
  security: { type: 'apiKey', in: 'header', name: 'X-Key' },
  operationNames: 'unique',
  caseSensitive: true,
  error: named('Error', { message: Type.String() }),
  errorStatuses: [400],
}
const { get, post } = operationsOf(dialect)
const Line = named('Line', { text: Type.String(), at: Type.String({ format: 'date-time' }), level: Type.String() })
const operations = viewedOperations({
  lamps: {
    listLamps: get('/lamps', {
      summary: 'List lamps.',
      replies: { 200: Type.Object({ lamps: Type.Array(Type.Object({ name: Type.String() })) }) },
    }),
    getLamp: get('/lamps/{name}', {
      summary: 'Read a lamp.',
      replies: { 200: Type.Object({ name: Type.String(), room: Type.String(), colours: Type.Array(Line) }) },
    }),
    listLines: get('/lines', {
      summary: 'List lines.',
      query: Type.Object({ lamp: Type.String(), limit: Type.Optional(Type.Integer()) }),
      replies: { 200: Type.Object({ days: Type.Array(Type.Object({ lines: Type.Array(Line) })) }) },
    }),
    blink: post('/lamps/{name}/blink', {
      summary: 'Blink.',
      body: Type.Object({ times: Type.Integer(), how: Type.Object({ bright: Type.Boolean() }) }),
      replies: { 200: Type.Object({ result: Type.Record(Type.Object({ seconds: Type.Number() })) }) },
    }),
  },
})

const panelOf = (panel: Panel) =>
  resolveViews({ group: 'Data', resources: { listLamps: { title: 'Lamps', panels: [panel] } } }, operations)[0]
    ?.panels[0]

const lines: Panel = {
  title: 'Log',
  operation: 'listLines',
  fields: { lamp: 'name' },
  query: { limit: '50' },
  show: { as: 'lines', rows: 'days.lines', text: 'text', time: 'at' },
}

test('a panel names an operation, its parameters, and paths through lists of its reply', () => {
  expect(panelOf(lines)).toEqual({
    title: 'Log',
    as: 'lines',
    reads: true,
    call: { operation: 'listLines', fields: { lamp: 'name' }, query: { limit: '50' } },
    show: { rows: 'days.lines', text: 'text', time: 'at' },
  })
})

test('a panel may draw the item, and members of an object as rows', () => {
  expect(panelOf({ title: 'Colours', show: { as: 'table', rows: 'colours' } })).toMatchObject({
    columns: [{ path: 'text' }, { path: 'level' }, { path: 'at', kind: 'time' }],
  })
  const blink: Panel = {
    title: 'Blink',
    operation: 'blink',
    fields: { 'how.bright': 'room' },
    body: { times: 3 },
    show: { as: 'table', rows: 'result' },
    columns: ['name', 'number:seconds'],
  }
  expect(panelOf(blink)).toMatchObject({
    call: { body: { times: 3 } },
    columns: [{ path: 'name' }, { path: 'seconds', kind: 'number' }],
  })
})

test.each<[string, Panel, string]>([
  ['an operation', { ...lines, operation: 'listAll' }, "names the operation 'listAll', which does not exist"],
  ['another operation', { ...lines, also: { operation: 'none' } }, "names the operation 'none'"],
  ['a parameter', { ...lines, query: { page: '1' } }, "gives 'page', which no parameter is"],
  ['a member of the body', { ...lines, fields: { lamps: 'name' } }, "gives 'lamps'"],
  ['a field of the item', { ...lines, fields: { lamp: 'title' } }, "names the field 'title'"],
  ['a list', { ...lines, show: { as: 'lines', rows: 'days.words', text: 'text' } }, "names the field 'words'"],
  ['a field of a row', { ...lines, show: { as: 'lines', rows: 'days.lines', text: 'words' } }, "the field 'words'"],
  ['a column', { title: 'Log', show: { as: 'table', rows: 'colours' }, columns: ['size'] }, "the field 'size'"],
  ['a required path', { ...lines, show: { as: 'lines', rows: 'days.lines' } as never }, "where its 'text' is"],
  ['a path', { ...lines, show: { ...lines.show, size: 'text' } as never }, "where 'size' is, which it does not draw"],
])('%s that does not exist is refused', (_, panel, message) => {
  expect(() => panelOf(panel)).toThrow(message)
})

test('a service has panels without an item', () => {
  const of = (panel: Panel) => resolveServicePanels({ group: 'Data', resources: {}, panels: [panel] }, operations)
  const { fields: _, ...asked } = lines
  expect(of({ ...asked, ask: { lamp: 'hall' } })[0]?.call).toMatchObject({ ask: { lamp: 'hall' } })
  expect(() => of(lines)).toThrow("names the field 'name'")
})
