import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '@icosa/module'

/** Stops at the first command that fails. */
const preamble = `set -eE
trap 'echo "failed: $BASH_COMMAND" >&2' ERR
`

export interface Shell {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Account of the shell; by default that of this process. */
  readonly account?: Account | undefined
  /** Ends the shell once the test has timed out. */
  readonly signal?: AbortSignal | undefined
}

/** Output of a block, and when it ended. */
export interface Printed {
  readonly text: string
  readonly endedAtMs: number
}

/** Runs blocks of commands in one shell, so that they share variables. */
export async function runBlocks(blocks: readonly string[], { cwd, env, account, signal }: Shell): Promise<Printed[]> {
  const files = blocks.map((_, number) => join(cwd, `printed-${number}.txt`))
  const script = join(cwd, 'commands.sh')
  const block = (text: string, number: number) =>
    `exec >'${files[number]}'\n${text}\ndate +%s%3N >'${files[number]}.end'\n`
  await writeFile(script, preamble + blocks.map(block).join(''))
  const complaints = await open(join(cwd, 'complaints.txt'), 'w')
  const shell = spawn('bash', [script], {
    cwd,
    env: { ...env },
    stdio: ['ignore', 'ignore', complaints.fd],
    detached: true, // own process group, including background processes
    ...account,
  })
  try {
    const [code] = await once(shell, 'exit', { signal })
    if (code !== 0) throw new Error(`exit code ${code}\n${await readFile(join(cwd, 'complaints.txt'), 'utf8')}`)
    return await Promise.all(
      files.map(async (file) => ({
        text: await readFile(file, 'utf8'),
        endedAtMs: Number(await readFile(`${file}.end`, 'utf8')),
      })),
    )
  } finally {
    if (shell.pid !== undefined) endGroup(shell.pid)
    await complaints.close()
  }
}

function endGroup(leader: number) {
  try {
    process.kill(-leader)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // all processes have ended
  }
}
