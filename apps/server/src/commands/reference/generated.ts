import { readFile, writeFile } from 'node:fs/promises'
import { UsageError } from '@icosa/module'

/** Writes a generated page; with `onlyCheck`, throws if the file is out of date. */
export async function writeGenerated(file: string, page: string, script: string, onlyCheck: boolean): Promise<void> {
  if (!onlyCheck) return writeFile(file, page)
  if ((await readFile(file, 'utf8').catch(() => '')) !== page)
    throw new UsageError(`${file} is out of date: run \`npm run ${script}\` and commit it.`)
}

/** Markdown table row. */
export const markdownRow = (cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
