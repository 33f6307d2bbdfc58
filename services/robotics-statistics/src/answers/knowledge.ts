import { type Clock, type ReadingDb, recentlyUsed } from '@icosa/kernel'
import { changesSince, type State } from './store.ts'

/** What a node knows of a tenant's seasons: where every list stands. */
export interface Known {
  readonly seasons: ReadonlySet<number>
  /** The latest change that it includes. */
  readonly version: number
  stateOf(season: number, scope: string, list: string): State | undefined
  hasScope(season: number, scope: string): boolean
  /** When it was asked for, on the platform's clock, in seconds. */
  readonly askedAt: number
}

export interface Knowledge {
  /** As of the last second. Without a promise where nobody has to wait. */
  of(tenant: string): Known | Promise<Known>
  /** As of now: for callers who have seen something newer elsewhere. */
  now(tenant: string): Promise<Known>
  /** How often the database was asked. */
  readonly asked: () => number
}

/** From here on it is asked for again, beside the requests; from there on they wait for it. */
const askAgainMs = 400
const tooOldMs = 900
const tenantsLimit = 1_000

export function openKnowledge(db: (tenant: string) => ReadingDb, clock: Clock): Knowledge {
  const tenants = recentlyUsed<TenantKnowledge>('robotics-statistics tenants', tenantsLimit)
  let asked = 0

  function find(tenant: string): TenantKnowledge {
    let found = tenants.get(tenant)
    if (!found) {
      found = new TenantKnowledge(clock, (version) => {
        asked++
        return changesSince(db(tenant), tenant, version)
      })
      tenants.set(tenant, found)
    }
    return found
  }

  return {
    asked: () => asked,
    of(tenant) {
      const known = find(tenant)
      const age = performance.now() - known.since
      if (age < askAgainMs) return known
      const coming = known.refresh()
      return age > tooOldMs ? coming : known
    },
    now: (tenant) => find(tenant).refreshAnew(),
  }
}

class TenantKnowledge implements Known {
  readonly seasons = new Set<number>()
  since = Number.NEGATIVE_INFINITY
  askedAt = 0
  version = 0
  readonly #states = new Map<string, State>()
  readonly #scopes = new Set<string>()
  readonly #clock: Clock
  readonly #changes: (version: number) => ReturnType<typeof changesSince>
  #coming: Promise<Known> | undefined

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

  refresh(): Promise<Known> {
    if (this.#coming) return this.#coming
    const coming = this.#ask().finally(() => {
      this.#coming = undefined
    })
    coming.catch(() => {}) // callers who wait for it are told, and some do not wait
    this.#coming = coming
    return coming
  }

  /** What is on its way may have been asked for too early. */
  async refreshAnew(): Promise<Known> {
    await this.#coming
    return this.refresh()
  }

  async #ask(): Promise<Known> {
    const began = performance.now() // what commits from here on may be missing
    const at = Math.floor(this.#clock.now().getTime() / 1_000)
    for (const { season, scope, list, version, modified } of await this.#changes(this.version)) {
      this.seasons.add(season)
      this.#scopes.add(`${season}/${scope}`)
      this.#states.set(`${season}/${scope}/${list}`, { version, modified })
      this.version = version
    }
    this.since = began
    this.askedAt = at
    return this
  }
}
