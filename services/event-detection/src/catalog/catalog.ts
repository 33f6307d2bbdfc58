import type { ReadingDb } from '@icosa/kernel'
import { pathOf } from '../expressions/payload.ts'
import type { Segment } from '../expressions/syntax.ts'
import { type CatalogRow, read, versionOf } from './store.ts'

type Path = readonly Segment[]

/** Versioned snapshot of the message routes of a tenant. */
export interface Catalog {
  readonly tenant: string
  readonly version: string
  readonly inputs: ReadonlyMap<string, RoutedInput>
}
export interface RoutedInput {
  readonly attributes: readonly Path[]
  readonly routes: readonly Route[]
}
/** A model that reads an input, with the attribute that identifies the instance. */
export interface Route {
  readonly modelId: string
  readonly key: { readonly attribute: string; readonly path: Path } | undefined
}

export function catalogOf(tenant: string, { version, inputs, models }: CatalogRow): Catalog {
  const routes = new Map<string, Route[]>(inputs.map(({ name }) => [name, []]))
  for (const { id, keyAttribute, inputs: names } of models) {
    const key = keyAttribute === null ? undefined : { attribute: keyAttribute, path: pathOf(keyAttribute) }
    for (const name of names) routes.get(name)?.push({ modelId: id, key })
  }
  const entries = inputs.map(({ name, definition }) => {
    const attributes = definition.attributes.map(({ jsonPath }) => pathOf(jsonPath))
    return [name, { attributes, routes: routes.get(name) ?? [] }] as const
  })
  return { tenant, version, inputs: new Map(entries) }
}

const maxCached = 10_000

/** Catalog cache of a node. Entries may be stale: compare their version before use. */
export function catalogs() {
  const cache = new Map<string, Catalog>()

  async function load(db: ReadingDb, tenant: string): Promise<Catalog> {
    const catalog = catalogOf(tenant, await read(db, tenant))
    if (cache.size >= maxCached) cache.clear()
    cache.set(tenant, catalog)
    return catalog
  }

  return {
    cached: (tenant: string) => cache.get(tenant),
    load,
    /** Returns the current catalog. */
    async current(db: ReadingDb, tenant: string): Promise<Catalog> {
      const catalog = cache.get(tenant)
      return catalog && catalog.version === (await versionOf(db, tenant)) ? catalog : load(db, tenant)
    },
  }
}
export type Catalogs = ReturnType<typeof catalogs>
