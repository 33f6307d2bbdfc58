import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exists } from './exists.ts'
import { buildFailure, refuseSource } from './refusal.ts'

/** Every runtime has it, whatever the source says. */
const provided = new Set(['@google-cloud/functions-framework', 'functions-framework', 'flask'])

/** What a source needs comes with it, or was fetched. Says what is missing. */
export async function checkDependencies(folder: string, runtime: string): Promise<void> {
  const missing = runtime.startsWith('python') ? await missingPython(folder) : await missingNode(folder)
  if (missing.length === 0) return
  const shown = missing.slice(0, 10).join(', ') + (missing.length > 10 ? ` and ${missing.length - 10} more` : '')
  throw buildFailure(
    'MissingDependencies',
    runtime.startsWith('python')
      ? `requirements.txt names ${shown}, which nothing is fetched for: run \`pip install --target . -r requirements.txt\` and send the folders, too.`
      : `package.json names ${shown}, and node_modules does not have them: run \`npm ci --omit=dev\` and send node_modules, too; where the operator has set a registry, package-lock.json is enough.`,
  )
}

async function missingNode(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')
  const names = Object.keys(dependenciesOf(text)).filter((name) => !provided.has(name))
  const found = await Promise.all(names.map((name) => exists(join(folder, 'node_modules', name, 'package.json'))))
  return names.filter((_, index) => !found[index])
}

function dependenciesOf(text: string): Readonly<Record<string, unknown>> {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    refuseSource(`package.json is not JSON (${(error as Error).message}).`)
  }
  return Object(Object(read).dependencies)
}

async function missingPython(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, 'requirements.txt'), 'utf8').catch(() => '')
  const names = text
    .split('\n')
    .map((line) => /^\s*([A-Za-z0-9][\w.-]*)/.exec(line)?.[1]?.toLowerCase())
    .filter((name) => name !== undefined && !provided.has(name)) as string[]
  const found = await Promise.all(
    names.map(async (name) => {
      const module = name.replace(/[-.]/g, '_')
      return (await exists(join(folder, module))) || exists(join(folder, `${module}.py`))
    }),
  )
  return names.filter((_, index) => !found[index])
}
