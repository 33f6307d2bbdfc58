import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { print, remark, text, UsageError } from '@icosa/module'
import type { Command } from '../../command.ts'
import { documentsOf } from '../../front/documents.ts'
import { withPlatform } from '../../node.ts'
import { allServices } from '../../services.ts'

interface Described {
  readonly name: string
  readonly text: string
}

/** OpenAPI documents of all APIs, formatted as committed. */
async function documents(): Promise<readonly Described[]> {
  const all = documentsOf(withPlatform(await allServices(), 'virtual'))
  return all.map(({ name, document }) => ({ name, text: `${JSON.stringify(document, null, 2)}\n` }))
}

export const openapi: Command = {
  name: 'openapi',
  usage: 'openapi [API] [--out FOLDER [--check]]',
  summary:
    'Print the OpenAPI 3.1 document of an API, write all of them to a folder, or check that they are up to date.',
  flags: { out: { type: 'string' }, check: { type: 'boolean' } },
  audited: false,
  async run({ words, flags }) {
    const all = await documents()
    const folder = text(flags, 'out')
    if (folder !== undefined && flags.check === true) return check(all, folder)
    if (folder !== undefined) {
      await mkdir(folder, { recursive: true })
      for (const { name, text: json } of all) await writeFile(join(folder, `${name}.json`), json)
      return remark(`Wrote ${all.length} documents to ${folder}.`)
    }
    const service = all.find(({ name }) => name === words[0])
    if (!service) throw new UsageError(`Which API? One of ${all.map(({ name }) => name).join(', ')}.`)
    print(service.text.trimEnd())
  },
}

/** Contract changes are reviewed in the committed documents, so both must be changed together. */
async function check(all: readonly Described[], folder: string): Promise<void> {
  for (const { name, text: json } of all) {
    const committed = await readFile(join(folder, `${name}.json`), 'utf8').catch(() => '')
    if (committed !== json)
      throw new UsageError(`${folder}/${name}.json does not match the contract: run \`npm run openapi\` and commit it.`)
  }
}
