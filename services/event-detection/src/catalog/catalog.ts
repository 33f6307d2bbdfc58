import type { ReadingDb } from '@icosa/kernel'
import { pathOf } from '../expressions/payload.ts'
import type { Segment } from '../expressions/syntax.ts'
import { type CatalogRow, read, versionOf } from './store.ts'

type Path = readonly Segment[]

/** Where messages of a tenant go, of one moment: the version says which. */
export interface Catalog {
  readonly tenant: string
  readonly version: string
  readonly inputs: ReadonlyMap<string, RoutedInput>
}
export interface RoutedInput {
  readonly attributes: readonly Path[]
  readonly routes: readonly Route[]
}
/** A model that wants the messages of an input, each for the instance that its key names. */
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
  const routed = inputs.map(({ name, definition }) => {
    const attributes = definition.attributes.map(({ jsonPath }) => pathOf(jsonPath))
    return [name, { attributes, routes: routes.get(name) ?? [] }] as const
  })
  return { tenant, version, inputs: new Map(routed) }
}

const remembered = 10_000

/** Catalogs that a node remembers. One may be out of date: whoever uses it compares its version. */
export function catalogs() {
  const known = new Map<string, Catalog>()

  async function load(db: ReadingDb, tenant: string): Promise<Catalog> {
    const catalog = catalogOf(tenant, await read(db, tenant))
    if (known.size >= remembered) known.clear()
    known.set(tenant, catalog)
    return catalog
  }

  return {
    known: (tenant: string) => known.get(tenant),
    load,
    /** As it is now. */
    async current(db: ReadingDb, tenant: string): Promise<Catalog> {
      const catalog = known.get(tenant)
      return catalog && catalog.version === (await versionOf(db, tenant)) ? catalog : load(db, tenant)
    },
  }
}
export type Catalogs = ReturnType<typeof catalogs>
