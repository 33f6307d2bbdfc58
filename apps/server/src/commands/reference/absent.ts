import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Absences, print, remark, table, text, UsageError } from '@icosa/module'
import type { Command } from '../../command.ts'
import { loadModules } from '../../services.ts'
import { markdownRow, writeGenerated } from './generated.ts'

export const absent: Command = {
  name: 'absent',
  usage: 'absent [SERVICE] [--out FOLDER [--check]]',
  summary:
    'List what of the originals is not there, write it into the READMEs of the services, or check that it is there.',
  flags: { out: { type: 'string' }, check: { type: 'boolean' } },
  audited: false,
  async run({ words, flags }) {
    const folder = text(flags, 'out')
    const lists = await Promise.all(
      (await loadModules(words[0])).map(async ({ name, module }) => ({ name, list: (await module.absent()).absent })),
    )
    if (folder === undefined) return print(table(['service', ...head], lists.flatMap(listed)))
    for (const { name, list } of lists) {
      const file = join(folder, name, 'README.md')
      const page = withTable(await readFile(file, 'utf8'), list, file)
      await writeGenerated(file, page, 'absent', flags.check === true)
    }
    if (flags.check !== true) remark(`Wrote ${lists.length} tables.`)
  },
}

const head = ['of the original', 'answer', 'here']

const rowsOf = (list: Absences) =>
  Object.values(list).map(({ name, answer, instead }) => [name, String(answer), instead])

const listed = ({ name, list }: { readonly name: string; readonly list: Absences }) =>
  rowsOf(list).map((cells) => [name, ...cells])

const start = '<!-- absent: `npm run absent` writes this from src/absent.ts -->\n'
const end = '<!-- absent ends -->\n'

const introduction = `
What the documentation of the original describes, and this service lacks or does differently. *no effect*: it is accepted,
and nothing follows from it. *never*: no answer contains it.

`

/** The page with the table between its two marks. */
function withTable(page: string, list: Absences, file: string): string {
  const [before, rest] = page.split(start)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined)
    throw new UsageError(`${file} has no place for what is not there: write a section with\n${start}${end}`)
  const rows = [['Of the original', 'Answer', 'Here'], ['---', '---', '---'], ...rowsOf(list)]
  return [before, start, introduction, ...rows.map((cells) => `${markdownRow(cells)}\n`), end, after].join('')
}
