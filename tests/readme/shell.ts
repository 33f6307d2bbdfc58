import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '@icosa/module'

/** As a shell without a person stops at the first command that fails. */
const preamble = `set -eE
trap 'echo "failed: $BASH_COMMAND" >&2' ERR
`

export interface Shell {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** As whom; otherwise as this process. */
  readonly account?: Account | undefined
  /** Stops what the test no longer waits for. */
  readonly signal?: AbortSignal | undefined
}

/** What a block printed, and when it had ended. */
export interface Printed {
  readonly text: string
  readonly endedAtMs: number
}

/** Runs blocks of commands in one shell, so that what one sets is there for the next. */
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
    detached: true, // a group of its own, with what it leaves in the background
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
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // all of it has ended by itself
  }
}
