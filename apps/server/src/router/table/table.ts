import type { RouteChange } from '../../cells/cell.ts'
import type { Named } from '../../tenants/named.ts'
import { keyBytes, keyOf } from './key.ts'
import { Rows } from './rows.ts'

/** A cell as routers know it. Its index, by which rows refer to it, never changes. */
export interface RoutedCell {
  readonly name: string
  readonly url: string
  readonly isHome: boolean
  readonly isRemoved: boolean
}

/** Where the requests of a tenant go. While the tenant is on hold, they wait. */
export interface Route {
  readonly cell: RoutedCell
  readonly isOnHold: boolean
}

/** Content of a table, as its file has it. */
export interface Snapshot {
  /** Version of the directory. */
  readonly version: string
  readonly cells: readonly RoutedCell[]
  /** Tags and tenants with the index of their cell. */
  readonly places: Buffer
  /** Names with the key of their tenant. */
  readonly names: Buffer
}

export const emptySnapshot: Snapshot = { version: '0', cells: [], places: Buffer.alloc(0), names: Buffer.alloc(0) }

/** Width of a row of `places`: the value is a cell's index, with the first bit for tenants on hold. */
export const placeBytes = keyBytes + 2
export const nameBytes = keyBytes + keyBytes
export const onHold = 0x8000

/** A router's copy of the directory, of about 20 bytes for a tenant and 16 for a name. */
export class RouteTable {
  #version: string
  readonly #cells: RoutedCell[]
  readonly #indexes: Map<string, number>
  readonly #places: Rows
  readonly #names: Rows

  constructor({ version, cells, places, names }: Snapshot = emptySnapshot) {
    this.#version = version
    this.#cells = [...cells]
    this.#indexes = new Map(cells.map(({ name }, index) => [name, index]))
    this.#places = new Rows(placeBytes - keyBytes, places)
    this.#names = new Rows(nameBytes - keyBytes, names)
  }

  get version(): string {
    return this.#version
  }

  get cells(): readonly RoutedCell[] {
    return this.#cells
  }

  get home(): RoutedCell | undefined {
    return this.#cells.find(({ isHome, isRemoved }) => isHome && !isRemoved)
  }

  cell(name: string): RoutedCell | undefined {
    const cell = this.#cells[this.#indexes.get(name) ?? -1]
    return cell?.isRemoved ? undefined : cell
  }

  /** Returns the route of the tenant that a request names, or undefined if it is unknown here. */
  find(named: Named): Route | undefined {
    if (!('value' in named)) return undefined
    const key = keyOf(named.by, named.value)
    const tenant = named.by === 'tag' || named.by === 'tenant' ? key : this.#names.get(key)
    const place = tenant && this.#places.get(tenant)?.readUInt16BE()
    if (place === undefined) return undefined
    const cell = this.#cells[place & ~onHold]
    return cell && !cell.isRemoved ? { cell, isOnHold: place >= onHold } : undefined
  }

  /** Applies changes of the directory, in the order of their versions. Applying them again has no effect. */
  apply(changes: readonly RouteChange[]): void {
    for (const change of changes) {
      for (const { rows, key, value } of this.rowsOf(change))
        (rows === 'places' ? this.#places : this.#names).set(key, value)
      this.#version = change.version
    }
  }

  /** Returns the rows that a change sets or removes; a changed cell has none, and is applied at once. */
  rowsOf(change: RouteChange): { rows: 'places' | 'names'; key: Buffer; value: Buffer | undefined }[] {
    switch (change.kind) {
      case 'cell':
        this.#applyCell(change)
        return []
      case 'tenant': {
        const value = change.isRemoved ? undefined : placeOf(this.#indexOf(change.cell), change.isHeld)
        const keys = [keyOf('tag', change.tag), keyOf('tenant', change.tenant)]
        return keys.map((key) => ({ rows: 'places', key, value }))
      }
      case 'name': {
        const value = change.isRemoved ? undefined : keyOf('tenant', change.tenant)
        return [{ rows: 'names', key: keyOf(change.purpose, change.name), value }]
      }
    }
  }

  /** Expects all changes again, from a directory that has begun anew. */
  rewind(): void {
    this.#version = '0'
  }

  snapshot(): Snapshot {
    const [version, cells] = [this.#version, [...this.#cells]]
    return { version, cells, places: this.#places.merge(), names: this.#names.merge() }
  }

  #applyCell({ name, url, isHome, isRemoved }: Extract<RouteChange, { kind: 'cell' }>): void {
    this.#cells[this.#indexOf(name)] = { name, url, isHome, isRemoved }
  }

  /** A tenant may be read before its cell, which has changed since: the cell is then unknown for a moment. */
  #indexOf(name: string): number {
    const known = this.#indexes.get(name)
    if (known !== undefined) return known
    const index = this.#cells.push({ name, url: '', isHome: false, isRemoved: true }) - 1
    if (index >= onHold) throw new Error(`The directory has more than ${onHold} cells: this version cannot route them.`)
    this.#indexes.set(name, index)
    return index
  }
}

function placeOf(index: number, isOnHold: boolean): Buffer {
  const value = Buffer.allocUnsafe(placeBytes - keyBytes)
  value.writeUInt16BE(isOnHold ? index | onHold : index)
  return value
}
