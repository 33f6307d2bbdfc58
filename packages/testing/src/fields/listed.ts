import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Fields that are not read back as written, by operation and path, each with its effect and the test that covers it:
 * `'createClient client_secret': 'write-only: src/clients/clients.test.ts'`. A path includes everything below it, `*`
 * matches anything, `|` separates alternatives. An operation, or a pattern of several, without a path includes all
 * fields: it is an action with an effect elsewhere.
 */
export type ListedFields = Readonly<Record<string, string>>

/** Whether an operation is listed as an action. */
export const isAction = (operation: string, listed: ListedFields): boolean =>
  Object.keys(listed).some((line) => !line.includes(' ') && !line.startsWith('*') && covers(line, operation))

/** Returns every field that is neither read back nor listed, and every wrong line of the list, with the reason. */
export function unlisted(
  found: ReadonlyMap<string, string>,
  listed: ListedFields,
  operations: readonly string[],
  testFile: string,
): Record<string, string> {
  const fields = [...found].filter(([field]) => !Object.keys(listed).some((line) => covers(line, field)))
  const folders = [packageOf(testFile), process.cwd()]
  const lines = Object.entries(listed).flatMap(([line, reason]) => {
    const isNeeded =
      operations.some((operation) => isAction(operation, { [line]: reason })) ||
      [...found.keys()].some((field) => covers(line, field))
    const wrong = isNeeded ? wrongTest(line, reason, folders) : 'is read back, or cannot be written: not to be listed'
    return wrong === undefined ? [] : [[line, wrong]]
  })
  return Object.fromEntries([...fields, ...lines])
}

const patternOf = (line: string) => `(?:${line.split('|').map(wildcards).join('|')})`
const wildcards = (text: string) => text.split('*').map(RegExp.escape).join('.*')

const covers = (line: string, field: string) => new RegExp(`^${patternOf(line)}($|\\.)`).test(field)

/** A test that does not name the field cannot cover it. */
function wrongTest(line: string, reason: string, folders: readonly string[]): string | undefined {
  const [, file] = /^[^:]+: (\S+\.test\.ts)$/.exec(reason) ?? []
  if (file === undefined) return `is listed with '${reason}' and not as 'what it does: src/which.test.ts'`
  const path = folders.map((folder) => join(folder, file)).find((one) => existsSync(one))
  if (path === undefined) return `is listed with ${file}, which does not exist`
  const text = readFileSync(path, 'utf8')
  const names = line.split('|').map((one) => one.split(/[ ._]/).findLast((part) => part !== '*') as string)
  const unnamed = names.find((name) => !new RegExp(patternOf(name), 'i').test(text))
  return unnamed === undefined ? undefined : `is listed with ${file}, which does not name ${unnamed}`
}

const packageOf = (path: string): string => (existsSync(join(path, 'package.json')) ? path : packageOf(dirname(path)))
