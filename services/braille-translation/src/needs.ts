import { found, missing, type Need } from '@icosa/module'

export const liblouis: Need = {
  name: 'liblouis',
  purpose: 'translates; without it every request gets a 503',
  remedy: {
    debian: 'sudo apt install liblouis20 liblouis-data',
    macos: 'brew install liblouis',
    windows: 'put the folder with liblouis.dll, in its UTF-32 build, on the PATH: https://liblouis.io/downloads/',
    other: 'https://liblouis.io/downloads/',
  },
  async check() {
    const { tables } = await import('./liblouis/tables.ts')
    const { binding } = await import('./liblouis/binding.ts')
    try {
      return found(`${binding().version()} with ${tables().length} tables`)
    } catch (error) {
      return missing((error as Error).message)
    }
  },
}
