import { every, type OnStop, type Platform } from '@icosa/kernel'
import { type Directory, openDirectory } from './data-plane/directory.ts'
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
