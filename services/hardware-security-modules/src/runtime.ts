import { every, expiringCache, type OnStop, type Platform } from '@icosa/kernel'
import { findOpen, type OpenModule } from './modules/store.ts'
import { openPins, type Pins } from './pins/pins.ts'
import type { HsmSettings } from './settings.ts'
import { openTokens, type Tokens } from './token/tokens.ts'
import { openRecord, type Record } from './uses/record.ts'

export interface ServiceRuntime {
  readonly directory: Directory
  readonly tokens: Tokens
  readonly record: Record
  readonly pins: Pins
}

/** Interval of closing deleted and idle tokens. */
const sweepMs = 2_000

export const starting =
  (settings: HsmSettings) =>
  async (platform: Platform, onStop: OnStop): Promise<ServiceRuntime> => {
    const tokens = openTokens(platform, settings)
    const record = openRecord(platform)
    const stop = every(sweepMs, tokens.sweep, (err) => platform.log.warn({ err }, 'open modules could not be checked'))
    onStop(() => {
      stop()
      return tokens.close()
    })
    const pins = openPins(platform, record, settings.pinAttempts)
    const runtime = { directory: openDirectory(platform), tokens, record, pins }
    if (settings.remotePort !== undefined) {
      const { openRemote } = await import('./remote/listener.ts')
      const remote = await openRemote(platform, settings, runtime)
      onStop(() => remote.close())
    }
    return runtime
  }

/** One-second cache of modules by id. */
interface Directory {
  find(id: string): OpenModule | undefined | Promise<OpenModule | undefined>
  /** Must be called before a change of a module's state commits. */
  forget(id: string): void
}

const cacheMs = 1_000
const maxCached = 10_000

/** Caches only modules that are ready. */
function openDirectory({ database }: Platform): Directory {
  const cache = expiringCache<OpenModule | undefined>({
    name: 'hardware-security-modules modules',
    forMs: cacheMs,
    limit: maxCached,
    keep: (module) => module?.state === 'Succeeded',
    find: (id) => findOpen(database, id),
  })
  return { find: (id) => cache.get(id), forget: (id) => cache.forget(id) }
}
