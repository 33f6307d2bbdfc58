import type { Platform } from '@icosa/kernel'
import { type Directory, openDirectory } from './data-plane/authentication/directory.ts'

/** What a node holds for configuration stores. */
export interface Held {
  readonly directory: Directory
}

export const start = (platform: Platform): Held => ({ directory: openDirectory(platform) })
