import { createHmac, timingSafeEqual } from 'node:crypto'
import { Failure, type Platform, type Vault } from '@icosa/kernel'
import type { FastifyInstance } from 'fastify'
import { shownContributions } from '../contributions/view.ts'
import { serviceName } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { SearchContext } from './conditions-store.ts'
import { type FilterQuery, questionOf } from './question.ts'
import { rssOf } from './rss.ts'
import { list } from './store.ts'

const feedSize = 50

/** Signed feed URLs, for feed readers, which send no credentials. The signature covers the tenant and the filter. */
export function feedsOf(vault: Vault) {
  const key = vault.derive(`${serviceName} feeds`)
  const pathOf = (tenant: string, filter: FilterQuery) => {
    const params = new URLSearchParams()
    for (const [name, value] of Object.entries(filter)) if (value !== undefined) params.append(name, String(value))
    params.sort()
    return `/feeds/${encodeURIComponent(tenant)}?${params}`
  }
  const mac = (path: string) => createHmac('sha256', key).update(path).digest()
  return {
    sign(tenant: string, filter: FilterQuery): string {
      const path = pathOf(tenant, filter)
      return `${path}${path.endsWith('?') ? '' : '&'}signature=${mac(path).toString('base64url')}`
    },
    verify(tenant: string, filter: FilterQuery, signature: unknown): boolean {
      const actual = Buffer.from(String(signature), 'base64url')
      const expected = mac(pathOf(tenant, filter))
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
  }
}

/** Sees only public content. */
export const anonymous = { user: '', isTenant: false }

export function feedRoutes(
  app: FastifyInstance,
  { database, clock, cellVault }: Platform,
  runtime: ServiceRuntime,
): void {
  app.get<{ Params: { tenant: string }; Querystring: Record<string, unknown> }>(
    `/${serviceName}/feeds/:tenant`,
    async ({ params: { tenant }, query: { signature, ...params } }, reply) => {
      const filter = params as FilterQuery
      const feeds = feedsOf(await cellVault.find(tenant))
      if (!feeds.verify(tenant, filter, signature))
        throw new Failure('forbidden', 'The URL has no valid signature: copy it from the feed returned by the API.')
      const { radius, hasLocation } = params
      const question = questionOf({
        ...filter,
        ...(radius !== undefined && { radius: Number(radius) }),
        ...(hasLocation !== undefined && { hasLocation: hasLocation === 'true' }),
      })
      const db = database.of(tenant).reading
      const searchContext: SearchContext = { tenant, viewer: anonymous, now: clock.now(), geography: runtime.geography }
      const rows = await list(db, question, searchContext, { limit: feedSize })
      const views = await shownContributions({ db, publicUrl: runtime.publicUrl, ...searchContext }, rows)
      return reply
        .type('application/rss+xml; charset=utf-8')
        .headers({ 'cache-control': 'public, max-age=60', 'x-content-type-options': 'nosniff' })
        .send(rssOf(runtime.publicUrl, `${runtime.publicUrl}${feeds.sign(tenant, filter)}`, views))
    },
  )
}
