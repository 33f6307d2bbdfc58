import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Fields that are not read back as they were written, by operation and path: what happens to them, and the test that
 * shows it: `'createClient client_secret': 'write-only: src/clients/clients.test.ts'`. A path stands for all
 * below it, `*` for anything, an operation alone for all of its fields: it is an action, whose effect is elsewhere.
 */
export type ListedFields = Readonly<Record<string, string>>

/** Every field that is neither read back nor listed, and every line of the list that is wrong: for each why. */
export function unlisted(
  found: ReadonlyMap<string, string>,
  listed: ListedFields,
  operations: readonly string[],
  testFile: string,
): Record<string, string> {
  const fields = [...found].filter(([field]) => !Object.keys(listed).some((line) => covers(line, field)))
  const folders = [packageOf(testFile), process.cwd()]
  const lines = Object.entries(listed).flatMap(([line, reason]) => {
    const isNeeded = operations.includes(line) || [...found.keys()].some((field) => covers(line, field))
    const wrong = isNeeded ? wrongTest(line, reason, folders) : 'is read back, or cannot be written: not to be listed'
    return wrong === undefined ? [] : [[line, wrong]]
  })
  return Object.fromEntries([...fields, ...lines])
}

function covers(line: string, field: string): boolean {
  const pattern = line.split('*').map(RegExp.escape).join('.*')
  return new RegExp(`^${pattern}($|\\.)`).test(field)
}

/** A test that does not even name the field cannot show what it does. */
function wrongTest(line: string, reason: string, folders: readonly string[]): string | undefined {
  const [, file] = /^[^:]+: (\S+\.test\.ts)$/.exec(reason) ?? []
  if (file === undefined) return `is listed with '${reason}' and not as 'what it does: src/which.test.ts'`
  const path = folders.map((folder) => join(folder, file)).find((one) => existsSync(one))
  if (path === undefined) return `is listed with ${file}, which does not exist`
  const name = line.split(/[ ._]/).at(-1) as string
  const isNamed = readFileSync(path, 'utf8').toLowerCase().includes(name.toLowerCase())
  return isNamed ? undefined : `is listed with ${file}, which does not name ${name}`
}

const packageOf = (path: string): string => (existsSync(join(path, 'package.json')) ? path : packageOf(dirname(path)))
