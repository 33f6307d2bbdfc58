/** Builds the site of all pages in `dist/site`: static files, which `icosa dev` serves at /docs. */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buildSite } from './site/build.ts'
import { placeOf, root } from './site/sources.ts'

export async function writeSite(out = join(root, 'dist/site')): Promise<void> {
  const { files, copies } = await buildSite()
  await rm(out, { recursive: true, force: true })
  for (const [at, text] of files) {
    await mkdir(dirname(join(out, at)), { recursive: true })
    await writeFile(join(out, at), text)
  }
  for (const path of copies) await cp(join(root, path), join(out, placeOf(path)))
}

if (import.meta.main) await writeSite()
