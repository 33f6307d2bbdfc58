import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))
const file = join(root, 'deploy/compose.yaml')

/** Container engine of this machine. */
export interface Engine {
  /** Returns its output. */
  engine(...words: string[]): Promise<string>
  compose(...words: string[]): Promise<string>
  image(...words: string[]): Promise<string>
  /** Container name of a service. */
  nameOf(service: string): string
  /** Runs the image's or the service's own health check once. */
  isHealthy(container: string): Promise<boolean>
}

const answers = (command: string, ...words: string[]) => {
  try {
    execFileSync(command, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const run = promisify(execFile)
async function outputOf(command: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 64 << 20 }
  const { stdout } = await run(command, [...words], options).catch(({ stdout: output, stderr, message }) => {
    throw new Error(`${message}\n${output}\n${stderr}`)
  })
  return stdout.trim()
}

/** Docker with compose, Podman with podman-compose, or why neither works. `env` is for compose.yaml. */
export function findEngine(project: string, env: NodeJS.ProcessEnv): Engine | string {
  const image = (...words: string[]) => outputOf(join(root, 'scripts/image'), words, env)
  if (answers('docker', 'info') && answers('docker', 'compose', 'version'))
    return {
      image,
      engine: (...words) => outputOf('docker', words, env),
      nameOf: (service) => `${project}-${service}-1`,
      compose: (...words) => outputOf('docker', ['compose', '-f', file, '-p', project, ...words], env),
      isHealthy: async (container) =>
        (await outputOf('docker', ['inspect', '--format', '{{.State.Health.Status}}', container], env)) === 'healthy',
    }
  if (!answers('podman', '--version')) return 'no docker answers, and there is no podman'
  if (!answers('podman-compose', '--version')) return 'there is no podman-compose'
  // crun refuses machines with both versions of cgroups.
  const runtime = existsSync('/sys/fs/cgroup/unified') ? ['--runtime', 'runc'] : []
  // Podman would raise limits to a million, which some machines forbid.
  const limits = '--ulimit nofile=16384:16384 --ulimit nproc=4096:4096'
  const args = [`--podman-run-args=${limits}`, ...(runtime.length > 0 ? [`--podman-args=${runtime.join(' ')}`] : [])]
  const engine = (...words: string[]) => outputOf('podman', [...runtime, ...words], env)
  return {
    image,
    engine,
    nameOf: (service) => `${project}_${service}_1`,
    compose: (...words) => outputOf('podman-compose', [...args, '-f', file, '-p', project, ...words], env),
    // Podman leaves periodic checks to systemd, which may not run here.
    isHealthy: (container) =>
      engine('healthcheck', 'run', container).then(
        () => true,
        () => false,
      ),
  }
}
