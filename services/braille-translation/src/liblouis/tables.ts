import { basename } from 'node:path'
import { Failure } from '@icosa/kernel'
import { binding, type OpenTable } from './binding.ts'

/** Metadata of a liblouis table. */
export interface Table {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly grade?: string
  readonly type?: string
  /** `forward` tables cannot translate back. */
  readonly direction?: string
}

export const DEFAULT_TABLE = 'en-ueb-g2.ctb'

let paths: ReadonlyMap<string, string> | undefined
let descriptions: readonly Table[] | undefined
const openTables = new Map<string, OpenTable>()

/** All tables, ordered by id. */
export function tables(): readonly Table[] {
  descriptions ??= [...tablePaths()].map(([id, path]) => describe(id, path)).sort((a, b) => (a.id < b.id ? -1 : 1))
  return descriptions
}

/** Opens a table once. liblouis only ever gets paths that it listed itself. */
export function openTable(id: string): OpenTable {
  let table = openTables.get(id)
  if (!table) {
    table = binding().open(pathOf(id))
    openTables.set(id, table)
  }
  return table
}

export function openBackwardTable(id: string): OpenTable {
  const table = openTable(id)
  if (tables().some((other) => other.id === id && other.direction === 'forward')) {
    throw new Failure(
      'invalid',
      `The table '${id}' cannot translate back: choose one whose direction is not 'forward'.`,
    )
  }
  return table
}

export function pathOf(id: string): string {
  const path = tablePaths().get(id)
  if (path === undefined) {
    throw new Failure(
      'invalid',
      `There is no table '${id}': list the tables to see their ids, such as '${DEFAULT_TABLE}'.`,
    )
  }
  return path
}

function tablePaths(): ReadonlyMap<string, string> {
  if (!paths) {
    const listed = new Map(
      binding()
        .tablePaths()
        .map((path) => [basename(path), path]),
    )
    if (listed.size === 0) {
      throw new Failure('unavailable', 'liblouis has no tables: install the Debian package liblouis-data.')
    }
    paths = listed
  }
  return paths
}

function describe(id: string, path: string): Table {
  const { metadata } = binding()
  const optional = (key: string) => {
    const value = metadata(path, key)
    return value === undefined ? {} : { [key]: value }
  }
  return {
    id,
    name: metadata(path, 'display-name') ?? metadata(path, 'index-name') ?? metadata(path, 'name') ?? id,
    language: metadata(path, 'language') ?? 'und',
    ...optional('grade'),
    ...optional('type'),
    ...optional('direction'),
  }
}
