import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exists } from './exists.ts'
import { buildFailure, refuseSource } from './refusal.ts'

/** Included in every runtime. */
const provided = new Set(['@google-cloud/functions-framework', 'functions-framework', 'flask'])

/** Fails if dependencies are neither in the source nor fetched. */
export async function checkDependencies(folder: string, runtime: string): Promise<void> {
  const missing = runtime.startsWith('python') ? await missingPython(folder) : await missingNode(folder)
  if (missing.length === 0) return
  const list = missing.slice(0, 10).join(', ') + (missing.length > 10 ? ` and ${missing.length - 10} more` : '')
  throw buildFailure(
    'MissingDependencies',
    runtime.startsWith('python')
      ? `requirements.txt lists ${list}, but packages are not fetched: ask the operator to configure an index, or run \`pip install --target . -r requirements.txt\` and include the folders.`
      : `package.json lists ${list}, but node_modules lacks them: run \`npm ci --omit=dev\` and include node_modules. If the operator has configured a registry, package-lock.json is enough.`,
  )
}

async function missingNode(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')
  const names = Object.keys(dependenciesOf(text)).filter((name) => !provided.has(name))
  const installed = await Promise.all(names.map((name) => exists(join(folder, 'node_modules', name, 'package.json'))))
  return names.filter((_, index) => !installed[index])
}

function dependenciesOf(text: string): Readonly<Record<string, unknown>> {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch (error) {
    refuseSource(`package.json is not JSON (${(error as Error).message}).`)
  }
  return Object(Object(manifest).dependencies)
}

async function missingPython(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, 'requirements.txt'), 'utf8').catch(() => '')
  const names = text
    .split('\n')
    .map((line) => /^\s*([A-Za-z0-9][\w.-]*)/.exec(line)?.[1]?.toLowerCase())
    .filter((name) => name !== undefined && !provided.has(name)) as string[]
  const installed = await Promise.all(
    names.map(async (name) => {
      const module = name.replace(/[-.]/g, '_')
      return (await exists(join(folder, module))) || exists(join(folder, `${module}.py`))
    }),
  )
  return names.filter((_, index) => !installed[index])
}
