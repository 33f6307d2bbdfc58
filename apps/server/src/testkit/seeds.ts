import { readdir, readFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Icosa, Seed, SeedRequest } from './types.ts'

const modules: ReadonlySet<string> = new Set(['.js', '.mjs', '.ts', '.mts'])

/** Runs the seeds of a folder in filename order: calls modules with the instance, sends requests. */
export async function sow(folder: string, app: Icosa): Promise<void> {
  const names = await readdir(folder).catch((cause) => {
    throw new Error(`The seeds in ${resolve(folder)} cannot be read (${cause.code}): \`seeds\` names a folder.`, {
      cause,
    })
  })
  for (const name of names.sort()) {
    const file = resolve(folder, name)
    if (name.endsWith('.d.ts')) continue
    if (modules.has(extname(name))) await sowModule(file, app)
    else if (extname(name) === '.json') await sowRequests(file, app)
  }
}

async function sowModule(file: string, app: Icosa): Promise<void> {
  const { default: seed } = (await import(pathToFileURL(file).href)) as { default?: Seed }
  if (typeof seed !== 'function') throw new Error(`${file} is not a seed: its default export must be a function.`)
  await seed(app)
}

async function sowRequests(file: string, app: Icosa): Promise<void> {
  const requests = await requestsIn(file)
  for (const [index, { service, method = 'GET', path, headers = {}, body, tenant }] of requests.entries()) {
    const caller = tenant === undefined ? app : await app.tenant(tenant)
    const response = await caller.fetch(service, path, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const answer = await response.text()
    if (response.status >= 400)
      throw new Error(`${join(file)}, request ${index + 1}: ${method} ${path} answered ${response.status}: ${answer}`)
  }
}

async function requestsIn(file: string): Promise<readonly SeedRequest[]> {
  const text = await readFile(file, 'utf8')
  try {
    const requests: unknown = JSON.parse(text)
    if (Array.isArray(requests)) return requests
  } catch (cause) {
    throw new Error(`${file} is not JSON: ${(cause as Error).message}`, { cause })
  }
  throw new Error(`${file} is not a seed: it must be an array of requests.`)
}
