import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RouteChange } from '../../cells/cell.ts'
import { keyOf } from './key.ts'
import { Rows } from './rows.ts'
import { RouteTable } from './table.ts'

test('rows are found as in a map, before and after merges', () => {
  const key = fc.nat(40).map((n) => keyOf('tag', String(n)))
  const step = fc.oneof(
    fc.record({ key, value: fc.option(fc.uint8Array({ minLength: 2, maxLength: 2 }), { nil: undefined }) }),
    fc.constant('merge' as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const rows = new Rows(2, Buffer.alloc(0))
      const reference = new Map<string, Buffer>()
      for (const each of steps) {
        if (each === 'merge') {
          expect(rows.merge().length).toBe(reference.size * 10)
          continue
        }
        const { key, value } = each
        rows.set(key, value && Buffer.from(value))
        if (value) reference.set(key.toString('hex'), Buffer.from(value))
        else reference.delete(key.toString('hex'))
      }
      for (let n = 0; n <= 40; n++) {
        const key = keyOf('tag', String(n))
        expect(rows.get(key)).toEqual(reference.get(key.toString('hex')))
      }
    }),
  )
})

test('a table says where tags, tenants and names are, whatever the order and repetition of changes', () => {
  const cell = fc.constantFrom('a', 'b', 'c')
  const tenant = fc.constantFrom('t1', 't2', 't3')
  const change: fc.Arbitrary<RouteChange> = fc.oneof(
    fc.record({
      kind: fc.constant('cell' as const),
      name: cell,
      url: fc.constantFrom('http://1', 'http://2'),
      isHome: fc.boolean(),
      isRemoved: fc.boolean(),
      version: fc.constant('1'),
    }),
    fc
      .record({
        kind: fc.constant('tenant' as const),
        tenant,
        cell,
        isHeld: fc.boolean(),
        isRemoved: fc.boolean(),
        version: fc.constant('1'),
      })
      .map((each) => ({ ...each, tag: `tag-${each.tenant}` })),
    fc.record({
      kind: fc.constant('name' as const),
      purpose: fc.constantFrom('store', 'function'),
      name: fc.constantFrom('x', 'y'),
      tenant,
      isRemoved: fc.boolean(),
      version: fc.constant('1'),
    }),
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), fc.nat(), (changes, cut) => {
      const table = new RouteTable()
      const at = changes.length === 0 ? 0 : cut % changes.length
      table.apply(changes.slice(0, at))
      const restored = new RouteTable(table.snapshot())
      for (const each of [table, restored]) each.apply(changes.slice(at))
      for (const each of [table, restored])
        for (const by of ['tag', 'tenant', 'store', 'function'] as const)
          for (const value of ['tag-t1', 't1', 't2', 'x', 'y', 'other']) {
            const route = each.find({ by, value })
            expect(route && { cell: route.cell.name, url: route.cell.url, isOnHold: route.isOnHold }).toEqual(
              expected(changes, by, value),
            )
          }
    }),
  )
})

/** The last change of each thing, without any index. */
function expected(changes: readonly RouteChange[], by: string, value: string) {
  const name = changes.findLast((each) => each.kind === 'name' && each.purpose === by && each.name === value)
  if ((by === 'store' || by === 'function') && (name?.kind !== 'name' || name.isRemoved)) return undefined
  const wanted = name?.kind === 'name' ? name.tenant : value.replace(by === 'tag' ? /^tag-/ : /^$/, '')
  if (by === 'tag' && !value.startsWith('tag-')) return undefined
  const tenant = changes.findLast((each) => each.kind === 'tenant' && each.tenant === wanted)
  if (tenant?.kind !== 'tenant' || tenant.isRemoved) return undefined
  const cell = changes.findLast((each) => each.kind === 'cell' && each.name === tenant.cell)
  return cell?.kind === 'cell' && !cell.isRemoved
    ? { cell: cell.name, url: cell.url, isOnHold: tenant.isHeld }
    : undefined
}
