import { found, missing, type Need, programNeed } from '@icosa/module'
import type { Values } from './settings.ts'

const sandbox: Need<Values> = {
  name: 'sandbox of functions',
  purpose: 'runs functions in isolation, on Linux; as root, with control groups that can be written',
  remedy: 'sudo apt install runsc; on a node that runs as root, ICOSA_FUNCTIONS_SANDBOX may choose another.',
  async check({ sandbox: runtime }) {
    const { sandboxNote, sandboxProblem } = await import('@icosa/sandbox')
    const problem = await sandboxProblem(runtime)
    return problem === undefined ? found(sandboxNote(runtime)) : missing(problem)
  },
}

const runtimes: Need<Values> = {
  name: 'runtimes of functions',
  purpose: 'what functions are written for: Node 24 is there, others are looked for',
  isOptional: true,
  remedy: {
    debian: 'sudo apt install python3 python3-flask; set ICOSA_FUNCTIONS_NODEJS22 to a Node 22',
    macos: 'there is none: use a virtual machine with Linux',
    other: 'set ICOSA_FUNCTIONS_NODEJS22 to a Node 22; install Python 3.11 with Flask',
  },
  async check({ nodejs22 }) {
    const { runtimes: find } = await import('./runtimes/index.ts')
    const all = await find({ nodejs22 })
    const problems = all.flatMap((one) => ('problem' in one ? [one.problem] : []))
    const there = all.flatMap((one) => ('problem' in one ? [] : [`${one.name} ${one.version}`]))
    return problems.length === 0 ? found(there.join(', ')) : missing(problems.join(' '))
  },
}

const tar = programNeed(
  { names: ['tar'] },
  {
    purpose: 'packs what was built from a source',
    remedy: { debian: 'sudo apt install tar', macos: 'brew install gnu-tar', other: 'GNU tar' },
  },
)

export const needs: readonly Need<Values>[] = [sandbox, runtimes, tar]
