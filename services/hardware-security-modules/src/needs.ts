import { found, missing, type Need } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import type { settings } from './settings.ts'

/** Checked in a separate process: the library is never loaded into the node's. */
export const library: Need<ValuesOf<typeof settings>> = {
  name: 'PKCS#11 library',
  purpose: 'stores the keys of modules; without it no module can be created or opened',
  remedy: {
    debian: 'sudo apt install softhsm2, or set ICOSA_HSM_LIBRARY to the library of your device',
    macos: 'brew install softhsm, and set ICOSA_HSM_LIBRARY to its libsofthsm2.so',
    other: 'https://www.softhsm.org, or the library of your device, as ICOSA_HSM_LIBRARY',
  },
  async check(values) {
    const { tryLibrary } = await import('./token/probe.ts')
    try {
      return found(`${values.library}: ${await tryLibrary(values)}`)
    } catch (error) {
      return missing((error as Error).message)
    }
  },
}
