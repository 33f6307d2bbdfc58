import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** As a shell without a person stops at the first command that fails, a refusal of curl's is a failure, and lines end. */
const preamble = `set -eE
trap 'echo "failed: $BASH_COMMAND" >&2' ERR
`
const curlrc = `silent
show-error
fail
write-out = "\\n"
`

export interface Shell {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Nothing goes on of what a test no longer waits for. */
  readonly signal?: AbortSignal | undefined
}

/** Runs blocks of commands in one shell, so that what one sets is there for the next, and answers what each printed. */
export async function runBlocks(blocks: readonly string[], { cwd, env, signal }: Shell): Promise<string[]> {
  await writeFile(join(cwd, '.curlrc'), curlrc)
  const files = blocks.map((_, number) => join(cwd, `printed-${number}.txt`))
  const script = join(cwd, 'commands.sh')
  await writeFile(script, preamble + blocks.map((text, number) => `exec >'${files[number]}'\n${text}\n`).join(''))
  const complaints = await open(join(cwd, 'complaints.txt'), 'w')
  const shell = spawn('bash', [script], {
    cwd,
    env: { ...env, CURL_HOME: cwd },
    stdio: ['ignore', 'ignore', complaints.fd],
    detached: true, // a group of its own, with what it leaves in the background
  })
  try {
    const [code] = await once(shell, 'exit', { signal })
    if (code !== 0) throw new Error(`exit code ${code}\n${await readFile(join(cwd, 'complaints.txt'), 'utf8')}`)
    return await Promise.all(files.map((file) => readFile(file, 'utf8')))
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
