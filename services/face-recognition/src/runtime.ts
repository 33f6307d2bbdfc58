import { resolve } from 'node:path'
import type { GuardedFetch, OnStop, Platform } from '@icosa/kernel'
import { type FaceEngine, openEngine } from './engine/engine.ts'
import { type Galleries, openGalleries } from './matching/galleries.ts'
import { type Matcher, openMatcher } from './matching/matcher.ts'
import type { FaceSettings } from './settings.ts'

export interface ServiceRuntime {
  /** Analyses photos in a pool of processes. */
  readonly engine: FaceEngine
  /** Fetches photos by URL. */
  readonly fetch: GuardedFetch
  /** Compares faces in a thread pool. */
  readonly matcher: Matcher
  /** Cache of trained groups and lists. */
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
