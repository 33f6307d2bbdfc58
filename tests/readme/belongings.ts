import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { photosOf } from '@icosa/face-recognition/testing/photos'
import { generatedApp } from '@icosa/language-authoring/testing/documents'
import { Workshop } from '@icosa/unpack-analysis/testing/build'
import { downloader } from '@icosa/unpack-analysis/testing/programs'

/** Files that a page's reader already has. */
const belongings: Readonly<Record<string, () => Readonly<Record<string, Buffer | undefined>>>> = {
  'face-recognition': () => ({ 'photo.jpg': photosOf(0)[0], 'other.jpg': photosOf(0)[1] }),
  'language-authoring': () => ({
    'export.json': Buffer.from(JSON.stringify({ ...generatedApp(1), versionId: '0.1' })),
  }),
  'unpack-analysis': () => {
    using workshop = new Workshop()
    return { 'packed.exe': workshop.pack(workshop.compile(64, downloader())) }
  },
}

export async function putBelongings(service: string, folder: string): Promise<void> {
  for (const [name, content] of Object.entries(belongings[service]?.() ?? {}))
    await writeFile(join(folder, name), content ?? '')
}
