import { checkStorable } from '@icosa/kernel'
import { demandRegexes } from '../regexes/safe.ts'
import { badArgument } from '../shapes/failures.ts'
import { parseLu } from './lu/parse.ts'
import { readApp } from './read.ts'
import type { ReadFile } from './whole-app.ts'

const maxDepth = 100

/** Parses a file in JSON or the .lu format. */
export async function parseApp(content: Uint8Array): Promise<ReadFile> {
  const text = unquoted(decoded(content))
  const value = text.trimStart().startsWith('{') ? parsedJson(text) : parseLu(text)
  checkStorable(value, 'file')
  const app = readApp(value)
  await demandRegexes(app.content)
  return app
}

function decoded(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return badArgument('The file is not UTF-8.')
  }
}

/** A client of the original sends .lu as a JSON string. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text
  const value = parsedJson(text)
  return typeof value === 'string' ? value : text
}

function parsedJson(text: string): unknown {
  try {
    return demandFlat(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) badArgument(`The file is not JSON: ${error.message}`)
    throw error
  }
}

function demandFlat(value: unknown): unknown {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) badArgument(`The file is more than ${maxDepth} levels deep.`)
    level = level.flatMap((child) => (typeof child === 'object' && child !== null ? Object.values(child) : []))
  }
  return value
}
