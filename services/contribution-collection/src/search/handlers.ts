import { implement, invalid, media, ok, type ReadingContext, readPage } from '@icosa/kernel'
import { askedBy } from '../contributions/asked.ts'
import type { ContributionRow } from '../contributions/store.ts'
import { shownContributions } from '../contributions/view.ts'
import { paged, windowOf } from '../paging/paging.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { search as contract } from './contract.ts'
import { feedsOf } from './feeds.ts'
import { options } from './options-store.ts'
import { type FilterQuery, questionOf } from './question.ts'
import { refinements as known, type Refinement, refinementNames } from './refinements-store.ts'
import { rssOf } from './rss.ts'
import * as store from './store.ts'

const defaultPageSize = 20
const defaultOptions = 10

export const search = implement<typeof contract, ServiceRuntime>(contract, {
  async listContributions({ query }, context) {
    const { format = 'json', page: nth, pageSize = defaultPageSize, after: token, ...filter } = query
    const question = questionOf(filter)
    const asked = askedBy(context)
    const { tenant, viewer } = asked
    if (nth !== undefined) {
      if (token !== undefined) invalid([{ at: 'query/page', message: 'is not sent with after' }])
      const window = windowOf({ page: nth, pageSize })
      const rows = await store.list(context.db, question, asked, window)
      const total = await store.count(context.db, question, asked)
      if (format === 'rss') return rss(context, filter, rows)
      return paged(await shownTo(context, rows), total, { page: nth, pageSize })
    }
    const page = await readPage<ContributionRow>(
      { limit: pageSize, token, query: [tenant, viewer.user, filter], at: 'query/after' },
      ({ createdAt, id }) => [createdAt.toISOString(), id],
      (keys, limit) => store.list(context.db, question, asked, { after: positionOf(keys), limit }),
    )
    if (format === 'rss') return rss(context, filter, page.items)
    return ok(await shownTo(context, page.items), { next: page.next })
  },

  async listRefinements({ query }, context) {
    const { refinements, refinementSize = defaultOptions, counts = false, ...filter } = query
    const names = namesOf(refinements)
    const found = await options(context.db, names, questionOf(filter), askedBy(context), refinementSize)
    const shown = [...found].map(([name, options]) => [name, counts ? options : options.map(({ value }) => value)])
    return ok(Object.fromEntries(shown))
  },

  listRefinementTypes: async () => ok(refinementNames),
})

async function rss(context: ReadingContext<ServiceRuntime>, filter: FilterQuery, rows: readonly ContributionRow[]) {
  const { vault, caller, runtime } = context
  const words = Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)])
  // What is not public has no address that opens without a credential.
  const self =
    filter.state === undefined
      ? feedsOf(vault).sign(caller.tenant, filter)
      : `/contributions?${new URLSearchParams([['format', 'rss'], ...words])}`
  const feed = rssOf(runtime.publicUrl, `${runtime.publicUrl}${self}`, await shownTo(context, rows))
  return media('application/rss+xml; charset=utf-8', feed)
}

function namesOf(text: string | undefined): Refinement[] {
  if (text === undefined) return refinementNames
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const isName = (name: string): name is Refinement => Object.hasOwn(known, name)
  if (!names.every(isName))
    invalid([{ at: 'query/refinements', message: `must be some of ${refinementNames.join(', ')}` }])
  return names.filter(isName)
}

function positionOf(keys: readonly unknown[] | undefined): store.Position | undefined {
  if (!keys) return undefined
  const [createdAt, id] = keys
  return { createdAt: new Date(String(createdAt)), id: String(id) }
}

function shownTo(context: ReadingContext<ServiceRuntime>, rows: readonly ContributionRow[]) {
  const { db, runtime } = context
  return shownContributions({ db, publicUrl: runtime.publicUrl, ...askedBy(context) }, rows)
}
