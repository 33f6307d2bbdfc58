import { Link } from '@tanstack/react-router'
import { type ColumnDef, tableFeatures, useTable } from '@tanstack/react-table'
import { useMemo, useRef } from 'react'
import { operationOf, type ServiceCatalogue, type View } from '../data/catalogue.ts'
import { at, type Item, keyOf, nameOf, sameKey, textOf } from '../data/values.ts'
import { useShortcuts } from '../parts/keyboard.tsx'
import { Snippets } from '../parts/snippets.tsx'
import { Value } from '../parts/values.tsx'
import type { ListSearch } from '../router.tsx'

interface TableProps {
  readonly service: ServiceCatalogue
  readonly view: View
  readonly items: readonly Item[]
  readonly scope: Readonly<Record<string, string>>
  readonly search: ListSearch
  readonly isLoading: boolean
  readonly onSort: (sort: string) => void
}

const features = tableFeatures({})

/** Rows that match the filter, sorted by a column: `-created` is newest first. */
function chosen(items: readonly Item[], view: View, { filter = '', sort = '' }: ListSearch): Item[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const text = (item: Item) => `${nameOf(view, item)} ${JSON.stringify(item)}`.toLowerCase()
  const left = items.filter((item) => words.every((word) => text(item).includes(word)))
  if (!sort) return left
  const path = sort.replace(/^-/, '')
  const sign = sort.startsWith('-') ? -1 : 1
  const value = (item: Item) => at(item, path)
  return left.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)]
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : textOf(x).localeCompare(textOf(y))
    return sign * order
  })
}

export function ResourceTable(props: TableProps) {
  const { service, view, items, search, isLoading, onSort } = props
  const rows = useMemo(() => chosen(items, view, search), [items, view, search])
  const columns = useMemo(
    () =>
      view.columns.map(
        ({ path, label }): ColumnDef<typeof features, Item> => ({
          id: path,
          header: label,
          accessorFn: (item) => at(item, path),
        }),
      ),
    [view],
  )
  const table = useTable({ features, columns, data: rows })
  const body = useRef<HTMLTableSectionElement>(null)
  const step = (by: number) => () => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('a.row') ?? [])]
    const now = links.indexOf(document.activeElement as HTMLElement)
    links[Math.max(0, Math.min(links.length - 1, now + by))]?.focus()
  }
  useShortcuts({ j: step(1), k: step(-1) })
  if (isLoading) return <Skeleton columns={view.columns.length} />
  if (items.length === 0) return <Empty {...props} />
  if (rows.length === 0) return <p className="muted">No rows match '{search.filter}'.</p>
  return (
    <div className="scroll">
      <table>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map(({ id, column }) => (
                <th key={id} scope="col" aria-sort={sortOf(search.sort, id)}>
                  <button type="button" className="quiet" onClick={() => onSort(search.sort === id ? `-${id}` : id)}>
                    {String(column.columnDef.header)}
                  </button>
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody ref={body}>
          {table.getRowModel().rows.map((row) => {
            const key = keyOf(view, row.original)
            const isOpen = search.item !== undefined && sameKey(key, search.item)
            return (
              <tr key={row.id} className={isOpen ? 'open' : ''}>
                {row.getAllCells().map((cell, index) => (
                  <td key={cell.id} data-label={view.columns[index]?.label}>
                    {index === 0 ? (
                      <Link
                        className="row"
                        to="/$service/$view"
                        params={{ service: service.name, view: view.id }}
                        search={({ act: _, tab: __, ...old }: ListSearch) => ({ ...old, item: key })}
                        aria-current={isOpen || undefined}
                      >
                        {nameOf(view, row.original) || '(no name)'}
                      </Link>
                    ) : (
                      <Value kind={view.columns[index]?.kind ?? 'text'} value={cell.getValue()} />
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const sortOf = (sort: string | undefined, id: string) =>
  sort === id ? 'ascending' : sort === `-${id}` ? 'descending' : undefined

/** Placeholder rows, which CSS shows only after a delay. */
function Skeleton({ columns }: { readonly columns: number }) {
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: Math.max(3, columns) }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

/** Explains an empty list and offers to create the first item. */
function Empty({ service, view, scope, search }: TableProps) {
  const create = operationOf(service, view.create)
  return (
    <div className="empty">
      <p>{view.about}</p>
      {create && (
        <>
          <p>
            <Link
              className="button"
              to="/$service/$view"
              params={{ service: service.name, view: view.id }}
              search={{ ...search, act: 'create' }}
            >
              Create the first one
            </Link>
          </p>
          <details>
            <summary>Show as code</summary>
            <Snippets
              found={create}
              service={service.name}
              parts={{ params: { ...service.scope, ...scope }, body: view.example }}
            />
          </details>
        </>
      )}
    </div>
  )
}
