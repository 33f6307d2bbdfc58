import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openapi as describe } from '@icosa/contract'
import { contractsOf } from '@icosa/kernel'
import { type Command, print, remark, text, UsageError } from '../command.ts'
import { withPlatform } from '../node.ts'
import { services } from '../services.ts'

/** The documents of all services, as they are committed. */
export function documents(): { readonly name: string; readonly text: string }[] {
  return withPlatform(services, 'virtual').map((service) => {
    const document = describe({ name: service.name, title: service.title, contracts: contractsOf(service) })
    return { name: service.name, text: `${JSON.stringify(document, null, 2)}\n` }
  })
}

export const openapi: Command = {
  name: 'openapi',
  usage: 'openapi [SERVICE] [--out FOLDER [--check]]',
  summary:
    'Print the OpenAPI 3.1 document of a service, or write all of them into a folder, or check that they are there.',
  flags: { out: { type: 'string' }, check: { type: 'boolean' } },
  async run({ words, flags }) {
    const folder = text(flags, 'out')
    if (folder !== undefined && flags.check === true) return check(folder)
    if (folder !== undefined) {
      await mkdir(folder, { recursive: true })
      for (const { name, text: json } of documents()) await writeFile(join(folder, `${name}.json`), json)
      return remark(`Wrote ${documents().length} documents to ${folder}.`)
    }
    const found = documents().find(({ name }) => name === words[0])
    if (!found)
      throw new UsageError(
        `Which service? One of ${documents()
          .map(({ name }) => name)
          .join(', ')}.`,
      )
    print(found.text.trimEnd())
  },
}

/** The contract is reviewed as a document: a change of one must come with a change of the other. */
async function check(folder: string): Promise<void> {
  for (const { name, text: json } of documents()) {
    const committed = await readFile(join(folder, `${name}.json`), 'utf8').catch(() => '')
    if (committed !== json)
      throw new UsageError(
        `${folder}/${name}.json is not what the contract says: run \`npm run openapi\` and commit it.`,
      )
  }
}
