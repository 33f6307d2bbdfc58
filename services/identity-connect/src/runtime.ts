import type { Platform } from '@icosa/kernel'
import { openProviders, type Providers } from './provider/providers.ts'
import type { IdentitySettings } from './settings.ts'

export interface ServiceRuntime {
  /** The protocol library, loaded by the first request. */
  readonly providers: Providers
}

export const startWith =
  (settings: IdentitySettings) =>
  (platform: Platform): ServiceRuntime => ({ providers: openProviders(platform, settings) })
