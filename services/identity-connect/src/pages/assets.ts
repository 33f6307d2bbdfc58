import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

export interface Asset {
  readonly type: string
  readonly content: string
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

const folder = new URL('./assets/', import.meta.url)

/** The files that pages link to, by name. They are served as they are. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  readdirSync(folder).flatMap((name) => {
    const type = types[extname(name)]
    return type ? [[name, { type, content: readFileSync(new URL(name, folder), 'utf8') }] as const] : []
  }),
)
