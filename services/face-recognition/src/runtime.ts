import { resolve } from 'node:path'
import type { GuardedFetch, OnStop, Platform } from '@icosa/kernel'
import { type FaceEngine, openEngine } from './engine/engine.ts'
import { type Galleries, openGalleries } from './matching/galleries.ts'
import { type Matcher, openMatcher } from './matching/matcher.ts'
import type { FaceSettings } from './settings.ts'

/** What a node holds open for faces. */
export interface ServiceRuntime {
  /** Looks at photos in processes of its own. */
  readonly engine: FaceEngine
  /** For photos that are somewhere else. */
  readonly fetch: GuardedFetch
  /** Compares faces in threads of its own. */
  readonly matcher: Matcher
  /** What was learnt of groups and lists. */
  readonly galleries: Galleries
}

export const startWith =
  ({ models, workers, minFacesForLsh }: FaceSettings) =>
  ({ metrics, fetch }: Platform, onStop: OnStop): ServiceRuntime => {
    const engine = openEngine({ models: resolve(models), workers, metrics })
    onStop(() => engine.close())
    const matcher = openMatcher(metrics)
    onStop(() => matcher.close())
    const galleries = openGalleries(matcher, minFacesForLsh)
    onStop(() => galleries.close())
    return { engine, fetch, matcher, galleries }
  }
