import type { Platform } from '@icosa/kernel'
import { type Directory, openDirectory } from './data-plane/authentication/directory.ts'
import { type DataKeys, openDataKeys } from './encryption/data-keys.ts'
import type { ConfigurationStoresSettings } from './settings.ts'

/** Caches of a node. */
export interface ServiceRuntime {
  readonly directory: Directory
  readonly dataKeys: DataKeys
}

export const starting =
  ({ keySeconds }: Pick<ConfigurationStoresSettings, 'keySeconds'>) =>
  (platform: Platform): ServiceRuntime => ({
    directory: openDirectory(platform),
    dataKeys: openDataKeys(platform, keySeconds * 1_000),
  })
