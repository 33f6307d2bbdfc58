import { createHmac, timingSafeEqual } from 'node:crypto'
import { Failure, type Platform, type Vault } from '@icosa/kernel'
import type { FastifyInstance } from 'fastify'
import { shownContributions } from '../contributions/view.ts'
import { serviceName } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { Asked } from './conditions-store.ts'
import { type FilterQuery, questionOf } from './question.ts'
import { rssOf } from './rss.ts'
import { list } from './store.ts'

const feedSize = 50

/** Addresses of feeds, which readers of feeds open without a header. The signature covers the tenant and the filter. */
export function feedsOf(vault: Vault) {
  const key = vault.derive(`${serviceName} feeds`)
  const pathOf = (tenant: string, filter: FilterQuery) => {
    const words = new URLSearchParams()
    for (const [name, value] of Object.entries(filter)) if (value !== undefined) words.append(name, String(value))
    words.sort()
    return `/feeds/${encodeURIComponent(tenant)}?${words}`
  }
  const mac = (path: string) => createHmac('sha256', key).update(path).digest()
  return {
    sign(tenant: string, filter: FilterQuery): string {
      const path = pathOf(tenant, filter)
      return `${path}${path.endsWith('?') ? '' : '&'}signature=${mac(path).toString('base64url')}`
    },
    opens(tenant: string, filter: FilterQuery, signature: unknown): boolean {
      const given = Buffer.from(String(signature), 'base64url')
      const expected = mac(pathOf(tenant, filter))
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}

/** Nobody in particular: only what is public is seen. */
export const anonymous = { user: '', isTenant: false }

export function feedRoutes(app: FastifyInstance, { database, clock, vault }: Platform, runtime: ServiceRuntime): void {
  const feeds = feedsOf(vault)
  app.get<{ Params: { tenant: string }; Querystring: Record<string, unknown> }>(
    `/${serviceName}/feeds/:tenant`,
    async ({ params: { tenant }, query: { signature, ...words } }, reply) => {
      const filter = words as FilterQuery
      if (!feeds.opens(tenant, filter, signature))
        throw new Failure('forbidden', 'This address is not complete: take the one in the feed of an API request.')
      const { radius, hasLocation } = words
      const question = questionOf({
        ...filter,
        ...(radius !== undefined && { radius: Number(radius) }),
        ...(hasLocation !== undefined && { hasLocation: hasLocation === 'true' }),
      })
      const db = database.of(tenant).reading
      const asked: Asked = { tenant, viewer: anonymous, now: clock.now(), geography: runtime.geography }
      const rows = await list(db, question, asked, { limit: feedSize })
      const shown = await shownContributions({ db, publicUrl: runtime.publicUrl, ...asked }, rows)
      return reply
        .type('application/rss+xml; charset=utf-8')
        .headers({ 'cache-control': 'public, max-age=60', 'x-content-type-options': 'nosniff' })
        .send(rssOf(runtime.publicUrl, `${runtime.publicUrl}${feeds.sign(tenant, filter)}`, shown))
    },
  )
}
