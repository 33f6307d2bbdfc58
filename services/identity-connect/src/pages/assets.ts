import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { type FileSource, fileOfBytes } from '@icosa/kernel'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

const folder = new URL('./assets/', import.meta.url)

/** Static files of the pages, by name. */
export const assets: ReadonlyMap<string, FileSource> = new Map(
  readdirSync(folder).flatMap((name) => {
    const type = types[extname(name)]
    return type ? [[name, fileOfBytes(type, readFileSync(new URL(name, folder)))] as const] : []
  }),
)
