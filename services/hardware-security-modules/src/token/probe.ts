import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { HsmSettings } from '../settings.ts'
import { startProcess } from './process/process.ts'

type LibrarySettings = Pick<HsmSettings, 'library' | 'keeps' | 'folder' | 'environment'>

/** Tries to create a token. Returns the library's version. */
export async function tryLibrary(settings: LibrarySettings): Promise<string> {
  const { library, keeps, environment } = settings
  const folder = join(settings.folder, `icosa-token-${process.pid}-${randomUUID()}`)
  const token = startProcess({ library, keeps, environment, folder })
  try {
    if (keeps === 'sealed') {
      const pins = { so: randomUUID(), user: randomUUID() }
      await token.ask('create', { label: 'probe', pins })
    }
    return await token.ask('version', undefined)
  } finally {
    await token.close()
  }
}
