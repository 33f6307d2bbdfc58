import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Gaps, print, remark, table, text, UsageError } from '@icosa/module'
import type { Command } from '../../command.ts'
import { loadModules } from '../../services.ts'
import { markdownRow, writeGenerated } from './generated.ts'

export const gaps: Command = {
  name: 'gaps',
  usage: 'gaps [SERVICE] [--out FOLDER [--check]]',
  summary: 'List limitations compared with the original APIs, write them into the READMEs, or check the READMEs.',
  flags: { out: { type: 'string' }, check: { type: 'boolean' } },
  audited: false,
  async run({ words, flags }) {
    const folder = text(flags, 'out')
    const lists = await Promise.all(
      (await loadModules(words[0])).map(async ({ name, module }) => ({
        name,
        list: (await module.gaps()).unsupported,
      })),
    )
    if (folder === undefined) return print(table(['service', ...head], lists.flatMap(listed)))
    for (const { name, list } of lists) {
      const file = join(folder, name, 'README.md')
      const page = withTable(await readFile(file, 'utf8'), list, file)
      await writeGenerated(file, page, 'gaps', flags.check === true)
    }
    if (flags.check !== true) remark(`Wrote ${lists.length} tables.`)
  },
}

/** Former name of the command, up to 0.1. */
export const absent: Command = {
  ...gaps,
  name: 'absent',
  usage: 'absent [SERVICE]',
  summary: 'The former name of `icosa gaps`, until the next release.',
  run(invocation) {
    remark('`icosa absent` is now `icosa gaps`; the next release removes the old name.')
    return gaps.run(invocation)
  },
}

const head = ['original feature', 'response', 'here']

const rowsOf = (list: Gaps) => Object.values(list).map(({ name, answer, instead }) => [name, String(answer), instead])

const listed = ({ name, list }: { readonly name: string; readonly list: Gaps }) =>
  rowsOf(list).map((cells) => [name, ...cells])

const start = '<!-- gaps: `npm run gaps` writes this from src/unsupported.ts -->\n'
const end = '<!-- gaps end -->\n'

const introduction = `
Features of the original API that this service lacks or handles differently. *no effect*: accepted and ignored.
*never*: never returned.

`

/** Returns the page with the table between its markers. */
function withTable(page: string, list: Gaps, file: string): string {
  const [before, rest] = page.split(start)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined)
    throw new UsageError(`${file} has no place for its limitations: write a section with\n${start}${end}`)
  const rows = [['Original feature', 'Response', 'Here'], ['---', '---', '---'], ...rowsOf(list)]
  return [before, start, introduction, ...rows.map((cells) => `${markdownRow(cells)}\n`), end, after].join('')
}
