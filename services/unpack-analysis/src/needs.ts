import { found, missing, type Need } from '@icosa/module'
import type { UnpackValues } from './settings.ts'

/** Runs in a separate process: the library is never loaded into the node's. */
const versionScript =
  "const lib = require('koffi').load('libunicorn.so.2'); const a = [0], b = [0]; lib.func('uint32 uc_version(_Out_ uint32 *, _Out_ uint32 *)')(a, b); console.log(a[0] + '.' + b[0])"

export const unicorn: Need<UnpackValues> = {
  name: 'Unicorn',
  purpose: 'emulates samples; without it they are refused',
  remedy: {
    debian: 'sudo apt install libunicorn2',
    macos: 'samples are emulated on Linux only',
    other: 'https://www.unicorn-engine.org/download/',
  },
  async check() {
    const { runProgram } = await import('@icosa/compute')
    const { dirname } = await import('node:path')
    const { fileURLToPath } = await import('node:url')
    const from = dirname(fileURLToPath(import.meta.resolve('koffi')))
    const code = versionScript.replace("require('koffi')", `require(${JSON.stringify(from)})`)
    try {
      const output = await runProgram(process.execPath, ['-e', code], { outputBytes: 1_000, deadlineMs: 20_000 })
      return found(output.toString('utf8').trim())
    } catch (error) {
      return missing((error as Error).message.split('\n')[0] ?? 'libunicorn.so.2 was not found')
    }
  },
}

export const sandbox: Need<UnpackValues> = {
  name: 'sandbox',
  purpose: 'isolates samples from the machine; without it they are refused',
  remedy: {
    debian: 'sudo apt install runsc; on a node that runs as root, ICOSA_UNPACK_RUNTIME may choose another',
    macos: 'samples are emulated on Linux only',
    other: 'https://gvisor.dev/docs/user_guide/install/',
  },
  async check({ runtime }) {
    const { sandboxNote, sandboxProblem } = await import('@icosa/sandbox')
    const problem = await sandboxProblem(runtime)
    return problem === undefined ? found(sandboxNote(runtime)) : missing(problem)
  },
}
