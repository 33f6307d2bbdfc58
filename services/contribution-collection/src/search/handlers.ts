import { implement, invalid, media, ok, type ReadingContext, readPage } from '@icosa/kernel'
import { searchContextOf } from '../contributions/search-context.ts'
import type { ContributionRow } from '../contributions/store.ts'
import { shownContributions } from '../contributions/view.ts'
import { paged, windowOf } from '../paging/paging.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { search as contract } from './contract.ts'
import { feedsOf } from './feeds.ts'
import { options } from './options-store.ts'
import { type FilterQuery, questionOf } from './question.ts'
import { type Refinement, refinementNames, refinements as refinementsByName } from './refinements-store.ts'
import { rssOf } from './rss.ts'
import * as store from './store.ts'

const defaultPageSize = 20
const defaultOptions = 10

export const search = implement<typeof contract, ServiceRuntime>(contract, {
  async listContributions({ query }, context) {
    const { format = 'json', page: nth, pageSize = defaultPageSize, after: token, ...filter } = query
    const question = questionOf(filter)
    const searchContext = searchContextOf(context)
    const { tenant, viewer } = searchContext
    if (nth !== undefined) {
      if (token !== undefined) invalid([{ at: 'query/page', message: 'cannot be combined with after' }])
      const window = windowOf({ page: nth, pageSize })
      const rows = await store.list(context.db, question, searchContext, window)
      const total = await store.count(context.db, question, searchContext)
      if (format === 'rss') return rss(context, filter, rows)
      return paged(await viewsOf(context, rows), total, { page: nth, pageSize })
    }
    const page = await readPage<ContributionRow>(
      { limit: pageSize, token, query: [tenant, viewer.user, filter], at: 'query/after' },
      ({ createdAt, id }) => [createdAt.toISOString(), id],
      (keys, limit) => store.list(context.db, question, searchContext, { after: positionOf(keys), limit }),
    )
    if (format === 'rss') return rss(context, filter, page.items)
    return ok(await viewsOf(context, page.items), { next: page.next })
  },

  async listRefinements({ query }, context) {
    const { refinements, refinementSize = defaultOptions, counts = false, ...filter } = query
    const names = namesOf(refinements)
    const optionsByName = await options(context.db, names, questionOf(filter), searchContextOf(context), refinementSize)
    const entries = [...optionsByName].map(([name, options]) => [
      name,
      counts ? options : options.map(({ value }) => value),
    ])
    return ok(Object.fromEntries(entries))
  },

  listRefinementTypes: async () => ok(refinementNames),
})

async function rss(context: ReadingContext<ServiceRuntime>, filter: FilterQuery, rows: readonly ContributionRow[]) {
  const { caller, runtime } = context
  const words = Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)])
  // Only public content gets a signed URL.
  const self =
    filter.state === undefined
      ? feedsOf(await context.tenantVault()).sign(caller.tenant, filter)
      : `/contributions?${new URLSearchParams([['format', 'rss'], ...words])}`
  const feed = rssOf(runtime.publicUrl, `${runtime.publicUrl}${self}`, await viewsOf(context, rows))
  return media('application/rss+xml; charset=utf-8', feed)
}

function namesOf(text: string | undefined): Refinement[] {
  if (text === undefined) return refinementNames
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const isName = (name: string): name is Refinement => Object.hasOwn(refinementsByName, name)
  if (!names.every(isName))
    invalid([{ at: 'query/refinements', message: `must be one or more of ${refinementNames.join(', ')}` }])
  return names.filter(isName)
}

function positionOf(keys: readonly unknown[] | undefined): store.Position | undefined {
  if (!keys) return undefined
  const [createdAt, id] = keys
  return { createdAt: new Date(String(createdAt)), id: String(id) }
}

function viewsOf(context: ReadingContext<ServiceRuntime>, rows: readonly ContributionRow[]) {
  const { db, runtime } = context
  return shownContributions({ db, publicUrl: runtime.publicUrl, ...searchContextOf(context) }, rows)
}
