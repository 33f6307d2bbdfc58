import { found, missing, type Need, programNeed } from '@icosa/module'
import type { Values } from './settings.ts'

const sandbox: Need<Values> = {
  name: 'functions sandbox',
  purpose: 'isolates functions, on Linux; as root, requires writable control groups',
  remedy: 'sudo apt install runsc; on a node that runs as root, ICOSA_FUNCTIONS_SANDBOX may choose another.',
  async check({ sandbox: runtime }) {
    const { sandboxNote, sandboxProblem } = await import('@icosa/sandbox')
    const problem = await sandboxProblem(runtime)
    return problem === undefined ? found(sandboxNote(runtime)) : missing(problem)
  },
}

const runtimes: Need<Values> = {
  name: 'functions runtimes',
  purpose: 'runs functions: Node 24 is built in, others are detected',
  isOptional: true,
  remedy: {
    debian: 'sudo apt install python3 python3-flask; set ICOSA_FUNCTIONS_NODEJS22 to a Node 22',
    macos: 'not available: use a Linux virtual machine',
    other: 'set ICOSA_FUNCTIONS_NODEJS22 to a Node 22; install Python 3.11 with Flask',
  },
  async check({ nodejs22 }) {
    const { runtimes: find } = await import('./runtimes/index.ts')
    const list = await find({ nodejs22 })
    const problems = list.flatMap((runtime) => ('problem' in runtime ? [runtime.problem] : []))
    const versions = list.flatMap((runtime) => ('problem' in runtime ? [] : [`${runtime.name} ${runtime.version}`]))
    return problems.length === 0 ? found(versions.join(', ')) : missing(problems.join(' '))
  },
}

const tar = programNeed(
  { names: ['tar'] },
  {
    purpose: 'packs built sources',
    remedy: { debian: 'sudo apt install tar', macos: 'brew install gnu-tar', other: 'GNU tar' },
  },
)

export const needs: readonly Need<Values>[] = [sandbox, runtimes, tar]
