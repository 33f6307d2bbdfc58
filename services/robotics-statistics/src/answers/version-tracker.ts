import { type Clock, type ReadingDb, recentlyUsed } from '@icosa/kernel'
import { changesSince, type State } from './store.ts'

/** Versions of all lists of a tenant, by which caches are validated. */
export interface ListVersions {
  readonly seasons: ReadonlySet<number>
  /** Highest version included. */
  readonly version: number
  stateOf(season: number, scope: string, list: string): State | undefined
  hasScope(season: number, scope: string): boolean
  /** Time of the last query on the platform's clock, in seconds. */
  readonly queriedAt: number
}

export interface VersionTracker {
  /** Returns versions that are less than a second old, without a promise unless a query is due. */
  current(tenant: string): ListVersions | Promise<ListVersions>
  /** Queries now, for callers that have seen a newer version on another node. */
  refreshed(tenant: string): Promise<ListVersions>
  /** Number of database queries. */
  readonly queries: () => number
}

/** Age at which versions are refreshed in the background. */
const staleMs = 400
/** Age at which requests wait for the refresh. */
const expiredMs = 900
const maxTenants = 1_000

export function openVersionTracker(db: (tenant: string) => ReadingDb, clock: Clock): VersionTracker {
  const tenants = recentlyUsed<TenantVersions>('robotics-statistics tenants', maxTenants)
  let queries = 0

  function versionsOf(tenant: string): TenantVersions {
    let versions = tenants.get(tenant)
    if (!versions) {
      versions = new TenantVersions(clock, (version) => {
        queries++
        return changesSince(db(tenant), tenant, version)
      })
      tenants.set(tenant, versions)
    }
    return versions
  }

  return {
    queries: () => queries,
    current(tenant) {
      const versions = versionsOf(tenant)
      const age = performance.now() - versions.asOf
      if (age < staleMs) return versions
      const refreshing = versions.refresh()
      return age > expiredMs ? refreshing : versions
    },
    refreshed: (tenant) => versionsOf(tenant).refreshAgain(),
  }
}

class TenantVersions implements ListVersions {
  readonly seasons = new Set<number>()
  asOf = Number.NEGATIVE_INFINITY
  queriedAt = 0
  version = 0
  readonly #states = new Map<string, State>()
  readonly #scopes = new Set<string>()
  readonly #clock: Clock
  readonly #changes: (version: number) => ReturnType<typeof changesSince>
  #refreshing: Promise<ListVersions> | undefined

  constructor(clock: Clock, changes: (version: number) => ReturnType<typeof changesSince>) {
    this.#clock = clock
    this.#changes = changes
  }

  stateOf(season: number, scope: string, list: string) {
    return this.#states.get(`${season}/${scope}/${list}`)
  }

  hasScope(season: number, scope: string) {
    return this.#scopes.has(`${season}/${scope}`)
  }

  refresh(): Promise<ListVersions> {
    if (this.#refreshing) return this.#refreshing
    const refreshing = this.#query().finally(() => {
      this.#refreshing = undefined
    })
    refreshing.catch(() => {}) // requests that wait get the error; a background refresh has none
    this.#refreshing = refreshing
    return refreshing
  }

  /** Starts another query after the one in progress, which may have begun too early. */
  async refreshAgain(): Promise<ListVersions> {
    await this.#refreshing
    return this.refresh()
  }

  async #query(): Promise<ListVersions> {
    const asOf = performance.now() // before the query, which may miss later commits
    const queriedAt = Math.floor(this.#clock.now().getTime() / 1_000)
    for (const { season, scope, list, version, modified } of await this.#changes(this.version)) {
      this.seasons.add(season)
      this.#scopes.add(`${season}/${scope}`)
      this.#states.set(`${season}/${scope}/${list}`, { version, modified })
      this.version = version
    }
    this.asOf = asOf
    this.queriedAt = queriedAt
    return this
  }
}
